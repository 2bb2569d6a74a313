// SPDX-License-Identifier: GPL-2.0-only
/* This file sets up the fake driver before a program begins, for a program that is not in C. */
#include "../../unit/lib/fake_driver.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_up(void)
{
	if (fake_setup(NULL))
		abort();
}

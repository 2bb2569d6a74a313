// SPDX-License-Identifier: GPL-2.0-only
/* For a program that is not in C: the fake driver is there before it begins. */
#include "../../unit/lib/fake_driver.h"

#include <stdlib.h>

__attribute__((constructor)) static void set_up(void)
{
	if (fake_setup(NULL))
		abort();
}

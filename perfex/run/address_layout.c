// SPDX-License-Identifier: GPL-2.0-only
/* Switch off address space randomization with personality(2). */
#include "run/address_layout.h"

#include <errno.h>
#include <string.h>
#include <sys/personality.h>

#include "util/perfex.h"

/* With this argument, personality(2) only returns the present personality. */
#define NO_PERSONALITY 0xffffffff

int fix_layout(void)
{
	const int present = personality(NO_PERSONALITY);

	if (present >= 0 &&
	    personality((unsigned int)present | ADDR_NO_RANDOMIZE) >= 0)
		return 0;
	complain("cannot fix the layout of the address space: %s (containers"
		 " may forbid personality(2), so allow it there, or leave out"
		 " --fixed-layout)",
		 strerror(errno));
	return PERFEX_SYSTEM;
}

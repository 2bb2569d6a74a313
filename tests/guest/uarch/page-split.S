/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a store across the end of a page writes once to each of two lines
 *
 * The two lines are never read. So both parts of the store miss, whatever their sizes are.
 *
 * round:
 *   0x04 = 2
 *   0x0b = 1
 *   0x03 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 2
	EMPTY_CACHE
	BEGIN_ROUNDS
	movl	%eax, buffer + PAGE - 1
	END_ROUNDS

	BUFFER	2*PAGE

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the cache replaces the line of a set that has not been used for the longest time
 *
 * The program reads five lines A to E of one set, in the order A B A C A D A E. With two ways and
 * with four, A is never the line that was used longest ago. B to E are displaced before they are
 * read again. If the cache displaced the line that it loaded first, A would be displaced, too.
 *
 * round:
 *   0x03 = 4
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 5
	BEGIN_ROUNDS
	.irp	line, 1, 2, 3, 4
	movl	buffer, %eax
	movl	buffer + \line * PAGE, %eax
	.endr
	END_ROUNDS

	BUFFER	5*PAGE

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the bus has two cycles for each access that is locked and misaligned, and for one to two lines
 *
 * No line of BUFFER that is accessed is in the cache. Two locked increments, across a line and
 * across a page, read and write twice each: a read takes 10 clocks of the bus, which are 15, and
 * is waited for; a write takes 3, which are 5, and waits in a buffer until the NOPs are over, but
 * on the first Pentium the second one of a pipe waits for the first. Then two lines are read
 * that are in the second-level cache: the first part of each takes 3 clocks of the bus, which
 * are 5, and the whole of the first line 6, which are 9.
 *
 * round:
 *   0x1c = 2 * 2 = 4
 *   0x03 = 2 * 2 + 2 = 6
 *   0x04 = 2 * 2 = 4
 *   0x18 = 2 * (2 * 15 + 2 * 5) + 2 * 9 = 98
 *   0x1a = 2 * 2 * 15 + 9 + 5 = 74
 * round (p5):
 *   0x19 = 2 * 5 = 10
 * round (mmx):
 *   0x19 = 0
 */
#include "bare.h"

	.set	LINES, BUFFER + 3 * PAGE

prepare:
	call	body
	call	body
	/* Takes both lines out of the cache, and is on the bus for a while. */
	lock incl LINES + LINE - 1
	.rept	64
	nop
	.endr
	ret

	.balign	LINE
body:	lock incl BUFFER + LINE - 1
	.rept	64
	nop
	.endr
	lock incl BUFFER + PAGE - 1
	.rept	64
	nop
	.endr
	movl	LINES + LINE - 1, %eax
	ret

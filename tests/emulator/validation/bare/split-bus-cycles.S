/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned locked access takes two bus cycles, whether it crosses a line or not
 *
 * The accessed lines of BUFFER are not in the cache. Two locked increments, across a line and
 * across a page, read and write twice each. A read takes 10 clocks of the bus, which are 15, and
 * the processor waits for it. A write takes 3, which are 5, and waits in a buffer until the NOPs
 * are over. But on the first Pentium, the second write of a pipe waits for the first one. Then
 * two lines are read from the second-level cache. The first part of each takes 3 clocks of the
 * bus, which are 5. The whole first line takes 6, which are 9.
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
	/* Take both lines out of the cache. The bus is busy for a while. */
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

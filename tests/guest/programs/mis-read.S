/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a read of 2 or 4 bytes is misaligned when it crosses a 4-byte boundary
 *
 * At each offset 0 to 7 from an aligned address: a read of 4 bytes (crosses
 * at 1, 2, 3, 5, 6, 7), of 2 (at 3 and 7) and of 1 (never), and the same as
 * the operand of an addition, a comparison and movzx. Misaligned in a round
 * 6 + 2 + 6 + 6 + 2 = 22 of 8*6 reads.
 *
 * expect:
 *   0x16 = 8*6 + 3 = 51
 *   0x12 = 1
 *   0x00 = 8*6 + 22 + 5 = 75
 *   0x01 = 5
 *   0x0b = 6 + 2 + 6 + 6 + 2 = 22
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 8*6 + 5 = 53
 */
#include "prog.h"

_start:
	.irp	off, 0, 1, 2, 3, 4, 5, 6, 7
	movl	buf + \off, %eax
	movw	buf + \off, %ax
	movb	buf + \off, %al
	addl	buf + \off, %edx
	cmpl	%edx, buf + \off
	movzwl	buf + \off, %ecx
	.endr
	EXIT

	.data
	.balign	16
buf:	.fill	16, 1, 'a'

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a read of 2 or 4 bytes is misaligned when it crosses a 4-byte boundary
 *
 * At each of the offsets 0 to 7 from an aligned address, the program reads:
 *
 *	4 bytes with mov			misaligned at 1, 2, 3, 5, 6 and 7
 *	2 bytes with mov			misaligned at 3 and 7
 *	1 byte with mov				never misaligned
 *	4 bytes with add			6 times misaligned
 *	4 bytes with cmp			6 times misaligned
 *	2 bytes with movzx			2 times misaligned
 *
 * The sum is 6 + 2 + 6 + 6 + 2 = 22 misaligned reads of 8*6.
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

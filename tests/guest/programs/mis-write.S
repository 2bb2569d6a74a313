/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a write of 2 or 4 bytes is misaligned when it crosses a 4-byte boundary
 *
 * At each of the offsets 0 to 7, the program writes 4 bytes (6 of the 8 writes are misaligned), 2
 * bytes (2 of the 8 are misaligned), 1 byte, and 4 bytes from a constant (6 of the 8 are
 * misaligned). It does so in each of 10 rounds.
 *
 * expect:
 *   0x16 = 1 + 10*(8*4 + 2) + 3 = 344
 *   0x12 = 10 + 1 = 11
 *   0x00 = 5
 *   0x01 = 10*(8*4 + 14) + 5 = 465
 *   0x0b = 10*(6 + 2 + 6) = 140
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x01 = 10*8*4 + 5 = 325
 */
#include "prog.h"

_start:
	movl	$10, %edi
1:
	.irp	off, 0, 1, 2, 3, 4, 5, 6, 7
	movl	%eax, buf + \off
	movw	%ax, buf + \off
	movb	%al, buf + \off
	movl	$5, buf + \off
	.endr
	decl	%edi
	jnz	1b
	EXIT

	.data
	.balign	16
buf:	.fill	16, 1, 'a'

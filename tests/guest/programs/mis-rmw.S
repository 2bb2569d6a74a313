/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned read-modify-write is a misaligned read and a misaligned write
 *
 * At each of the offsets 0 to 7, the program executes inc and add of 4 bytes (6 of the 8 are
 * misaligned), xor of 2 bytes (2 of the 8 are misaligned) and not of 1 byte. Each offset has 4
 * reads and 4 writes. In all, 14 reads and 14 writes are misaligned.
 *
 * expect:
 *   0x16 = 8*4 + 3 = 35
 *   0x12 = 1
 *   0x00 = 8*4 + 14 + 5 = 51
 *   0x01 = 8*4 + 14 + 5 = 51
 *   0x0b = 14*2 = 28
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 8*4 + 5 = 37
 *   0x01 = 8*4 + 5 = 37
 */
#include "prog.h"

_start:
	.irp	off, 0, 1, 2, 3, 4, 5, 6, 7
	incl	buf + \off
	addl	$3, buf + \off
	xorw	%ax, buf + \off
	notb	buf + \off
	.endr
	EXIT

	.data
	.balign	16
buf:	.fill	16, 1, 'a'

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned FST or FSTP counts as two misaligned accesses, and any other x87 access as one
 *
 * The program executes fninit, and then 10 instructions at each of the offsets 0 to 7 from an
 * address that is a multiple of 8. An access of 4 bytes is misaligned at 6 of the 8 offsets, an
 * access of 8 bytes at 7 of them. An access of 10 bytes consists of one of 8 bytes at the offset
 * (misaligned at 7 offsets) and one of 2 bytes at the offset + 8 (misaligned at the offsets 3 and
 * 7), so 9 of its 2*8 parts are misaligned. This table has the misaligned accesses at all 8 offsets
 * together:
 *
 *	flds		6			fsts, fstps	2*6*2
 *	fldl		7			fstpl		7*2
 *	fldt		9 of 2*8		fstpt		9*2 of 2*8
 *	fildll		7			fistpll		7
 *	fiadds		2 (2 bytes)
 *
 * The reads are 8 for each of flds, fldl, fildll and fiadds, 16 for fldt, and 6 + 7 + 9 + 7 + 2 =
 * 31 more, because each misaligned read counts as two. The writes are 8 for each of fsts, fstps,
 * fstpl and fistpll, 16 for fstpt, and 6 + 6 + 7 + 7 + 9 = 35 more.
 *
 * expect:
 *   0x16 = 1 + 8*10 + 3 = 84
 *   0x12 = 1
 *   0x00 = 4*8 + 16 + 31 + 5 = 84
 *   0x01 = 4*8 + 16 + 35 + 5 = 88
 *   0x0b = 31 + 2*(6 + 6 + 7 + 9) + 7 = 94
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 4*8 + 16 + 5 = 53
 *   0x01 = 4*8 + 16 + 5 = 53
 *   0x0b = 31 + (6 + 6 + 7 + 9) + 7 = 66
 */
#include "prog.h"

_start:
	fninit
	.irp	off, 0, 1, 2, 3, 4, 5, 6, 7
	flds	buf + \off
	fiadds	buf + \off
	fsts	buf + \off
	fstps	buf + \off
	fldl	buf + \off
	fstpl	buf + \off
	fldt	buf + \off
	fstpt	buf + \off
	fildll	buf + \off
	fistpll	buf + \off
	.endr
	EXIT

	.bss
	.balign	16
buf:	.space	32

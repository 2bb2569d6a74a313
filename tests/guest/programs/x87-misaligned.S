/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned FST or FSTP counts as two misaligned accesses, any other x87 access as one
 *
 * At offsets 0 to 7 from an address that is a multiple of 8. An access of
 * 4 bytes is misaligned at 6 of them, one of 8 bytes at 7. One of 10 bytes is
 * one of 8 at the offset (misaligned at 7) and one of 2 at the offset + 8
 * (misaligned at 3 and 7): together 9. At each offset:
 *
 *	flds		6 misaligned		fsts, fstps	2*6*2
 *	fldl		7			fstpl		7*2
 *	fldt		9 of 2*8		fstpt		9*2 of 2*8
 *	fildll		7			fistpll		7
 *	fiadds (2)	2
 *
 * Read components: flds, fldl, fildll, fiadds 8 each, fldt 16, and the
 * misaligned ones once more: 6 + 7 + 9 + 7 + 2 = 31. Written: fsts, fstps,
 * fstpl, fistpll 8 each, fstpt 16, again 6 + 6 + 7 + 7 + 9 = 35.
 * Instructions: fninit, 8*10.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: FSTENV and FLDENV make 7 accesses, and FSAVE and FRSTOR make 7 and 2 per register
 *
 * The environment is 28 aligned bytes. The 8 registers follow, with 10 bytes each, at the offsets
 * 28, 38, ... 98 of an area that begins at a multiple of 8. Each is accessed in a part of 8 bytes
 * and a part of 2 bytes. The parts of 8 bytes are aligned at the offsets 48 and 88, and misaligned
 * at the 6 others. The parts of 2 bytes are at even addresses, where they cannot cross a 4-byte
 * boundary.
 *
 * The program executes fninit, fldl, fnstenv, fldenv, fnsave, frstor, and fsave, which is fwait and
 * fnsave: 8 instructions. frstor reads 23 parts and each of the two fnsave writes 23 parts; 6 of
 * the 23 are misaligned, so they count as two.
 *
 * expect:
 *   0x16 = 8 + 3 = 11
 *   0x12 = 1
 *   0x00 = 1 + 7 + (23 + 6) + 5 = 42
 *   0x01 = 7 + 2*(23 + 6) + 5 = 70
 *   0x0b = 3*6 = 18
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 1 + 7 + 23 + 5 = 36
 *   0x01 = 7 + 2*23 + 5 = 58
 */
#include "prog.h"

_start:
	fninit
	fldl	m64
	fnstenv	env
	fldenv	env
	fnsave	area
	frstor	area
	fsave	area
	EXIT

	.data
	.balign	16
m64:	.double	1.25
	.bss
	.balign	16
env:	.space	32
area:	.space	112

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: FSTENV and FLDENV are 7 accesses, FSAVE and FRSTOR 7 and 2 per register
 *
 * The environment is 28 aligned bytes. The registers follow, 10 bytes each, at
 * offsets 28, 38, ... 98 of an area that begins at a multiple of 8: of their
 * 8-byte parts those at 48 and 88 are aligned and 6 are not; their 2-byte
 * parts are at even addresses, where 2 bytes cannot cross. fsave is fwait and
 * fnsave.
 *
 * Instructions: fninit, fldl, fnstenv, fldenv, fnsave, frstor, fwait, fnsave.
 * 3 saves or restores of 23 components, 6 of them doubled: one read, two
 * written.
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

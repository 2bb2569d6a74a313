/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a split locked access counts as two locked cycles, a misaligned read and a misaligned write
 *
 * At each of the offsets 0 to 3, the program executes lock inc of 4 bytes, xchg of 4 bytes, lock
 * add of 2 bytes and lock xadd of 4 bytes. The operands of 4 bytes are split at the offsets 1, 2
 * and 3, the operand of 2 bytes at offset 3. So 10 of the 16 are split.
 *
 * Then follow 4 more, of which 3 are split: lock inc across a cache line (offset 30), lock inc
 * across the boundary of two pages that nobody has touched before, lock cmpxchg8b at offset 0 (not
 * split) and at offset 4 (it crosses an 8-byte boundary).
 *
 * expect:
 *   0x16 = 16 + 4 + 3 = 23
 *   0x12 = 1
 *   0x00 = 20 + 13 + 5 = 38
 *   0x01 = 20 + 13 + 5 = 38
 *   0x0b = 2*13 = 26
 *   0x0f = 2
 *   0x1c = 20 + 13 = 33
 *
 * expect-no-errata:
 *   0x00 = 20 + 5 = 25
 *   0x01 = 20 + 5 = 25
 */
#include "prog.h"

_start:
	.irp	off, 0, 1, 2, 3
	lock incl buf + \off
	xchgl	%eax, buf + \off
	lock addw $1, buf + \off
	lock xaddl %eax, buf + \off
	.endr
	lock incl buf + 30
	lock incl fresh + 4094
	lock cmpxchg8b buf
	lock cmpxchg8b buf + 4
	EXIT

	.bss
	.balign	4096
buf:	.space	64
	.balign	4096
fresh:	.space	8192

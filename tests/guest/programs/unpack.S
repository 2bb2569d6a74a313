/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: PUNPCKLBW, WD and DQ read 4 bytes of memory, even if they are the last 4 bytes of a mapping
 *
 * cpu: mmx
 *
 * The program forbids the second of two pages (MPROTECT 5). Then it executes 4 instructions with
 * each of punpcklbw, punpcklwd and punpckldq:
 *
 *	the 4 bytes before an 8-byte boundary	1 read
 *	4 bytes across a 4-byte boundary	1 read, misaligned
 *	pxor of a register
 *	the last 4 bytes of the first page	1 read
 *
 * punpckhbw always reads 8 bytes: where they begin 4 bytes before an 8-byte boundary, it makes 1
 * misaligned read. At the end, the program stores the result of punpckldq (movq, 1 write) and
 * checks it (cmp, jne, 1 read). The last instruction is emms.
 *
 * expect:
 *   0x16 = 5 + 3*4 + 1 + 3 + 1 + 3 = 25
 *   0x12 = 1 + 1 + 1 = 3
 *   0x00 = 5 + 3*(2 + 2) + 2 + 1 + 5 = 25
 *   0x01 = 5 + 1 + 5 = 11
 *   0x0b = 3 + 1 = 4
 *   0x0f = 2 + 2
 *
 * expect-no-errata:
 *   0x00 = 5 + 3*3 + 1 + 1 + 5 = 21
 */
#include "prog.h"

#define VALUE	0x12345678

_start:
	MPROTECT second, PROT_NONE
	.irp	unpack, punpcklbw, punpcklwd, punpckldq
	\unpack	inside + 4, %mm1
	\unpack	inside + 2, %mm1
	pxor	%mm0, %mm0
	\unpack	second - 4, %mm0
	.endr
	punpckhbw inside + 4, %mm1
	movq	%mm0, result
	cmpl	$VALUE, result + 4
	jne	fail
	emms
	EXIT
fail:	hlt

	.data
	.balign	PAGE
result:	.quad	0
inside:	.quad	1, 2
	.space	PAGE - 28
	.long	VALUE
second:	.space	PAGE

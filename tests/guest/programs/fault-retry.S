/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access that faults counts once, after a signal handler has made it possible
 *
 * The program executes SIGACTION 6, fninit and fld1, and then the 10 accesses of this table. Before
 * each access, it forbids the second of two pages (MPROTECT 5). The access faults, the handler
 * permits the page (PERMIT 9 with 1 pop), and the access is repeated:
 *
 *	mov to a register		1 read
 *	inc				1 read, 1 write
 *	mov $5, in both pages		1 write, misaligned
 *	inc, in both pages		1 read, 1 write, both misaligned
 *	fstl, in both pages		1 write, misaligned, which counts 2
 *	fldt, in both pages		2 reads, the one of 8 bytes misaligned
 *	xchg				1 read, 1 write, 1 locked
 *	3 movs; rep movsl of 8		8 reads, 8 writes, 8 clocks
 *	cmpxchg8b			1 read, 1 write
 *	push of memory			1 read, 1 write
 *
 * Each of the 10 cases has 1 + 5 + 9 instructions and 3 times int $0x80. The sums of the table,
 * with each misaligned access as two, are 1 + 1 + 1*2 + (2 + 1) + 1 + 8 + 1 + 1 = 18 reads, 1 + 2 +
 * 2 + 2 + 1 + 8 + 1 + 1 = 18 writes and 1 + 2 + 2 + 1 = 6 misaligned accesses.
 *
 * expect:
 *   0x16 = 6 + 2 + 10*15 + 3 + 3 = 164
 *   0x12 = 1 + 10*3 + 1 = 32
 *   0x00 = 5 + 10*(3*5 + 1) + 18 + 5 = 188
 *   0x01 = 5 + 10*3*5 + 18 + 5 = 178
 *   0x0b = 6
 *   0x0f = 2 + 10*3*2 + 2 = 64
 *   0x1c = 1
 *   clocks = 164 + 7 = 171
 *
 * expect-no-errata:
 *   0x00 = 5 + 10*(3*5 + 1) + 16 + 5 = 186
 *   0x01 = 5 + 10*3*5 + 15 + 5 = 175
 *   0x0b = 5
 */
#include "prog.h"

	.macro	FORBID
	MPROTECT second, PROT_NONE
	.endm

_start:
	SIGACTION SIGSEGV, action
	fninit
	fld1
	FORBID
	movl	second, %eax
	FORBID
	incl	second + 8
	FORBID
	movl	$5, second - 1
	FORBID
	incl	second - 2
	FORBID
	fstl	second - 4
	FORBID
	fldt	second - 4
	FORBID
	xchgl	%eax, second
	FORBID
	movl	$second, %esi
	movl	$first, %edi
	movl	$8, %ecx
	rep movsl
	FORBID
	cmpxchg8b second
	FORBID
	pushl	second
	EXIT
fail:	hlt

handler:
	PERMIT	second

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
	.bss
	.balign	PAGE
first:	.space	PAGE
second:	.space	PAGE

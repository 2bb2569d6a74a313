/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: BOUND reads two bounds and counts when it completes, and SGDT and SIDT write two parts
 *
 * The program executes SIGACTION 6 and a mov, and then 10 rounds of 12 instructions:
 *
 *	mov; bound with 4-byte bounds		2 reads
 *	mov; bound that faults
 *	handler: mov of 5 to the saved eax; add; SIGRETURN 3
 *						1 write, 1 pop
 *	the same bound, repeated: eax is now within the bounds
 *						2 reads
 *	bound with 2-byte bounds		2 reads
 *	dec; jnz
 *
 * At the end, sgdt stores a limit and a base whose address is aligned (2 writes), and sidt stores a
 * limit and a base whose address is not aligned (2 writes, 1 of them misaligned).
 *
 * expect:
 *   0x16 = 6 + 1 + 10*12 + 2 + 3 = 132
 *   0x12 = 1 + 10*(1 + 1) + 1 = 22
 *   0x00 = 5 + 10*(2 + 2 + 1 + 5 + 2) + 5 = 130
 *   0x01 = 5 + 10*(1 + 5) + 2 + 3 + 5 = 75
 *   0x0b = 1
 *   0x0f = 2 + 10*2 + 2 = 24
 *
 * expect-no-errata:
 *   0x01 = 5 + 10*(1 + 5) + 2 + 2 + 5 = 74
 */
#include "prog.h"

_start:
	SIGACTION SIGSEGV, action
	movl	$10, %edi
1:	movl	$1, %eax
	boundl	%eax, bounds
	movl	$100, %eax
	boundl	%eax, bounds
	boundw	%ax, short_bounds
	decl	%edi
	jnz	1b
	sgdt	table + 2
	sidt	table + 8
	EXIT
fail:	hlt

handler:
	movl	$5, SIG_EAX(%esp)
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
	.balign	8
bounds:	.long	0, 10
short_bounds:
	.word	0, 10
	.bss
	.balign	16
table:	.space	16

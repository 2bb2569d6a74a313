/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INT3 counts as one instruction and one branch, and accesses its gate
 *
 * The program executes SIGACTION 6 and a mov, and then 50 rounds of 8 instructions:
 *
 *	int3					as int $0x80
 *	handler: inc of memory; add; SIGRETURN 3
 *						1 read, 1 write, 1 pop
 *	dec; jnz
 *
 * At the end, cmp and jne check how many times the handler has run.
 *
 * expect:
 *   0x16 = 6 + 1 + 50*(1 + 2 + 3 + 2) + 2 + 3 = 412
 *   0x12 = 1 + 50*(1 + 1 + 1) + 1 + 1 = 153
 *   0x00 = 5 + 50*(5 + 1 + 1 + 5) + 1 + 5 = 611
 *   0x01 = 5 + 50*(5 + 1 + 5) + 5 = 560
 *   0x0f = 2 + 50*(2 + 2) + 2 = 204
 */
#include "prog.h"

_start:
	SIGACTION SIGTRAP, action
	movl	$50, %edi
1:	int3
	decl	%edi
	jnz	1b
	cmpl	$50, seen
	jne	fail
	EXIT
fail:	hlt

handler:
	incl	seen
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
seen:	.long	0

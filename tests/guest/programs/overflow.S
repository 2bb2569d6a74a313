/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INTO counts as a branch whether it is taken or not, and accesses its gate if it is taken
 *
 * The program executes SIGACTION 6 and a mov, and then 10 rounds of 12 instructions:
 *
 *	mov; add, which overflows
 *	into, taken				as int $0x80; the kernel sends SIGSEGV
 *	handler: inc of memory; add; SIGRETURN 3
 *						1 read, 1 write, 1 pop
 *	add, which does not overflow
 *	into, not taken				no access
 *	dec; jnz
 *
 * At the end, cmp and jne check how many times the handler has run.
 *
 * expect:
 *   0x16 = 6 + 1 + 10*(3 + 5 + 4) + 2 + 3 = 132
 *   0x12 = 1 + 10*(1 + 1 + 1 + 1) + 1 + 1 = 43
 *   0x00 = 5 + 10*(5 + 1 + 1 + 5) + 1 + 5 = 131
 *   0x01 = 5 + 10*(5 + 1 + 5) + 5 = 120
 *   0x0f = 2 + 10*(2 + 2) + 2 = 44
 */
#include "prog.h"

_start:
	SIGACTION SIGSEGV, action
	movl	$10, %edi
1:	movl	$0x7fffffff, %eax
	addl	$1, %eax
	into
	addl	$1, %eax
	into
	decl	%edi
	jnz	1b
	cmpl	$10, seen
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

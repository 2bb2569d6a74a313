/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction that never completes is never counted
 *
 * The program executes SIGACTION 6 for SIGILL and for SIGSEGV, and a mov. Then it runs 10 rounds of
 * 23 instructions. In each, ud2, hlt and a read at address 0 fault, and none of them completes.
 * Before each, a mov writes its length to memory (1 write). The handler adds this length to the
 * saved address of the instruction: mov (1 read), add (1 read, 1 write), add, SIGRETURN 3 (1 pop) =
 * 6 instructions. dec and jnz end the round.
 *
 * expect:
 *   0x16 = 6 + 6 + 1 + 10*23 + 3 = 246
 *   0x12 = 2 + 10*(3 + 1) + 1 = 43
 *   0x00 = 2*5 + 10*3*(1 + 1 + 1 + 5) + 5 = 255
 *   0x01 = 2*5 + 10*3*(1 + 1 + 5) + 5 = 225
 *   0x0f = 2*2 + 10*3*2 + 2 = 66
 */
#include "prog.h"

_start:
	SIGACTION SIGILL, action
	SIGACTION SIGSEGV, action
	movl	$10, %edi
1:	movl	$2, length
	ud2
	movl	$1, length
	hlt
	movl	$6, length
	.byte	0x8b, 0x0d, 0, 0, 0, 0	/* movl 0, %ecx */
	decl	%edi
	jnz	1b
	EXIT
fail:	hlt

handler:
	movl	length, %eax
	addl	%eax, SIG_EIP(%esp)
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
length:	.long	0

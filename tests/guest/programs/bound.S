/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: BOUND reads two bounds, SGDT and SIDT write two parts; a BOUND that faults counts when it passes
 *
 * SIGACTION 6, mov. 10 rounds: mov, bound with 4-byte bounds (2 reads), mov,
 * bound that faults; the handler puts 5 into the saved eax (1 write), add,
 * SIGRETURN 3 (1 pop), and the bound passes (2 reads); bound with 2-byte bounds
 * (2 reads); dec, jnz. Round: 5 + 5 + 2 = 12.
 * Then sgdt to an address where its base is aligned (2 writes), sidt to one where
 * it is not (2 writes, one misaligned).
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

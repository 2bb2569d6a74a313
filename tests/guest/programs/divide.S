/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction that faults counts when it completes, its operands too
 *
 * SIGACTION 6; 25 times: xor of the divisor (ecx), xor edx, mov eax, div
 * by ecx, which faults; the handler puts 5 into the saved ecx (1 write), add,
 * SIGRETURN 3; div again; then the same with a divisor in memory: mov of 0
 * (1 write), xor, mov, div var (faults, its read counts only the second time);
 * the handler writes to both places.
 * Handler: mov, mov, add, SIGRETURN = 6, 2 writes, 1 pop. Round: 4 + 4 + 2*6
 * + dec, jnz = 22.
 *
 * expect:
 *   0x16 = 6 + 1 + 25*22 + 3 = 560
 *   0x12 = 1 + 25*(2 + 1) + 1 = 77
 *   0x00 = 5 + 25*(2*(1 + 5) + 1) + 5 = 335
 *   0x01 = 5 + 25*(2*(2 + 5) + 1) + 5 = 385
 *   0x0f = 2 + 25*2*2 + 2 = 104
 */
#include "prog.h"

_start:
	SIGACTION SIGFPE, action
	movl	$25, %edi
1:	xorl	%ecx, %ecx
	xorl	%edx, %edx
	movl	$100, %eax
	divl	%ecx
	movl	$0, var
	xorl	%edx, %edx
	movl	$100, %eax
	divl	var
	decl	%edi
	jnz	1b
	EXIT
fail:	hlt

handler:
	movl	$5, SIG_ECX(%esp)
	movl	$5, var
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
var:	.long	0

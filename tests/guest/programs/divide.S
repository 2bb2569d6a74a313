/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction that faults and its operands count when the instruction completes
 *
 * The program executes SIGACTION 6 and a mov, and then 25 rounds of 22 instructions:
 *
 *	xor ecx; xor edx; mov eax
 *	div ecx, which faults
 *	handler
 *	the same div, repeated
 *	mov of 0 to var				1 write
 *	xor edx; mov eax
 *	div var, which faults			its read does not count yet
 *	handler
 *	the same div, repeated			1 read
 *	dec; jnz
 *
 * The handler puts 5 into the saved ecx and into var: mov, mov, add, SIGRETURN 3 = 6 instructions,
 * 2 writes, 1 pop.
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

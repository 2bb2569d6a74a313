/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a child has its own counts, which its parent's counts do not include
 *
 * The program runs 20 rounds of 11 instructions: fork (SYSCALL 2, test, jz), waitpid for the child
 * (mov, 2 xors, SYSCALL 2), dec, jnz. Each child executes a million instructions.
 *
 * expect:
 *   0x16 = 1 + 20*11 + 3 = 224
 *   0x12 = 20*(2 + 1 + 1) + 1 = 81
 *   0x00 = 20*2*5 + 5 = 205
 *   0x01 = 20*2*5 + 5 = 205
 *   0x0f = 20*2*2 + 2 = 82
 */
#include "prog.h"

_start:
	movl	$20, %edi
1:	SYSCALL	SYS_fork
	testl	%eax, %eax
	jz	child
	movl	%eax, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	decl	%edi
	jnz	1b
	EXIT

child:	movl	$500000, %ecx
2:	decl	%ecx
	jnz	2b
	EXIT

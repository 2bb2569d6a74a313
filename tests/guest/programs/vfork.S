/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a child that shares its parent's memory has separate counts
 *
 * The program runs 20 rounds of 11 instructions: vfork (SYSCALL 2), test, jz, mov, 2 xors, waitpid
 * (SYSCALL 2), dec, jnz. The child runs first. It shares the memory of its parent but not the
 * registers, so the parent finds the process number of the child in eax when the child has exited.
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
1:	SYSCALL	SYS_vfork
	testl	%eax, %eax
	jz	child
	movl	%eax, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	decl	%edi
	jnz	1b
	EXIT

child:	movl	$1000, %ecx
2:	decl	%ecx
	jnz	2b
	EXIT

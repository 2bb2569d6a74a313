/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program that yields the processor does not change its counts
 *
 * The program forks two children (twice SYSCALL 2, test, jz, mov), which execute sched_yield in an
 * endless loop. After a mov, it runs 5000 rounds of sched_yield (SYSCALL 2), dec and jnz, while the
 * children take turns with it on the processor. At the end, it executes kill (mov, mov, SYSCALL 2)
 * and waitpid (xor, xor, mov, SYSCALL 2) for each child.
 *
 * expect:
 *   0x16 = 2*5 + 1 + 5000*4 + 2*(4 + 5) + 3 = 20032
 *   0x12 = 2*2 + 5000*2 + 2*2 + 1 = 10009
 *   0x00 = 5*(2 + 5000 + 4 + 1) = 25035
 *   0x01 = 5*(2 + 5000 + 4 + 1) = 25035
 *   0x0f = 2*(2 + 5000 + 4 + 1) = 10014
 */
#include "prog.h"

_start:
	.irp	keep, %ebp, %esi
	SYSCALL	SYS_fork
	testl	%eax, %eax
	jz	child
	movl	%eax, \keep
	.endr
	movl	$5000, %edi
1:	SYSCALL	SYS_sched_yield
	decl	%edi
	jnz	1b
	.irp	keep, %ebp, %esi
	movl	\keep, %ebx
	movl	$SIGKILL, %ecx
	SYSCALL	SYS_kill
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	movl	\keep, %ebx
	SYSCALL	SYS_waitpid
	.endr
	EXIT

child:	SYSCALL	SYS_sched_yield
	jmp	child

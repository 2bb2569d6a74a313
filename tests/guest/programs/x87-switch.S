/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a switch that saves and restores the x87 state adds nothing to the program's counts
 *
 * The program forks (SYSCALL 2, test, jz, mov) a child that uses the x87 too, in an endless loop.
 * Then it executes fninit, fldz, mov, xor, and 500 rounds of 10 instructions:
 *
 *	fld1; faddp
 *	sched_yield: SYSCALL 2
 *	fistl					1 write
 *	inc; cmp with the stored sum; jne	1 read
 *	dec; jnz
 *
 * At the end, it executes kill (mov, mov, SYSCALL 2) and waitpid (xor, xor, SYSCALL 2).
 *
 * expect:
 *   0x16 = 5 + 4 + 500*10 + 4 + 4 + 3 = 5020
 *   0x12 = 2 + 500*3 + 2 + 1 = 1505
 *   0x00 = 5 + 500*(5 + 1) + 10 + 5 = 3020
 *   0x01 = 5 + 500*(5 + 1) + 10 + 5 = 3020
 *   0x0f = 2 + 500*2 + 4 + 2 = 1008
 */
#include "prog.h"

_start:
	SYSCALL	SYS_fork
	testl	%eax, %eax
	jz	child
	movl	%eax, %ebp
	fninit
	fldz
	movl	$500, %edi
	xorl	%esi, %esi
1:	fld1
	faddp
	SYSCALL	SYS_sched_yield
	fistl	sum
	incl	%esi
	cmpl	%esi, sum
	jne	fail
	decl	%edi
	jnz	1b
	movl	%ebp, %ebx
	movl	$SIGKILL, %ecx
	SYSCALL	SYS_kill
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	EXIT
fail:	hlt

child:	fninit
2:	fldpi
	SYSCALL	SYS_sched_yield
	fstp	%st(0)
	jmp	2b

	.bss
	.balign	16
sum:	.space	4

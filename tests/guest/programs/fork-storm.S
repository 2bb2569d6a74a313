/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a storm of children does not change their parent's count
 *
 * The program executes a mov and then 200 rounds of fork (SYSCALL 2, test, jz, js), dec and jnz: 7
 * instructions. Each child forks one child and exits. Then the program waits for its children: 200
 * rounds that find a child and one that finds none, each with mov, 2 xors, SYSCALL 2, test, jns: 7
 * instructions.
 *
 * expect:
 *   0x16 = 1 + 200*7 + 201*7 + 3 = 2811
 *   0x12 = 200*4 + 201*2 + 1 = 1203
 *   0x00 = 200*5 + 201*5 + 5 = 2010
 *   0x01 = 200*5 + 201*5 + 5 = 2010
 *   0x0f = 200*2 + 201*2 + 2 = 804
 */
#include "prog.h"

_start:
	movl	$200, %edi
1:	SYSCALL	SYS_fork
	testl	%eax, %eax
	jz	child
	js	fail
	decl	%edi
	jnz	1b
2:	movl	$-1, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	testl	%eax, %eax
	jns	2b
	EXIT
fail:	hlt

child:	SYSCALL	SYS_fork
	incl	touched
	EXIT

	.bss
	.balign	16
touched:
	.space	4

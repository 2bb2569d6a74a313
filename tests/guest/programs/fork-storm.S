/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a storm of children does not change their parent's count
 *
 * mov; 200 times fork (SYSCALL 2, test, jz, js), dec, jnz: 7. Each child forks a
 * child of its own and leaves. Then waitpid for any (mov, 2 xor, SYSCALL 2, test,
 * jns) until there is none: 201 times 7.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: counting survives an exec and continues in the new program
 *
 * When argc is 1, the program executes itself with a second argument: pop of argc (1 read), dec,
 * jnz, 2 movs, xor, SYSCALL 2. When argc is 2, it executes pop of argc (1 read), dec, jnz.
 *
 * expect:
 *   0x16 = 8 + 3 + 3 = 14
 *   0x12 = 2 + 1 + 1 = 4
 *   0x00 = 1 + 5 + 1 + 5 = 12
 *   0x01 = 5 + 5 = 10
 *   0x0f = 2 + 2 = 4
 */
#include "prog.h"

_start:
	popl	%eax
	decl	%eax
	jnz	1f
	movl	$path, %ebx
	movl	$argv, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_execve
	hlt
1:	EXIT

	.data
	.balign	16
argv:	.long	path, path, 0
path:	.asciz	"/proc/self/exe"

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the loop of exact.h for 64 bits. Each comment has the number of times that the
 * instruction counts.
 */
	.globl	exact_loop
	.type	exact_loop, @function
exact_loop:
/* 1 */	movl	%edi, %ecx
1:
/* n */	decl	%ecx
/* n */	jnz	1b
/* 1 */	ret
	.size	exact_loop, . - exact_loop

	.section .note.GNU-stack, "", @progbits

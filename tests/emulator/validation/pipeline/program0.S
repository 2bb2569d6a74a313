/* SPDX-License-Identifier: GPL-2.0-only */
/* This program is the common end of programs 1 and 2. Its counts are subtracted from theirs. */
	.globl	_start
_start:
	/*
	 * Wherever the stack is, the data that program 2 changes must be in one line and one
	 * page.
	 */
	orl	$0xfc0, %esp
	andl	$-64, %esp
	subl	$28, %esp
	/* The stack must be in the cache, as it is after a call. */
	movl	-4(%esp), %ecx
	.p2align 2

	movl	$1, %eax
	xorl	%ebx, %ebx
	int	$0x80

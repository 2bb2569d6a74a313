/* SPDX-License-Identifier: GPL-2.0-only */
/* This is only the end of programs 1 and 2. Its counts are subtracted from theirs. */
	.globl	_start
_start:
	/*
	 * The data that program 2 changes is in one line of one page, wherever the
	 * stack is.
	 */
	orl	$0xfc0, %esp
	andl	$-64, %esp
	subl	$28, %esp
	/* The stack is in the cache, as after a call. */
	movl	-4(%esp), %ecx
	.p2align 2

	movl	$1, %eax
	xorl	%ebx, %ebx
	int	$0x80

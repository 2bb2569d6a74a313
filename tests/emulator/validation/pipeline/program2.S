/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Program 2 of K. D. Safford's thesis, section 5.5.2: three read-modify-writes
 * of misaligned data.  Its end is that of program0.S.
 */
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

	pushl	%ebp
	movl	%esp, %ebp
	subl	$1024, %esp
	xorl	%edx, %edx
	.p2align 2
1:	incl	-511(%ebp,%edx,4)
	incl	%edx
	cmpl	$2, %edx
	jle	1b
	.p2align 2
	leave

	movl	$1, %eax
	xorl	%ebx, %ebx
	int	$0x80

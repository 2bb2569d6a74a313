/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is program 2 of K. D. Safford's thesis, section 5.5.2: three read-modify-writes of
 * misaligned data. It ends like program0.S.
 */
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

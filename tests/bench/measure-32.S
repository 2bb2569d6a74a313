/* SPDX-License-Identifier: GPL-2.0-only */
/* This file implements the measured calls of measure.h for 32 bits. */
#include "read-totals.inc"

#define SYS_fork	2

	.text
	.globl	measure
	.type	measure, @function
measure:
	pushl	%ebx
	pushl	%esi
	pushl	%edi
	pushl	%ebp
	movl	24(%esp), %edi
	READ_TOTALS
	call	*20(%esp)
	movl	%eax, %ebp
	movl	28(%esp), %edi
	READ_TOTALS
	movl	%ebp, %eax
	popl	%ebp
	popl	%edi
	popl	%esi
	popl	%ebx
	ret

	.globl	measured_nothing
	.type	measured_nothing, @function
measured_nothing:
	ret

	.globl	measured_call
	.type	measured_call, @function
measured_call:
	pushl	%ebx
	movl	measured_args, %eax
	movl	measured_args + 4, %ebx
	movl	measured_args + 8, %ecx
	movl	measured_args + 12, %edx
	int	$0x80
	popl	%ebx
	ret

	.globl	measured_fork
	.type	measured_fork, @function
measured_fork:
	movl	$SYS_fork, %eax
	int	$0x80
	testl	%eax, %eax
	jz	1f
	ret
1:	jmp	*measured_child

	.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: GPL-2.0-only */
/* This file implements the measured calls of measure.h for 64 bits. */
#include "read-totals.inc"

#define SYS_fork	57

	.text
	.globl	measure
	.type	measure, @function
measure:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	movq	%rdi, %rbp
	movq	%rdx, %r12
	movq	%rsi, %rdi
	READ_TOTALS
	call	*%rbp
	movl	%eax, %ebp
	movq	%r12, %rdi
	READ_TOTALS
	movl	%ebp, %eax
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret

	.globl	measured_nothing
	.type	measured_nothing, @function
measured_nothing:
	ret

	.globl	measured_call
	.type	measured_call, @function
measured_call:
	movq	measured_args(%rip), %rax
	movq	measured_args + 8(%rip), %rdi
	movq	measured_args + 16(%rip), %rsi
	movq	measured_args + 24(%rip), %rdx
	xorl	%r10d, %r10d
	syscall
	ret

	.globl	measured_fork
	.type	measured_fork, @function
measured_fork:
	movl	$SYS_fork, %eax
	syscall
	testl	%eax, %eax
	jz	1f
	ret
1:	jmp	*measured_child(%rip)

	.section .note.GNU-stack, "", @progbits

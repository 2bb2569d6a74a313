/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the pieces of scripts (script.h) for 64 bits. The pieces have the same costs and
 * the same order as those of script-32.S.
 */

/* void script_enter(const script_word *word, script_word *back) */
	.globl	script_enter
	.type	script_enter, @function
script_enter:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	movq	%rsp, (%rsi)
	movq	%rdi, %rsp
	ret
	.size	script_enter, . - script_enter

	.globl	script_piece_back
script_piece_back:
	popq	%rsp
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret

	.globl	script_piece_jump
script_piece_jump:
	popq	%rsp
	ret

	.globl	script_piece_call
script_piece_call:
	popq	%rax
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%r10
	popq	%r8
	popq	%r9
	syscall
	ret

	.globl	script_piece_cpuid
script_piece_cpuid:
	popq	%rax
	popq	%rcx
	popq	%rbx
	popq	%rdx
	popq	%rsi
	popq	%rdi
	cpuid
	ret

	.globl	script_piece_if_zero
script_piece_if_zero:
	popq	%rcx
	testl	%eax, %eax
	jnz	1f
	movq	%rcx, %rsp
1:	ret

	.globl	script_piece_rounds
script_piece_rounds:
	popq	%rcx
1:	decq	%rcx
	jnz	1b
	ret

	.globl	script_piece_save
script_piece_save:
	popq	%rcx
	movl	%eax, (%rcx)
	ret

	.globl	script_piece_load
script_piece_load:
	popq	%rcx
	popq	%rdx
	movl	(%rcx), %eax
	movl	%eax, (%rdx)
	ret

#define SYS_rt_sigreturn 15
	.globl	script_piece_handler
script_piece_handler:
	popq	%rax
	movl	$SYS_rt_sigreturn, %eax
	syscall

	.section .note.GNU-stack, "", @progbits

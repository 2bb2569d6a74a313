/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the pieces of scripts (script.h) for 32 bits. The comment above each piece has its
 * arguments in the script, and after the colon its cost: instructions, and how many of them are
 * branches.
 */

/* void script_enter(const script_word *word, script_word *back) */
	.globl	script_enter
	.type	script_enter, @function
script_enter:
	pushl	%ebx
	pushl	%esi
	pushl	%edi
	pushl	%ebp
	movl	24(%esp), %eax
	movl	%esp, (%eax)
	movl	20(%esp), %esp
	ret
	.size	script_enter, . - script_enter

/* This is the stack pointer that script_enter() has saved. */
	.globl	script_piece_back
script_piece_back:
	popl	%esp
	popl	%ebp
	popl	%edi
	popl	%esi
	popl	%ebx
	ret

/* This is the address of the next piece: 2, 1. */
	.globl	script_piece_jump
script_piece_jump:
	popl	%esp
	ret

/*
 * The number of the system call, six arguments: 9, 2. The part up to and including the system call
 * costs 8, 1, and the part after it 1, 1.
 */
	.globl	script_piece_call
script_piece_call:
	popl	%eax
	popl	%ebx
	popl	%ecx
	popl	%edx
	popl	%esi
	popl	%edi
	popl	%ebp
	int	$0x80
	ret

/* EAX, ECX, EBX, EDX, ESI, EDI: 8, 2. CPUID counts as a branch. */
	.globl	script_piece_cpuid
script_piece_cpuid:
	popl	%eax
	popl	%ecx
	popl	%ebx
	popl	%edx
	popl	%esi
	popl	%edi
	cpuid
	ret

/*
 * The address where the script continues if the result is 0: 4, 2 if the result is not 0, and 5, 2
 * if it is 0.
 */
	.globl	script_piece_if_zero
script_piece_if_zero:
	popl	%ecx
	testl	%eax, %eax
	jnz	1f
	movl	%ecx, %esp
1:	ret

/* The number of rounds n: 2n + 2, n + 1. */
	.globl	script_piece_rounds
script_piece_rounds:
	popl	%ecx
1:	decl	%ecx
	jnz	1b
	ret

/* This is the address to which the result is written: 3, 1. */
	.globl	script_piece_save
script_piece_save:
	popl	%ecx
	movl	%eax, (%ecx)
	ret

/* These are the addresses from which and to which a word is copied: 5, 1. */
	.globl	script_piece_load
script_piece_load:
	popl	%ecx
	popl	%edx
	movl	(%ecx), %eax
	movl	%eax, (%edx)
	ret

/* This is a signal handler, which runs on an alternate stack: 3, 1. */
#define SYS_rt_sigreturn 173
	.globl	script_piece_handler
script_piece_handler:
	popl	%eax
	movl	$SYS_rt_sigreturn, %eax
	int	$0x80

	.section .note.GNU-stack, "", @progbits

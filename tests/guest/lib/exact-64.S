/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the code of exact.h for 64 bits. It has as many counted instructions as exact-32.S.
 */

#define SYS_ioctl	16
#define SYS_clone	56
#define SYS_exit	60
#define VPMC_START	0xbf01
#define VPMC_STOP	0xbf02
#define EXACT_STACK	4096
/* These are the flags CLONE_VM, FS, FILES, SIGHAND, THREAD and SYSVSEM of clone(2). */
#define CLONE_FLAGS	0x00050f00

/* Keep the file in %edi, and the other arguments in registers that system calls do not change. */
	.macro	ENTER
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	movl	%edx, %ebx
	movl	%ecx, %r12d
	movq	%r8, %r13
	movl	%edi, %r14d
	movl	$SYS_ioctl, %eax
	movq	%rsi, %rdx
	movl	$VPMC_START, %esi
	syscall
	.endm

	.macro	RETURN
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.endm

	.globl	exact_run
	.type	exact_run, @function
exact_run:
	ENTER
/* 1 */	testl	%eax, %eax
/* 1 */	jnz	2f
/* 1 */	movl	%ebx, %ecx
1:
/* n */	decl	%ecx
/* n */	jnz	1b
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	%r12d, %esi
/* 1 */	movq	%r13, %rdx
/* 1 */	syscall
2:	RETURN
	.size	exact_run, . - exact_run

	.globl	exact_threads
	.type	exact_threads, @function
exact_threads:
	ENTER
/* 1 */	testl	%eax, %eax
/* 1 */	jnz	2f
/* 1 */	movl	%ebx, %ebp
/* 1 */	movq	%r9, %rsi
1:
/* k */	movl	$CLONE_FLAGS, %edi
/* k */	addq	$EXACT_STACK, %rsi
/* k */	movl	%r12d, %edx		/* the thread's rounds; no parent_tid */
/* k */	xorl	%r10d, %r10d
/* k */	movl	$SYS_clone, %eax
/* k */	syscall
/* k */	testl	%eax, %eax		/* the thread begins here */
/* k */	jz	thread
/* k */	nop
/* k */	decl	%ebp
/* k */	jnz	1b
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	%r14d, %edi
/* 1 */	movl	$VPMC_STOP, %esi
/* 1 */	movq	%r13, %rdx
/* 1 */	syscall
2:	RETURN

thread:
/* The thread has executed 2 instructions before this one: testl and jz. */
3:
/* n */	decl	%edx
/* n */	jnz	3b
/* 1 */	movl	$SYS_exit, %eax
/* 1 */	xorl	%edi, %edi
/* 1 */	nop
/* 1 */	syscall
	.size	exact_threads, . - exact_threads

	.section .note.GNU-stack, "", @progbits

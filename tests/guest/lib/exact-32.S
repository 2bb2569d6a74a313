/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the code of exact.h for 32 bits. The comment before each instruction says how often
 * the instruction is counted.
 */

#define SYS_exit	1
#define SYS_ioctl	54
#define SYS_clone	120
#define VPMC_START	0xbf01
#define VPMC_STOP	0xbf02
#define EXACT_STACK	4096
/* These are the flags CLONE_VM, FS, FILES, SIGHAND, THREAD and SYSVSEM of clone(2). */
#define CLONE_FLAGS	0x00050f00

/* Arguments, above the saved registers and the return address. */
#define ARG(n)		(4 * (n) + 20)(%esp)

	.macro	ENTER
	pushl	%ebx
	pushl	%esi
	pushl	%edi
	pushl	%ebp
	movl	ARG(0), %ebx
	movl	$SYS_ioctl, %eax
	movl	$VPMC_START, %ecx
	movl	ARG(1), %edx
	int	$0x80
	.endm

	.macro	RETURN
	popl	%ebp
	popl	%edi
	popl	%esi
	popl	%ebx
	ret
	.endm

	.globl	exact_run
	.type	exact_run, @function
exact_run:
	ENTER
/* 1 */	testl	%eax, %eax
/* 1 */	jnz	2f
/* 1 */	movl	ARG(2), %ecx
1:
/* n */	decl	%ecx
/* n */	jnz	1b
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	ARG(3), %ecx
/* 1 */	movl	ARG(4), %edx
/* 1 */	int	$0x80
2:	RETURN
	.size	exact_run, . - exact_run

	.globl	exact_threads
	.type	exact_threads, @function
exact_threads:
	ENTER
/* 1 */	testl	%eax, %eax
/* 1 */	jnz	2f
/* 1 */	movl	ARG(2), %ebp
/* 1 */	movl	ARG(5), %ecx
1:
/* k */	movl	$CLONE_FLAGS, %ebx
/* k */	addl	$EXACT_STACK, %ecx
/* k */	movl	ARG(3), %edx		/* the thread's rounds; no parent_tid */
/* k */	xorl	%esi, %esi
/* k */	movl	$SYS_clone, %eax
/* k */	int	$0x80
/* k */	testl	%eax, %eax		/* the thread begins here */
/* k */	jz	thread
/* k */	nop
/* k */	decl	%ebp
/* k */	jnz	1b
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	ARG(0), %ebx
/* 1 */	movl	$VPMC_STOP, %ecx
/* 1 */	movl	ARG(4), %edx
/* 1 */	int	$0x80
2:	RETURN

thread:
/* The thread has executed 2 instructions before this one: testl and jz. */
3:
/* n */	decl	%edx
/* n */	jnz	3b
/* 1 */	movl	$SYS_exit, %eax
/* 1 */	xorl	%ebx, %ebx
/* 1 */	nop
/* 1 */	int	$0x80
	.size	exact_threads, . - exact_threads

	.section .note.GNU-stack, "", @progbits

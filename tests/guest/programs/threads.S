/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the counts of all threads of a process are added, even if they exit after the first thread
 *
 * The first thread executes 2 movs, 8 rounds of 11 instructions (mov, 3 xors, clone with SYSCALL 2,
 * test, jz, add, dec, jnz) and EXIT, which ends only this thread. Each of the 8 other threads
 * begins after the int $0x80 of clone:
 *
 *	test; jz; mov
 *	20000 times dec and jnz
 *	inc of the shared counter		1 read, 1 write
 *	push; pop on the stack of the thread	1 write, 1 read
 *	EXIT 3
 *
 * expect:
 *   0x16 = 2 + 8*11 + 3 + 8*(3 + 20000*2 + 3 + 3) = 320165
 *   0x12 = 8*3 + 1 + 8*(1 + 20000 + 1) = 160041
 *   0x00 = 8*5 + 5 + 8*(1 + 1 + 5) = 101
 *   0x01 = 8*5 + 5 + 8*(1 + 1 + 5) = 101
 *   0x0f = 8*2 + 2 + 8*2 = 34
 */
#include "prog.h"

/* These are the flags CLONE_VM, FS, FILES, SIGHAND, THREAD and SYSVSEM of clone(2). */
#define CLONE_FLAGS	0x00050f00
#define STACK		4096

_start:
	movl	$8, %ebp
	movl	$stacks + STACK, %ecx
1:	movl	$CLONE_FLAGS, %ebx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	SYSCALL	SYS_clone
	testl	%eax, %eax
	jz	thread
	addl	$STACK, %ecx
	decl	%ebp
	jnz	1b
	EXIT

thread:	movl	$20000, %ecx
1:	decl	%ecx
	jnz	1b
	incl	shared
	pushl	%eax
	popl	%eax
	EXIT

	.bss
	.balign	4096
stacks:	.space	8 * STACK
shared:	.space	4

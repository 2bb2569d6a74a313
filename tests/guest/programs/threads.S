/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the threads of a process count together, also those that outlive the first
 *
 * The first thread: 2 movs; 8 rounds: mov, 3 xor, clone (SYSCALL 2), test, jz,
 * add, dec, jnz = 11; EXIT, which ends this thread only.
 * Each of the 8 others begins after the int $0x80 of clone: test, jz, mov,
 * 20000 times (dec, jnz), inc of the shared counter (1 read, 1 write), push,
 * pop on its own stack (1 write, 1 read), EXIT.
 *
 * expect:
 *   0x16 = 2 + 8*11 + 3 + 8*(3 + 20000*2 + 3 + 3) = 320165
 *   0x12 = 8*3 + 1 + 8*(1 + 20000 + 1) = 160041
 *   0x00 = 8*5 + 5 + 8*(1 + 1 + 5) = 101
 *   0x01 = 8*5 + 5 + 8*(1 + 1 + 5) = 101
 *   0x0f = 8*2 + 2 + 8*2 = 34
 */
#include "prog.h"

/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */
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

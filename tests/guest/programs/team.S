/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: two threads that wait for their input can be counted separately
 *
 * The first thread executes 2 movs, 3 xors, clone (SYSCALL 2), test, jz, mov, jmp. The second
 * thread begins after the int $0x80 of clone: test, jz, mov. Then both threads execute xor, 2 movs,
 * a read of one byte (SYSCALL 2), a loop of 500 rounds in the first thread and 5000 in the second,
 * and EXIT. Counters that are attached while the threads wait in the read count 500*2 + 3 = 1003
 * instructions of the first thread and 5000*2 + 3 = 10003 of the second.
 *
 * expect:
 *   0x16 = 5 + 2 + 4 + 8 + 500*2 + 3 + 8 + 5000*2 = 11030
 *   0x12 = 1 + 1 + 1 + 1 + 500 + 1 + 1 + 1 + 5000 + 1 = 5508
 *   0x00 = 5*5 = 25
 *   0x01 = 5*5 = 25
 *   0x0f = 5*2 = 10
 */
#include "prog.h"

/* These are the flags CLONE_VM, FS, FILES, SIGHAND, THREAD and SYSVSEM of clone(2). */
#define CLONE_FLAGS	0x00050f00
#define STACK		4096

_start:
	movl	$stack + STACK, %ecx
	movl	$CLONE_FLAGS, %ebx
	xorl	%edx, %edx
	xorl	%esi, %esi
	xorl	%edi, %edi
	SYSCALL	SYS_clone
	testl	%eax, %eax
	jz	thread
	movl	$500, %edi
	jmp	work

thread:	movl	$5000, %edi
work:	xorl	%ebx, %ebx
	movl	$byte, %ecx
	movl	$1, %edx
	SYSCALL	SYS_read
1:	decl	%edi
	jnz	1b
	EXIT

	.bss
	.balign	4096
stack:	.space	STACK
byte:	.skip	1

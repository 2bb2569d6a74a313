/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: another processor's read has a modified line written back, and its write takes the line
 * processors: 2
 *
 * Two processes on two processors take turns with a line, each four thousand times. A process that
 * waits reads the line. It misses once, because the other process has written to the line. The line
 * is modified in the cache of the other processor, which writes it back, and then both caches have
 * it as shared. The process that has the turn writes twice. The first write goes to the bus, takes
 * the line from the other processor, and makes it exclusive. The second write hits. A round is one
 * turn of each process. It has two misses and four snoop hits, which are those of two reads and two
 * writes. Between the two writes, the other process may read the line, and find it exclusive. This
 * is rare, because the processes change turns when one waits.
 *
 * round:
 *   0x03 = 2
 *   0x05 = 2
 *   0x06 = 2
 *   0x08 = 4
 */
#include "uarch.h"

#define CLONE_VM_AND_SIGCHLD	0x111
#define WORK			4

	.macro	TURNS me, other
	movl	$ROUNDS, %ebp
1:	rep nop
	cmpl	$\me, line
	jne	1b
	movl	%ebp, line + WORK
	movl	$\other, line
	decl	%ebp
	jnz	1b
	.endm

/*
 * Bind the caller to one processor. The two processes do not share a mask in memory, because they
 * may execute this at the same time.
 */
	.macro	STAY mask
	xorl	%ebx, %ebx
	movl	$4, %ecx
	movl	$\mask, %edx
	SYSCALL	SYS_sched_setaffinity
	.endm

_start:
	movl	$CLONE_VM_AND_SIGCHLD, %ebx
	movl	$stack, %ecx
	SYSCALL	SYS_clone
	testl	%eax, %eax
	jz	2f
	movl	%eax, %edi
	STAY	first
	TURNS	1, 2
	movl	%edi, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	EXIT
2:	STAY	second
	TURNS	2, 1
	EXIT

	.data
	.balign	PAGE
line:	.long	1, 0
	.balign	PAGE
first:	.long	1 << 0
second:	.long	1 << 1
	.bss
	.skip	1024
stack:

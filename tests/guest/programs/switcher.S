/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program that sends bytes to itself through a pipe has exact counts
 *
 * isolation.c runs many of these programs at once. A program has ROUNDS rounds: it writes a byte to
 * descriptor 4, reads one from descriptor 3, works and gives up the processor. With an argument, it
 * also moves to the other processor every 8 rounds. isolation.c opens the two descriptors and
 * contains the same numbers. When the program runs by itself, the descriptors do not exist and both
 * calls fail, which does not change the counts.
 *
 * Before the rounds, it executes pop (1 read), dec, mov. A round has 31 instructions:
 *
 *	write: 3 movs; SYSCALL 2
 *	read: mov; SYSCALL 2
 *	inc of 4 misaligned bytes		1 read, 1 write, both misaligned
 *	lock inc				1 read, 1 write, 1 locked
 *	mov; 7 times dec and jnz
 *	sched_yield: SYSCALL 2
 *	test; jz; dec; jnz
 *
 * With an argument, each round also has test and jnz, and every 8th round has sched_setaffinity
 * (xor of memory, xor, 2 movs, SYSCALL 2).
 *
 * expect:
 *   0x16 = 3 + 6144*31 + 3 = 190470
 *   0x12 = 6144*(3 + 7 + 2) + 1 = 73729
 *   0x00 = 1 + 6144*(3*5 + 2 + 1) + 5 = 110598
 *   0x01 = 6144*(3*5 + 2 + 1) + 5 = 110597
 *   0x0b = 6144*2 = 12288
 *   0x0f = 6144*3*2 + 2 = 36866
 *   0x1c = 6144
 *
 * expect-no-errata:
 *   0x00 = 1 + 6144*(3*5 + 1 + 1) + 5 = 104454
 *   0x01 = 6144*(3*5 + 1 + 1) + 5 = 104453
 */
#include "prog.h"

#define ROUNDS	6144

_start:
	popl	%ebp
	decl	%ebp
	movl	$ROUNDS, %edi
1:	movl	$4, %ebx
	movl	$byte, %ecx
	movl	$1, %edx
	SYSCALL	SYS_write
	movl	$3, %ebx
	SYSCALL	SYS_read
	incl	word + 1
	lock incl shared
	movl	$7, %ecx
2:	decl	%ecx
	jnz	2b
	SYSCALL	SYS_sched_yield
	testl	%ebp, %ebp
	jz	3f
	testl	$7, %edi
	jnz	3f
	xorl	$3, mask
	xorl	%ebx, %ebx
	movl	$4, %ecx
	movl	$mask, %edx
	SYSCALL	SYS_sched_setaffinity
3:	decl	%edi
	jnz	1b
	EXIT

	.data
	.balign	8
word:	.long	0, 0
shared:	.long	0
mask:	.long	1
byte:	.byte	0

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program that sends bytes to itself through a pipe counts exactly
 *
 * For isolation.c, of which many run at once: it writes a byte to descriptor
 * 4, reads one from descriptor 3, works and gives up the processor, ROUNDS
 * times. With an argument it also changes processors, every 8 rounds.
 * isolation.c knows the same numbers, and gives the descriptors. Here they are
 * missing: both calls fail, which counts the same.
 *
 * Before: pop (1 read), dec, mov. Round: write (3 movs, SYSCALL 2), read (mov,
 * SYSCALL 2), inc of 4 misaligned bytes, lock inc, mov, 7 times (dec, jnz),
 * sched_yield (SYSCALL 2), test, jz, dec, jnz: 31 instructions.
 * With an argument also test, jnz in each round and sched_setaffinity (xor of
 * memory, xor, 2 movs, SYSCALL 2) every 8 rounds.
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

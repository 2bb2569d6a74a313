/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a child can be counted while its parent waits, in each of its phases
 *
 * The parent executes vfork (SYSCALL 2), and when the child has exited, test, jz, mov, 2 xors,
 * waitpid (SYSCALL 2) and EXIT. The child executes test, jz, xor and 2 movs, then three phases, one
 * more read, and EXIT. Each phase begins with a read of one byte from standard input (SYSCALL 2),
 * where a test can hold the child, and goes on with a mov and a loop of 100, 1000 or 10000 rounds.
 *
 * Up to the end of the first read, parent and child execute 2 + 2 + 3 + 2 = 9 instructions
 * together. From the end of one read to the end of the next, the child executes 1 + 2*ROUNDS + 2:
 * 203, 2003 and 20003. After the last read, it executes 3. The parent executes 10 more, so the sum
 * of both is 22231. The numbers below are those of the parent alone.
 *
 * expect:
 *   0x16 = 2 + 2 + 3 + 2 + 3 = 12
 *   0x12 = 1 + 1 + 1 + 1 = 4
 *   0x00 = 3*5 = 15
 *   0x01 = 3*5 = 15
 *   0x0f = 3*2 = 6
 */
#include "prog.h"

	.macro	PHASE rounds
	SYSCALL	SYS_read
	movl	$\rounds, %esi
1:	decl	%esi
	jnz	1b
	.endm

_start:
	SYSCALL	SYS_vfork
	testl	%eax, %eax
	jz	child
	movl	%eax, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	EXIT

child:	xorl	%ebx, %ebx
	movl	$byte, %ecx
	movl	$1, %edx
	PHASE	100
	PHASE	1000
	PHASE	10000
	SYSCALL	SYS_read
	EXIT

	.bss
byte:	.skip	1

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a child can be counted while its parent waits, in each of its phases
 *
 * The parent: vfork (SYSCALL 2), and when the child has exited test, jz, mov, 2 xor,
 * waitpid (SYSCALL 2), EXIT. The child: test, jz, xor, 2 movs, then before and after each
 * phase it reads a byte of standard input (SYSCALL 2), where it can be held. A phase is a
 * mov and a loop: of 100, 1000 and 10000 rounds. EXIT at the end.
 *
 * Up to the first read both execute 2 + 2 + 3 + 2 = 9, and from one read to the next
 * the child 1 + 2*ROUNDS + 2: 203, 2003 and 20003. After the last one it executes 3. The
 * parent has 10 more; in all that is 22231, and for the parent by itself
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

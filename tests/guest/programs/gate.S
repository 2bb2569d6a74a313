/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program can be attached to while it waits for its input
 *
 * The program reads one byte from standard input and then runs a loop of 500 rounds. A counter that
 * is attached while the program waits in the read counts 1 + 500*2 + 3 = 1004 instructions and 500
 * + 1 = 501 branches.
 *
 * expect:
 *   0x16 = 5 + 1004 = 1009
 *   0x12 = 1 + 501 = 502
 *   0x00 = 5 + 5 = 10
 *   0x01 = 5 + 5 = 10
 *   0x0f = 2 + 2 = 4
 */
#include "prog.h"

_start:
	xorl	%ebx, %ebx
	movl	$byte, %ecx
	movl	$1, %edx
	SYSCALL	SYS_read
	movl	$500, %ecx
1:	decl	%ecx
	jnz	1b
	EXIT

	.bss
byte:	.skip	1

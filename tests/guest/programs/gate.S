/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program can be attached to while it waits for its input
 *
 * Reads one byte from standard input and goes through a loop 500 times.
 * Attached to while it reads, it executes 1 + 500*2 + 3 = 1004 instructions and
 * 500 + 1 = 501 branches more.
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

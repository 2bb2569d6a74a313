/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: straight code adds one for each instruction and counts nothing else
 *
 * The program executes mov, add, lea, nop and xor 200 times.
 *
 * expect:
 *   0x16 = 200*5 + 3 = 1003
 *   0x12 = 1
 *   0x00 = 5
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	.rept	200
	movl	$7, %eax
	addl	%eax, %edx
	leal	4(%edx,%eax,2), %ecx
	nop
	xorl	%ecx, %edx
	.endr
	EXIT

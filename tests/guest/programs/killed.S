/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program that a signal kills has the counts of all instructions that it completed
 *
 * The program executes dec and jnz 100 times, and then ud2, which does not complete.
 *
 * status: 132
 * expect:
 *   0x16 = 1 + 100*2 = 201
 *   0x12 = 100
 */
#include "prog.h"

_start:
	movl	$100, %ecx
1:	decl	%ecx
	jnz	1b
	ud2

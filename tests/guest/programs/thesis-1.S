/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: program 1 of Safford 1997, section 5.5.1, has the counts of its theoretical column
 *
 * The program executes the instructions of the region in figure 5.10, and EXIT. The theoretical
 * values of table 5.3 are 305 instructions (3 before the loop, 100 times 3, 2 after it) and 100
 * branches. The alignment in the listing adds no instruction here, because the loop begins 8 bytes
 * after an aligned address.
 *
 * expect:
 *   0x16 = 305 + 3 = 308
 *   0x12 = 100 + 1 = 101
 *   0x00 = 1 + 5 = 6
 *   0x01 = 1 + 5 = 6
 *   0x0f = 2
 */
#include "prog.h"

	.balign	16
_start:
	pushl	%ebp
	movl	%esp, %ebp
	movl	$99, %eax
	.balign	4
1:	incl	%edx
	decl	%eax
	jns	1b
	xorl	%eax, %eax
	leave
	EXIT

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: program 2 of Safford 1997, 5.5.2, counts as measured there, and without errata as in theory
 *
 * The program executes the instructions of the region in figure 5.11 and then EXIT. The region has
 * 4 instructions, 3 rounds of 4, and leave. The corrected values of table 5.4 are 7 data reads, 7
 * data writes and 6 misaligned accesses. In theory there are 4 reads and 4 writes (3 misaligned
 * read-modify-writes, a push and a pop); the erratum adds 3 to each. The table has 4 branches, one
 * more than the listing executes: its one jle is executed three times.
 *
 * The program leaves out the two .balign of the listing, because the assembler chooses the
 * instructions that fill the space.
 *
 * expect:
 *   0x16 = 4 + 3*4 + 1 + 3 = 20
 *   0x12 = 3 + 1 = 4
 *   0x00 = 7 + 5 = 12
 *   0x01 = 7 + 5 = 12
 *   0x0b = 6
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 4 + 5 = 9
 *   0x01 = 4 + 5 = 9
 */
#include "prog.h"

_start:
	pushl	%ebp
	movl	%esp, %ebp
	subl	$1024, %esp
	xorl	%edx, %edx
1:	incl	-511(%ebp,%edx,4)
	incl	%edx
	cmpl	$2, %edx
	jle	1b
	leave
	EXIT

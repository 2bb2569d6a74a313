/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: program 2 of Safford 1997, section 5.5.2, gives its measured column, and without errata its theoretical one
 *
 * The region of figure 5.11 in the frame of exit.S: 4 to enter, 3 times 4,
 * leave. Table 5.4, the corrected values: 7 data reads and 7 data writes,
 * which the erratum makes of the theoretical 4 and 4 (3 misaligned
 * read-modify-writes, one push, one pop), and 6 misaligned accesses.
 * The table's 4 branches are one more than the listing executes: it has one
 * jle, executed three times.
 *
 * The two .balign of the listing are left out: what they fill with is the
 * assembler's choice.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: program 2 of Safford 1997, section 5.5.2, counts as in the measured column of table 5.4
 *
 * The program executes the region of figure 5.11. The first line of its stack is in the cache, as
 * it is after a call of p5mon. The region has 7 reads, 7 writes, 6 misaligned accesses, 1 data read
 * miss and no data write miss. The frame is placed such that the three misaligned operands are in
 * one line.
 *
 * This line becomes modified. Table 5.4 has no line that is written back, because no access of
 * figure 5.11 displaces it. Here, four reads of lines in the same set displace it, so that it
 * misses again in the next round. All five lines miss in each round, because the set has fewer than
 * five ways.
 *
 * round:
 *   0x03 = 1 + 4 = 5
 *   0x04 = 0
 *   0x06 = 0 + 1 = 1
 *   0x00 = 7 + 4 = 11
 *   0x01 = 7
 *   0x0b = 6
 */
#include "uarch.h"

#define STACK			(buffer + PAGE - 12)

_start:
	TOUCH	buffer, 5
	movl	$ROUNDS, %edi
	jmp	2f
	.balign	LINE
2:
	.irp	page, 1, 2, 3, 4
	movl	buffer + (PAGE - 512 - LINE) + \page * PAGE, %eax
	.endr
	movl	$STACK, %esp
	pushl	%ebp
	movl	%esp, %ebp
	subl	$1024, %esp
	xorl	%edx, %edx
1:	incl	-511(%ebp,%edx,4)
	incl	%edx
	cmpl	$2, %edx
	jle	1b
	leave
	decl	%edi
	jnz	2b
	EXIT

	BUFFER	5*PAGE

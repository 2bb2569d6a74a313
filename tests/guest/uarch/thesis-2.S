/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: program 2 of Safford 1997, section 5.5.2, gives the measured column of table 5.4
 *
 * This is the region of figure 5.11, on a stack whose first line is in the cache, as the calls
 * of p5mon leave it. It has 1 data read miss and no data write miss, with 7 reads, 7 writes and
 * 6 misaligned accesses. The frame is placed so that the three accesses are to one line.
 *
 * The line is modified. The table has no line written back, because no access displaces it
 * there. Here four reads of the same set displace it, so it misses again. Each of the five lines
 * misses, because there are fewer ways.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: matches count even if the breakpoint is disabled, but code matches only in the U pipe
 *
 * DR0 has the address of the first NOP of five rounds, which is in the U pipe. DR1 has the
 * address of the second NOP, which is in the V pipe. DR2 matches writes to four bytes. Three
 * writes match in each round: one that touches its last two bytes, one of one byte, and the
 * write of an increment. DR3 also matches reads, and covers two bytes. Four accesses match in
 * each round: the write of both bytes, the read of the second one, and both accesses of the
 * increment. Accesses next to these bytes do not count.
 *
 * round:
 *   0x23 = 5
 *   0x24 = 0
 *   0x25 = 5 * (1 + 1 + 1) = 15
 *   0x26 = 5 * (1 + 1 + 2) = 20
 */
#include "bare.h"

#define DR7_WRITE_4		13
#define DR7_ACCESS_2		7

prepare:
	movl	$first, %eax
	movl	%eax, %dr0
	movl	$second, %eax
	movl	%eax, %dr1
	movl	$BUFFER, %eax
	movl	%eax, %dr2
	movl	$BUFFER + 2, %eax
	movl	%eax, %dr3
	movl	$DR7_WRITE_4 << 24 | DR7_ACCESS_2 << 28, %eax
	movl	%eax, %dr7
	/* The first Pentium pairs only instructions that it has executed before. */
	call	body
	ret

	.balign	LINE
body:	movl	$5, %ecx
1:	movw	%ax, BUFFER + 2
	movb	%al, BUFFER
	movb	%al, BUFFER + 4
	movb	BUFFER + 3, %al
	movb	BUFFER + 1, %al
	incw	BUFFER + 2
	movl	%edx, %eax
	xchgl	%eax, %edx
first:	nop
second:	nop
	decl	%ecx
	jnz	1b
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a match of a debug register counts although the breakpoint is not enabled, for code only in the U pipe
 *
 * DR0 has the address of the first NOP of five rounds, which is in the U pipe; DR1 that of
 * the second, which is in the V pipe. DR2 means writes to four bytes: one that touches its
 * last two bytes, one byte, and the write of an increment, in each round; DR3 means reads,
 * too, of two bytes: the write of both, the read of the second, and both accesses of the
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
	/* The first Pentium pairs only what it has executed before. */
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a miss takes clocks of the bus if the bus is modelled, and otherwise takes no clocks
 *
 * Each round has four pairs of writes to a line that is never read, and a fifth pair, dec and jnz,
 * that ends the round. Each write takes 3 clocks of the bus. These are 4.5 clocks of the processor,
 * rounded up to 5. The write buffers are full when a round begins, and the bus is always busy. So
 * the round takes as long as its writes take on the bus. The program waits for buffers in all
 * clocks except those of the five pairs. Without the model of the bus, a pair takes one clock.
 *
 * round:
 *   0x01 = 8
 *   0x04 = 8
 *   0x17 = 4 + 1 = 5
 *   0x18 = 8 * 5 = 40
 *   0x19 = 40 - 5 = 35
 *   clocks = 8 * 5 = 40
 * round without bus:
 *   0x04 = 8
 *   0x17 = 4 + 1 = 5
 *   clocks = 4 + 1 = 5
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 1
	/* Remove the line from the cache. The kernel may have put it there. */
	TOUCH	elsewhere, 4
	WALK	elsewhere, 4*PAGE, PAGE, movl (%esi), %eax
	movl	$ROUNDS, %ebp
	.balign	LINE
1:	movl	%ecx, buffer
	movl	%ecx, buffer + 4
	movl	%ecx, buffer + 8
	movl	%ecx, buffer + 12
	movl	%ecx, buffer + 16
	movl	%ecx, buffer + 20
	movl	%ecx, buffer + 24
	movl	%ecx, buffer + 28
	decl	%ebp
	jnz	1b
	EXIT

	BUFFER	PAGE
	.bss
elsewhere:
	.skip	4*PAGE

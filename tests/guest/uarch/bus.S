/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a miss takes clocks of the bus, and without a bus none
 *
 * Each round has eight writes, in four pairs, to a line that is never read, and a pair that ends
 * the round. Each write takes 3 clocks of the bus, which are 4.5 of the processor, so 5. The
 * buffers are full when a round begins, and the bus never rests. So the round takes the clocks
 * of its writes on the bus, and waits for buffers in all clocks except those of its five pairs.
 * Without the model of the bus a pair takes one clock.
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
	/* Displace what others have left of the line. */
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

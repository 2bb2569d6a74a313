/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: each bus access of another processor is a snoop, which hits if the line is in the cache
 * processors: 2
 *
 * The first of four lines is modified here, the second and third are exclusive, and the fourth
 * is missing. The other processor has none of them, and reads each. These are four snoops and
 * three hits. One hit is of a modified line, which is written back. Then the other processor
 * writes each line. The fourth line is exclusive there and does not need the bus. So there are
 * three snoops, which hit. MAILBOX adds two hits and a read miss, and RET reads the stack.
 *
 * round:
 *   0x07 = 4 + 3 + 2 = 9
 *   0x08 = 3 + 3 + 2 = 8
 *   0x2c@0 = 1
 *   0x2c@1 = 8
 *   0x06 = 1
 *   0x03 = 1
 *   0x04 = 0
 */
#define OTHER
#include "bare.h"

/* This is the distance from a line to the next line of the same set. */
#define SAME_SET		4096

prepare:
	wbinvd
	movl	$other_prepare, %eax
	call	ask
	/*
	 * Take all lines from the other processor. They are shared here first, and then
	 * exclusive.
	 */
	READ_LINES 4
	WRITE_LINES 4
	movl	%eax, BUFFER
	.set	line, BUFFER + 3 * LINE + SAME_SET
	.rept	4
	movl	line, %eax
	.set	line, line + SAME_SET
	.endr
	ret

/* After this routine, its code is in the cache, but none of the lines is. */
other_prepare:
	wbinvd
	call	other
	ret

	.balign	LINE
other:	READ_LINES 4
	WRITE_LINES 4
	ret

	.balign	LINE
body:	movl	$other, %eax
	call	ask
	ret

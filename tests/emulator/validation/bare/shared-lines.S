/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: two processors share a line that both have read, until one of them writes to it on the bus
 * processors: 2
 *
 * Line 0 is modified here, lines 1 and 3 are shared, and line 2 is modified in the other
 * processor. Line 0 is written. Line 1 is written three times: first on the bus, which makes it
 * exclusive, and then twice in the cache. Line 2 is read. So the other processor writes it back,
 * and shares it. It is written twice, the first time on the bus. A locked instruction increments
 * line 3. Its read and write miss, and the line is gone then. So it is read once more, and
 * written in the cache. CALL writes to the stack, which is exclusive here, and RET reads it.
 *
 * round:
 *   0x00 = 1 + 1 + 1 + 1 = 4
 *   0x01 = 1 + 3 + 2 + 2 + 1 = 9
 *   0x03 = 1 + 1 + 1 = 3
 *   0x04 = 1
 *   0x05 = 1 + 2 + 1 + 1 + 1 = 6
 *   0x06 = 0
 *   0x07 = 0
 *   0x1c = 1
 */
#define OTHER
#include "bare.h"

prepare:
	wbinvd
	movl	$other_prepare, %eax
	call	ask
	movl	BUFFER, %eax
	movl	%eax, BUFFER
	movl	BUFFER + 3 * LINE, %eax
	movl	%eax, BUFFER + 3 * LINE
	movl	$other, %eax
	call	ask
	movl	BUFFER + LINE, %eax
	ret

other_prepare:
	wbinvd
	ret

other:	movl	BUFFER + LINE, %eax
	movl	BUFFER + 2 * LINE, %eax
	movl	%eax, BUFFER + 2 * LINE
	movl	BUFFER + 3 * LINE, %eax
	ret

	.balign	LINE
body:	movl	%eax, BUFFER
	movl	%eax, BUFFER + LINE
	movl	%eax, BUFFER + LINE
	movl	%eax, BUFFER + LINE
	movl	BUFFER + 2 * LINE, %eax
	movl	%eax, BUFFER + 2 * LINE
	movl	%eax, BUFFER + 2 * LINE
	lock incl BUFFER + 3 * LINE
	movl	BUFFER + 3 * LINE, %eax
	movl	%eax, BUFFER + 3 * LINE
	ret

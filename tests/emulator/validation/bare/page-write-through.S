/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a line of a page with PWT stays shared, so each write goes to the bus and modifies no line
 *
 * The line has been read. Two reads hit, and so do three writes. No write finds the line
 * exclusive or modified, but the write of the CALL finds the stack's line so. WBINVD writes only
 * this line back.
 *
 * round:
 *   0x03 = 0 + 1 = 1
 *   0x04 = 0
 *   0x05 = 1
 *   0x06 = 1
 *   0x1e = 0
 */
#include "bare.h"

prepare:
	movl	$PG_PWT, %eax
	call	paging
	wbinvd
	movl	BUFFER, %eax
	ret

	.balign	LINE
body:	movl	BUFFER, %eax
	movl	BUFFER + 4, %eax
	movl	%eax, BUFFER
	movl	%eax, BUFFER + 8
	movl	%eax, BUFFER
	wbinvd
	ret

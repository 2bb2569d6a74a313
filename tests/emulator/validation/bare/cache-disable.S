/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: with CR0.CD set, no line enters the cache, but lines that are in it still hit
 *
 * The body sets CR0 to ESI and in the end to EDI. It has been executed once without CD, so its
 * code is in the cache, and so are both lines of the buffer. Four lines of the same set have
 * displaced the second one since. With CD, two reads of the first line hit, and three reads of
 * the second one miss and do not bring it in.
 *
 * round:
 *   0x00 = 2 + 3 + 1 = 6
 *   0x03 = 3
 *   0x1e = 3
 *   0x04 = 0
 *   0x06 = 0
 *   0x0e = 0
 */
#include "bare.h"

/* This is the distance from a line to the next line of the same set. */
#define SAME_SET		4096

prepare:
	wbinvd
	movl	%cr0, %edi
	movl	%edi, %esi
	call	body
	.set	line, BUFFER + LINE + SAME_SET
	.rept	4
	movl	line, %eax
	.set	line, line + SAME_SET
	.endr
	orl	$CR0_CD, %esi
	ret

	.balign	LINE
body:	movl	%esi, %cr0
	movl	BUFFER, %eax
	movl	BUFFER + 8, %eax
	movl	BUFFER + LINE, %eax
	movl	BUFFER + LINE + 4, %eax
	movl	BUFFER + LINE, %eax
	movl	%edi, %cr0
	ret

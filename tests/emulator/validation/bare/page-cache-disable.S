/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a page with PCD never enters the cache, so each access to it misses
 *
 * Each round has three reads of one line and two writes to it. Then it has a read and a write
 * that are misaligned within a line, each of which takes two bus cycles. A read and a write
 * across two lines also take two bus cycles each, and are two misses each. The stack is in the
 * cache. The prepared read changes nothing.
 *
 * round:
 *   0x00 = 3 + 2 + 2 + 1 = 8
 *   0x01 = 2 + 2 + 2 + 1 = 7
 *   0x03 = 3 + 1 + 2 = 6
 *   0x04 = 2 + 1 + 2 = 5
 *   0x29 = 6 + 5 = 11
 *   0x1e = 3 + 2 + 2 = 7
 *   0x2e@1 = 2 + 2 + 2 = 6
 *   0x05 = 1
 *   0x06 = 0
 */
#include "bare.h"

prepare:
	movl	$PG_PCD, %eax
	call	paging
	wbinvd
	movl	BUFFER, %eax
	call	body
	ret

	.balign	LINE
body:	movl	BUFFER, %eax
	movl	BUFFER, %eax
	movl	BUFFER + 4, %eax
	movl	%eax, BUFFER
	movl	%eax, BUFFER + 8
	movl	BUFFER + 3, %eax
	movl	BUFFER + LINE - 2, %eax
	movl	%eax, BUFFER + 3
	movl	%eax, BUFFER + LINE - 2
	ret

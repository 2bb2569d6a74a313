/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a page with PCD is never brought into the cache: each access misses
 *
 * Three reads of one line and two writes. The stack is in the cache. The prepared read
 * changes nothing.
 *
 * round:
 *   0x00 = 3 + 1 = 4
 *   0x01 = 2 + 1 = 3
 *   0x03 = 3
 *   0x04 = 2
 *   0x29 = 3 + 2 = 5
 *   0x1e = 3
 *   0x2e@1 = 2
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
	ret

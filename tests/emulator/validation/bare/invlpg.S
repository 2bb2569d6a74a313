/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INVLPG removes one page of either size from the TLB, and a write of CR3 removes all pages
 *
 * A small page, a large one and another large one have been read. The first two are removed, and
 * all three are read: two misses. Then all are removed, the three are read again, and RET reads
 * the stack.
 *
 * round:
 *   0x02 = 2 + 3 + 1 = 6
 */
#include "bare.h"

prepare:
	xorl	%eax, %eax
	call	paging
	.macro	READ_PAGES
	movl	BUFFER, %eax
	movl	LARGE_PAGE + BUFFER, %eax
	movl	2 * LARGE_PAGE + BUFFER, %eax
	.endm
	READ_PAGES
	ret

body:	invlpg	BUFFER + 100
	invlpg	LARGE_PAGE
	READ_PAGES
	movl	%cr3, %eax
	movl	%eax, %cr3
	READ_PAGES
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: pages of 4 MB have a TLB of eight entries to themselves, four-way
 *
 * Eight large pages are read twice; four each belong to one set. Each misses once. The
 * pages of 4 KB with the stack stays where it is, in the other TLB.
 *
 * round:
 *   0x02 = 8
 *   0x00 = 2 * 8 + 1 = 17
 */
#include "bare.h"

prepare:
	xorl	%eax, %eax
	call	paging
	ret

body:	.rept	2
	.set	page, 1
	.rept	8
	movl	page * LARGE_PAGE + BUFFER, %eax
	.set	page, page + 1
	.endr
	.endr
	ret

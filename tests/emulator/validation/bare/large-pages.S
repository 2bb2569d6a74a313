/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: pages of 4 MB have their own TLB, which has eight entries in four ways
 *
 * Eight large pages are read twice. Four of them belong to each set. Each misses once. The page
 * of 4 KB with the stack stays in the other TLB.
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

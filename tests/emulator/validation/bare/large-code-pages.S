/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a 4 MB page takes one entry of the code TLB for each 4 KB of it that is executed
 *
 * Three routines in different 4 KB of one page of 4 MB are called twice, and so are their copies
 * in another page: six misses. The TLB has the page of 4 KB with this code.
 *
 * round:
 *   0x0d = 2 * 3 = 6
 */
#include "bare.h"

prepare:
	/* Put a RET into three pages of the first 4 MB. All large pages lead to these 4 MB. */
	movb	$0xc3, BUFFER
	movb	$0xc3, BUFFER + PAGE
	movb	$0xc3, BUFFER + 2 * PAGE
	xorl	%eax, %eax
	call	paging
	ret

body:	.rept	2
	.set	page, 1
	.rept	2
	call	page * LARGE_PAGE + BUFFER
	call	page * LARGE_PAGE + BUFFER + PAGE
	call	page * LARGE_PAGE + BUFFER + 2 * PAGE
	.set	page, page + 1
	.endr
	.endr
	ret

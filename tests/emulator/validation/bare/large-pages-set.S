/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: five 4 MB pages of one set exceed its four ways, and pseudo LRU chooses which is replaced
 *
 * A, B, C, D and E are the pages 1, 3, 5, 7 and 9, read twice in this order. All miss the first
 * time. E takes the way of A, because the pair of A and B was used before the pair of C and D,
 * and A before B. Then ways 0 to 3 have E, B, C, D:
 *
 *   A  misses, as 0 was used last: takes 2 from C, which was used before D
 *   B  hits
 *   C  misses, as 1 was used last: takes 3 from D, as 2 was used after it
 *   D  misses, as 3 was used last: takes 0 from E, as 1 was used after it
 *   E  misses
 *
 * With MMX there are 64 entries for pages of both sizes.
 *
 * round (p5):
 *   0x02 = 5 + 4 = 9
 * round (mmx):
 *   0x02 = 5
 */
#include "bare.h"

prepare:
	xorl	%eax, %eax
	call	paging
	ret

body:	.rept	2
	.set	page, 1
	.rept	5
	movl	page * LARGE_PAGE + BUFFER, %eax
	.set	page, page + 2
	.endr
	.endr
	ret

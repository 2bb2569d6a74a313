/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a page that is read twice, and again after others of its set, was used last
 *
 * A, B, C, D and E are 4 KB pages of one set. The order is A, A, B, C, D, A, E, B, C, D. Ways 0 to
 * 3 have A, B, C, D when A is read again. So E takes way 2 from C, because the pair of A and B was
 * used last, and D after C. Then ways 0 to 3 have A, B, E, D:
 *
 *   B  hits
 *   C  misses, as 1 was used last: takes 3 from D, as 2 was used after it
 *   D  misses
 *
 * If the third read of A was not seen, E would take way 0 from A, and the rest would hit. With MMX
 * there are 64 entries for pages of both sizes.
 *
 * round (p5):
 *   0x02 = 5 + 2 = 7
 * round (mmx):
 *   0x02 = 5
 */
#include "bare.h"

	.set	NEXT, 16 * PAGE

prepare:
	xorl	%eax, %eax
	call	paging
	ret

body:	.irp	page, 0, 0, 1, 2, 3, 0, 4, 1, 2, 3
	movl	BUFFER + \page * NEXT, %eax
	.endr
	ret

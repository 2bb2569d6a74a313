/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: each iteration of REP accesses the data cache, and its code is read once
 *
 * MOVS copies 64 words, which are the first 8 lines of a page, to the next page. The next page is
 * never read. All reads hit, and all writes miss. The processor reads the code of the loop once per
 * round, 16 bytes at a time as in code-straight.S.
 *
 * round:
 *   0x03 = 0
 *   0x04 = 64
 *   0x05 = 0
 *   0x0e = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 2
	EMPTY_CACHE
	BEGIN_ROUNDS
	movl	$buffer, %esi
	movl	$buffer + PAGE, %edi
	movl	$64, %ecx
	rep movsl
	END_ROUNDS

	BUFFER	2*PAGE

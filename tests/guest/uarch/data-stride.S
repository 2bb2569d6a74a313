/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a buffer that is read again and again stays in the data cache if it fits
 *
 * The program reads 448 lines, which are 14 KB. The cache of the P5 has 8 KB, so LRU displaces each
 * line before it is read again. With MMX, the cache has 16 KB, and half of its sets are full. When
 * a tick of the kernel loads a line into a full set, this costs four misses, because each of the
 * four lines is displaced once before the line of the kernel is.
 *
 * round (p5):
 *   0x03 = 448
 *   0x29 = 448
 *   0x04 = 0
 *   0x06 = 0
 * round (mmx):
 *   0x03 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 4
	BEGIN_ROUNDS
	WALK	buffer, 14336, LINE, movl (%esi), %eax
	END_ROUNDS

	BUFFER	14336

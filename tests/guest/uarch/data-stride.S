/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a buffer that is read again and again stays in the data cache if it fits
 *
 * The program reads the 448 lines of 14 KB. The P5's cache has 8 KB: by LRU each line is
 * displaced before its turn comes again. With MMX the cache has 16 KB, and half of its sets are
 * full. In a full set each line of the kernel's ticks costs four misses, because its way is free
 * again only when all lines have moved on.
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

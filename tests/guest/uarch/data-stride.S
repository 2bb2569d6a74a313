/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a buffer that is read again and again stays in the data cache if it fits
 *
 * The 512 lines of 16 KB. The P5's cache has 8 KB: by LRU each line is
 *  displaced before its turn comes again. With MMX it has 16 KB.
 *
 * round (p5):
 *   0x03 = 512
 *   0x29 = 512
 *   0x04 = 0
 *   0x06 = 0
 * round (mmx):
 *   0x03 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 4
	BEGIN_ROUNDS
	WALK	buffer, 16384, LINE, movl (%esi), %eax
	END_ROUNDS

	BUFFER	16384

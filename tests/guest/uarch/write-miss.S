/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a write that misses does not bring its line into the cache
 *
 * In each round, the program writes to 64 lines that it never reads.
 *
 * round:
 *   0x04 = 64
 *   0x29 = 64
 *   0x03 = 0
 *   0x05 = 0
 *   0x06 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 1
	EMPTY_CACHE
	BEGIN_ROUNDS
	WALK	buffer, 64*LINE, LINE, movl %eax, (%esi)
	END_ROUNDS

	BUFFER	PAGE

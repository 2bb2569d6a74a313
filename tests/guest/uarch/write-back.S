/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a modified line is written back when it is replaced
 *
 * The program reads and writes 1024 lines, which are 32 KB. This is more than the cache of any
 * processor holds. Each read misses and displaces a modified line, and each write hits.
 *
 * round:
 *   0x03 = 1024
 *   0x05 = 1024
 *   0x06 = 1024
 *   0x04 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 8
	BEGIN_ROUNDS
	WALK	buffer, 32768, LINE, incl (%esi)
	END_ROUNDS

	BUFFER	32768

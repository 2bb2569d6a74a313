/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a write to a line in the cache hits the line while it is exclusive or modified
 *
 * In each round, the program reads 64 lines once and writes to them twice. Lines that are read are
 * exclusive, because there is only one processor.
 *
 * round:
 *   0x05 = 2 * 64 = 128
 *   0x04 = 0
 *   0x03 = 0
 *   0x06 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 1
	BEGIN_ROUNDS
	WALK	buffer, 64*LINE, LINE, movl (%esi), %eax
	WALK	buffer, 64*LINE, LINE, movl %eax, (%esi)
	WALK	buffer, 64*LINE, LINE, movl %eax, (%esi)
	END_ROUNDS

	BUFFER	PAGE

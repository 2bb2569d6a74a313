/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a locked access goes to the bus, and removes the line from the cache
 *
 * The program reads the line. This misses, because the locked access of the last round has removed
 * the line. Then the program writes to the line, which hits, and a locked instruction reads and
 * writes it. Before the locked instruction, the processor writes the modified line back. The read
 * and the write of the locked instruction miss.
 *
 * round:
 *   0x03 = 1 + 1 = 2
 *   0x05 = 1
 *   0x06 = 1
 *   0x04 = 1
 *   0x1c = 1
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 1
	BEGIN_ROUNDS
	movl	buffer, %eax
	movl	%eax, buffer
	lock incl buffer
	END_ROUNDS

	BUFFER	PAGE

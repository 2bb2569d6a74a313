/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a locked access goes to the bus, and removes the line from the cache
 *
 * The line is read, which misses because it was removed. It is written, which hits. A locked
 * instruction then reads and writes it. Before this, the modified line is written back. The read
 * of the locked instruction misses, and so does its write.
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

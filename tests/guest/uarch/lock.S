/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a locked access goes to the bus, and takes the line out of the cache
 *
 * The line is read, which misses as it was taken out; written, which hits;
 *  and read and written by a locked instruction, before which the modified line
 *  is written back. Its read misses, and so does its write.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the data TLB holds 64 pages
 *
 * The program reads a word in each of 64 pages. On the P5, four of them belong to each of the 16
 * sets.
 *
 * round:
 *   0x02 = 0
 *   0x03 = 64
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 64
	BEGIN_ROUNDS
	WALK	buffer, 64*PAGE, PAGE, movl (%esi), %eax
	END_ROUNDS

	BUFFER	64*PAGE

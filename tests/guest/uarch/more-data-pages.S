/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the data TLB replaces pages before they are used again if it cannot hold all of them
 *
 * The program reads a word in each of 80 pages. With MMX, the TLB has 64 entries and replaces them
 * by LRU. On the P5, five pages belong to each of the 16 sets, which have four ways. The program
 * reads these pages in the order A B C D E again and again. Then pseudo LRU replaces the ways in
 * the order 0 2 1 3. This displaces the page that is read next, as LRU does. The processor's reads
 * of the page tables do not count as data reads. The words share a set of the data cache, so each
 * of their reads misses.
 *
 * round:
 *   0x02 = 80
 *   0x03 = 80
 *   0x00 = 80
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 80
	BEGIN_ROUNDS
	WALK	buffer, 80*PAGE, PAGE, movl (%esi), %eax
	END_ROUNDS

	BUFFER	80*PAGE

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: more pages than the data TLB holds are displaced before their turn comes again
 *
 * The program reads a word in each of 80 pages. With MMX these are more than the 64 entries,
 * which LRU replaces. On the P5 each of the 16 sets has five pages for four ways: A B C D E
 * again and again. Pseudo LRU then takes the ways in the order 0 2 1 3. This displaces the page
 * that comes next, as LRU would. Reads of the page tables are not data reads. The words
 * themselves share a set of the data cache.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the data cache keeps as many lines of one set as it has ways
 *
 * Both caches have 128 sets of lines of 32 bytes, so lines that are 4 KB apart share a set. The
 * program reads three such lines: one more than the P5's two ways, and one less than the four
 * ways with MMX.
 *
 * round (p5):
 *   0x03 = 3
 * round (mmx):
 *   0x03 = 0
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 3
	BEGIN_ROUNDS
	movl	buffer, %eax
	movl	buffer + PAGE, %eax
	movl	buffer + 2 * PAGE, %eax
	END_ROUNDS

	BUFFER	3*PAGE

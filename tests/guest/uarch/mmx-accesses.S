/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: accesses of MMX instructions are counted separately
 * cpu: mmx
 *
 * Each round has three reads of one line by MMX instructions and one read of this line by another
 * instruction. All of them hit. It has two writes by MMX instructions to two lines that are never
 * read, so both miss. One of the writes is misaligned within its line. The three lines are 4 KB
 * apart.
 *
 * round:
 *   0x31@0 = 3
 *   0x31@1 = 0
 *   0x34@0 = 2
 *   0x34@1 = 2
 *   0x36@0 = 1
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 3
	EMPTY_CACHE
	BEGIN_ROUNDS
	movq	buffer, %mm0
	paddd	buffer + 8, %mm0
	movd	buffer + 16, %mm1
	movl	buffer, %eax
	movq	%mm0, buffer + PAGE
	movq	%mm0, buffer + 2 * PAGE + 4
	END_ROUNDS

	BUFFER	3*PAGE

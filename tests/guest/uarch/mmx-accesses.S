/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: accesses of MMX instructions are counted separately
 * cpu: mmx
 *
 * Each round has two reads of three lines that are 4 KB apart, and all hit. It has two writes to
 * lines that are not read; one of them is misaligned within its line. It also has a read that is
 * not of MMX.
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

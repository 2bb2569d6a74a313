/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: what instructions of MMX read and write is counted apart
 * cpu: mmx
 *
 * Two reads of three lines 4 KB apart, all hits; two writes to lines of which
 *  nothing is read, one of them misaligned within its line; and a read that is
 *  not of MMX.
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
	BEGIN_ROUNDS
	movq	buffer, %mm0
	paddd	buffer + 8, %mm0
	movd	buffer + 16, %mm1
	movl	buffer, %eax
	movq	%mm0, buffer + PAGE
	movq	%mm0, buffer + 2 * PAGE + 4
	END_ROUNDS

	BUFFER	3*PAGE

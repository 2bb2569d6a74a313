/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an MMX access that crosses a page counts as one access
 * cpu: mmx
 *
 * All accesses hit the cache. CALL, RET, two moves, an XOR that is in the V pipe, and WRMSR take
 * 1 + 2 + 2 + 30 clocks. Each of the three instructions takes 1. The store waits 1 more for the
 * operand that has just been read, and both accesses are misaligned.
 *
 * round:
 *   0x31@0 = 1
 *   0x31@1 = 0
 *   0x34@0 = 1
 *   0x34@1 = 0
 *   0x36@0 = 2
 *   0x38@1 = 1
 *   0x30@0 = 35 + 3 + 1 + 2 * 3 = 45
 */
#include "bare.h"

	.set	END, BUFFER + PAGE

prepare:
	call	body
	call	body
	ret

	.balign	LINE
body:	movq	END - 4, %mm0
	movq	%mm0, END - 4
	emms
	ret

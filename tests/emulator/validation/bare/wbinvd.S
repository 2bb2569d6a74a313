/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: WBINVD writes all modified lines back and empties the caches
 *
 * Four lines of the buffer have been read and written, so they are modified, and the
 * CALL modifies that of the stack. After WBINVD the four are read again, and RET reads
 * the stack.
 *
 * round:
 *   0x06 = 4 + 1 = 5
 *   0x03 = 4 + 1 = 5
 *   0x00 = 4 + 1 = 5
 *   0x04 = 0
 *   0x05 = 1
 */
#include "bare.h"

prepare:
	wbinvd
	READ_LINES 4
	WRITE_LINES 4
	ret

	.balign	LINE
body:	wbinvd
	READ_LINES 4
	ret

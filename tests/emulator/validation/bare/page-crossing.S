/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access that crosses a page counts as one access, like an access that crosses a line
 *
 * DR0 and DR1 cover the bytes on either side of the four that MOVL reads. DR2 covers a byte
 * before all accesses at END. None of these match. DR3 covers the first byte of FLDL. This byte
 * is also in the eight bytes that FLDT reads first, and in both accesses of CMPXCHG8B.
 *
 * All lines are in the cache and have been written. CALL, RET, two moves, an XOR that is in the
 * V pipe, and WRMSR take 1 + 2 + 2 + 30 clocks. MOVL and FLDL take 1, FLDT 3, each FSTP 1 and
 * CMPXCHG8B 10. Each of the five misaligned accesses takes 3 more.
 *
 * round:
 *   0x23 = 0
 *   0x24 = 0
 *   0x25 = 0
 *   0x26 = 1 + 1 + 2 = 4
 *   0x00 = 1 + 2 * 2 + (2 + 1) + 2 = 10
 *   0x01 = 1 + 2 = 3
 *   0x05 = 1 + 2 = 3
 *   0x0b = 1 + 1 + 1 + 2 = 5
 *   0x30@0 = 35 + 1 + 1 + 3 + 2 + 10 + 5 * 3 = 67
 */
#include "bare.h"

	.set	END, BUFFER + PAGE
	.set	OTHER_END, BUFFER + 2 * PAGE

/* Each breakpoint matches reads and writes of a byte. */
#define DR7_ACCESS_1		0x33330000

prepare:
	movl	$OTHER_END - 4, %eax
	movl	%eax, %dr0
	movl	$OTHER_END + 3, %eax
	movl	%eax, %dr1
	movl	$END - 8, %eax
	movl	%eax, %dr2
	movl	$END - 4, %eax
	movl	%eax, %dr3
	movl	$DR7_ACCESS_1, %eax
	movl	%eax, %dr7
	fninit
	call	body
	call	body
	ret

	.balign	LINE
body:	movl	OTHER_END - 1, %eax
	fldl	END - 4
	fstp	%st(0)
	fldt	END - 6
	fstp	%st(0)
	cmpxchg8b END - 4
	ret

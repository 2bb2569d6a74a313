/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the code TLB holds 32 pages
 *
 * Each of 32 pages has a jump to the next page, and the last one has a jump to the first.
 *
 * round:
 *   0x0d = 0
 *   0x0c = 32
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
1:
	.rept	31
	jmp	2f
	.balign	PAGE
2:
	.endr
	decl	%ebp
	jnz	1b
	EXIT

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the code TLB replaces pages before they are used again if it cannot hold all of them
 *
 * Each of 40 pages has a jump. On the P5, five pages belong to each of the eight sets, which have
 * four ways. With MMX, the TLB has 32 entries. more-data-pages.S says how the entries are
 * displaced.
 *
 * round:
 *   0x0d = 40
 *   0x0c = 40
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
1:
	.rept	39
	jmp	2f
	.balign	PAGE
2:
	.endr
	decl	%ebp
	jnz	1b
	EXIT

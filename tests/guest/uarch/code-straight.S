/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: code is read 16 bytes at a time
 *
 * The loop has 1024 bytes, of which 1017 are NOP.
 *
 * round:
 *   0x0c = 64
 *   0x0e = 0
 *   0x0d = 0
 */
#include "uarch.h"

_start:
	movl	$ROUNDS, %ebp
	jmp	1f
	.balign	PAGE
1:	.fill	1024 - 7, 1, 0x90
	decl	%ebp
	jnz	1b
	EXIT

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: each misaligned iteration of REP counts as one misaligned access and as two accesses
 *
 * The program executes these instructions, with movs before them:
 *
 *	rep movsl, source 1 off, destination aligned	10 iterations: 10 reads misaligned
 *	rep movsl, both 3 off				10 iterations: all accesses misaligned
 *	rep stosw, destination 1 off			16 iterations: 8 writes misaligned
 *	rep movsb, both odd				10 iterations: bytes are never misaligned
 *	repe cmpsl, source 2 off, all equal		8 iterations: 8 of the 16 reads misaligned
 *
 * The elements of stosw lie at the offsets 1, 3, 5 and so on, so every second one crosses a 4-byte
 * boundary. In all, 10 + 10 + 8 reads and 10 + 8 writes are misaligned.
 *
 * expect:
 *   0x16 = 4 + 4 + 3 + 4 + 4 + 3 = 22
 *   0x12 = 1
 *   0x00 = 2*10 + 2*10 + 10 + (2*8 + 8) + 5 = 79
 *   0x01 = 10 + 2*10 + (16 + 8) + 10 + 5 = 69
 *   0x0b = 10 + 20 + 8 + 8 = 46
 *   0x0f = 2
 *   clocks = 22 - 5 + 10 + 10 + 16 + 10 + 8 = 71
 *
 * expect-no-errata:
 *   0x00 = 10 + 10 + 10 + 2*8 + 5 = 51
 *   0x01 = 10 + 10 + 16 + 10 + 5 = 51
 */
#include "prog.h"

_start:
	movl	$from + 1, %esi
	movl	$to, %edi
	movl	$10, %ecx
	rep movsl
	movl	$from + 3, %esi
	movl	$to + 3, %edi
	movl	$10, %ecx
	rep movsl
	movl	$to + 1, %edi
	movl	$16, %ecx
	rep stosw
	movl	$from + 1, %esi
	movl	$to + 3, %edi
	movl	$10, %ecx
	rep movsb
	movl	$from + 2, %esi
	movl	$from, %edi
	movl	$8, %ecx
	repe cmpsl
	EXIT

	.data
	.balign	16
from:	.fill	64, 1, 'a'
to:	.fill	64, 1, 'b'

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a page fault in the middle of a REP instruction does not add to its counts
 *
 * All buffers are pages that nobody has touched before. The program executes these instructions:
 *
 *	2 movs; rep stosl over 8 pages, from the middle of the first	8192 iterations
 *	3 movs; rep movsb from fresh pages to fresh pages		12288 iterations
 *	2 movs; rep lodsl over fresh pages				4096 iterations
 *	xor; inc; 2 movs; repne scasb over fresh pages			10000 iterations
 *	3 movs; rep movsl, destination 2 bytes off			2048 iterations, misaligned
 *
 * The element of the last movsl that faults at the end of each page lies in two pages.
 *
 * expect:
 *   0x16 = 3 + 4 + 3 + 5 + 4 + 3 = 22
 *   0x12 = 1
 *   0x00 = 12288 + 4096 + 10000 + 2048 + 5 = 28437
 *   0x01 = 8192 + 12288 + 2*2048 + 5 = 24581
 *   0x0b = 2048
 *   0x0f = 2
 *   clocks = 22 - 5 + 8192 + 12288 + 4096 + 10000 + 2048 = 36641
 *
 * expect-no-errata:
 *   0x01 = 8192 + 12288 + 2048 + 5 = 22533
 */
#include "prog.h"

_start:
	movl	$stos + PAGE / 2, %edi
	movl	$8192, %ecx
	rep stosl

	movl	$src, %esi
	movl	$dst + 100, %edi
	movl	$12288, %ecx
	rep movsb

	movl	$lods, %esi
	movl	$4096, %ecx
	rep lodsl

	xorl	%eax, %eax
	incl	%eax
	movl	$10000, %ecx
	movl	$scas, %edi
	repne scasb

	movl	$lods, %esi
	movl	$mis + 2, %edi
	movl	$2048, %ecx
	rep movsl
	EXIT

	.bss
	.balign	4096
stos:	.space	9 * PAGE
src:	.space	3 * PAGE
dst:	.space	4 * PAGE
lods:	.space	4 * PAGE
scas:	.space	3 * PAGE
mis:	.space	3 * PAGE

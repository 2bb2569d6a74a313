/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: loading a segment register counts 1 and reads its descriptor, except for the null selector
 *
 * A selector from memory or from the stack takes 1 read, a far pointer 2 (offset and selector), a
 * descriptor 1. The kernel sets the Accessed bit of every user descriptor in advance, so the
 * processor does not write descriptors. The program executes these 24 instructions:
 *
 *	mov %ds,%ecx; mov %ecx,sel; 5 movs that store the selectors of the far pointers
 *						no load, 6 writes
 *	mov reg,%es; mov reg,%fs		1 load, 1 read each
 *	mov mem,%es				1 load, 2 reads
 *	push %ds; pop %ds			1 load, 2 reads, 1 write
 *	push %es; pop %es			1 load, 2 reads, 1 write
 *	push %fs; pop %fs			1 load, 2 reads, 1 write
 *	lds, les, lfs, lgs, lss			1 load, 3 reads each
 *	xor; mov null,%gs; mov null,%fs		1 load for each mov, no read
 *
 * expect:
 *   0x16 = 24 + 3 = 27
 *   0x12 = 1
 *   0x00 = 2 + 2 + 3*2 + 5*3 + 5 = 30
 *   0x01 = 6 + 3 + 5 = 14
 *   0x0f = 2 + 1 + 3 + 5 + 2 + 2 = 15
 */
#include "prog.h"

_start:
	movl	%ds, %ecx
	movl	%ecx, sel
	.irp	n, 0, 1, 2, 3, 4
	movw	%cx, far + 8 * \n + 4
	.endr
	movl	%ecx, %es
	movl	%ecx, %fs
	movw	sel, %es
	pushl	%ds
	popl	%ds
	pushl	%es
	popl	%es
	pushl	%fs
	popl	%fs
	lds	far, %eax
	les	far + 8, %eax
	lfs	far + 16, %eax
	lgs	far + 24, %eax
	lss	far + 32, %esp
	xorl	%ecx, %ecx
	movl	%ecx, %gs
	movl	%ecx, %fs
	EXIT

	.data
	.balign	8
far:	.long	0, 0, 0, 0, 0, 0, 0, 0, stack, 0
sel:	.long	0
	.bss
	.space	64
	.balign	16
stack:	.space	16

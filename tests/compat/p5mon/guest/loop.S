/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program has a region in a loop with two exits. The region is left before the jump that
 * depends on the flags. Region 0 is entered and left 10 times, with 4 instructions each, 1 of
 * them a branch. Region 1 is empty. If the flags have been lost, the program ends with status
 * 3.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	xorl	%ecx, %ecx
	movl	$9, %eax
1:	begin	0
	incl	%ecx
	addl	$0, %edx
	jo	2f
	decl	%eax
	end	0
	jns	1b
	cmpl	$10, %ecx
	je	3f
2:	movl	$3, %eax
	ret
3:	begin	1
	end	1
	xorl	%eax, %eax
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program has one region after another: before a loop with two exits, around the loop, and
 * after it. They have 4 instructions and 0 branches, 10 * 5 and 20, 3 and 1. Region 3 is empty.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	begin	0
	pushl	%ebp
	movl	%esp, %ebp
	xorl	%ecx, %ecx
	movl	$9, %eax
	end	0
	begin	1
1:	incl	%edx
	addl	$2, %ecx
	jo	2f
	decl	%eax
	jns	1b
	end	1
	begin	2
	jmp	3f
2:	end	1
	begin	2
3:	xorl	%eax, %eax
	leave
	end	2
	begin	3
	end	3
	ret

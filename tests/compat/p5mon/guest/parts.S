/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regions one after the other: before a loop, around it, and behind it. The instructions
 * and branches are 3 and 0, 10 * 3 and 10, 2 and 0. Region 3 is empty.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	begin	0
	pushl	%ebp
	movl	%esp, %ebp
	movl	$9, %eax
	end	0
	begin	1
1:	incl	%ecx
	decl	%eax
	jns	1b
	end	1
	begin	2
	xorl	%eax, %eax
	leave
	end	2
	begin	3
	end	3
	ret

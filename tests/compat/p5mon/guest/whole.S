/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program has one region around a loop that is executed 100 times. Region 0 has 3 + 100 *
 * 3 + 2 = 305 instructions, 100 of them branches. Region 1 is empty.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	begin	0
	pushl	%ebp
	movl	%esp, %ebp
	movl	$99, %eax
1:	incl	%edx
	decl	%eax
	jns	1b
	xorl	%eax, %eax
	leave
	end	0
	begin	1
	end	1
	ret

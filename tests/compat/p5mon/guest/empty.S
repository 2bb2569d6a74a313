/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The regions of this program are empty, so that they count the overhead only. Region 0 is
 * entered once, region 1 a hundred times, and the last region once.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	begin	0
	end	0
	movl	$100, %ebx
1:	begin	1
	end	1
	decl	%ebx
	jnz	1b
	begin	99
	end	99
	xorl	%eax, %eax
	ret

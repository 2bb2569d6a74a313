/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Regions without anything in them: what is counted is the overhead. Region 0 is entered
 * once, region 1 a hundred times, the last one once.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A region in a loop with two exits, which is left before the jump that depends on the
 * flags. Region 0 is entered and left 10 times, with 4 instructions each, of which 1 is
 * a branch. Region 1 is empty. Ends with status 3 if the flags have been lost.
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

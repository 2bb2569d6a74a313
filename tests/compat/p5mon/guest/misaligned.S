/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program makes three misaligned reads and writes, each of which counts as two accesses,
 * and one more access of each kind for the frame. Region 0 has 4 + 3 * 4 + 1 = 17 instructions,
 * 3 branches, 7 reads, 7 writes, and 6 misaligned accesses. Region 1 is empty.
 */
#include "region.inc"

main:
	call	p5mon_asm_init
	begin	0
	pushl	%ebp
	movl	%esp, %ebp
	subl	$1024, %esp
	xorl	%edx, %edx
1:	incl	-511(%ebp,%edx,4)
	incl	%edx
	cmpl	$2, %edx
	jle	1b
	leave
	end	0
	begin	1
	end	1
	xorl	%eax, %eax
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program has a region within another region. Region 0 is around the program, and region 1
 * is around its second call of a function of the C library.
 */
#include "region.inc"

	.section .rodata
first:	.string	"Hello"
second:	.string	"World"

	.text
main:
	call	p5mon_asm_init
	begin	0
	pushl	$first
	call	puts
	movl	$999999, %eax
1:	addl	$2, %ebx
	decl	%eax
	jns	1b
	movl	$second, (%esp)
	begin	1
	call	puts
	end	1
	addl	$4, %esp
	xorl	%eax, %eax
	end	0
	ret

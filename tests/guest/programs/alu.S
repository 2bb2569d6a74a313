/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an operand in memory is read, or read and written, as the instruction needs
 *
 * The program executes one xor before the division, and these instructions:
 *
 *	add, sub, adc, and, or mem,reg; cmp mem,reg; cmp const,mem;
 *	test reg,mem; test const,mem; imul mem,reg; movzx, movsx mem,reg;
 *	mul, div, imul mem; mov mem,reg (al, eax)	17: 1 read each
 *	add reg,mem; sub const,mem; adc, xor reg,mem; inc, dec, neg, not mem
 *						8: 1 read, 1 write each
 *	mov reg,mem; mov const,mem; mov eax,mem (short form)
 *						3: 1 write each
 *	lea, cwde, cdq				3: no access (lea reads no memory)
 *
 * expect:
 *   0x16 = 17 + 8 + 3 + 3 + 1 + 3 = 35
 *   0x12 = 1
 *   0x00 = 17 + 8 + 5 = 30
 *   0x01 = 8 + 3 + 5 = 16
 *   0x0f = 2
 */
#include "prog.h"

_start:
	addl	var, %eax
	subl	var, %eax
	adcl	var, %eax
	andl	var, %eax
	orl	var, %eax
	cmpl	var, %eax
	cmpl	$7, var
	testl	%eax, var
	testl	$7, var
	imull	var, %ecx
	movzbl	var, %eax
	movswl	var, %eax
	mull	var
	xorl	%edx, %edx
	divl	var
	imull	var
	movb	var, %al
	movl	var, %eax

	addl	%eax, other
	subl	$9, other
	adcl	%eax, other
	xorl	%eax, other
	incl	other
	decl	other
	negl	other
	notl	other

	movl	%ecx, other
	movl	$11, other
	movl	%eax, other

	leal	var, %eax
	cwde
	cdq
	EXIT

	.data
	.balign	16
var:	.long	0x1234
other:	.long	0

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a program that changes its code counts the instructions that it executes
 *
 * The program makes its page writable (MPROTECT 5) and loads 4 registers. Then it runs 30 rounds of
 * 9 instructions:
 *
 *	mov
 *	store into the constant of the next mov			1 write
 *	mov of this constant; add of it to a sum
 *	store that makes the next instruction nop or inc esi	1 write
 *	this instruction: nop and inc esi by turns
 *	xor; dec; jnz
 *
 * At the end, cmp and jne check the sum of the constants 30 to 1, and another cmp and jne check the
 * number of incs, 15.
 *
 * expect:
 *   0x16 = 5 + 4 + 30*9 + 4 + 3 = 286
 *   0x12 = 1 + 30 + 2 + 1 = 34
 *   0x00 = 5 + 5 = 10
 *   0x01 = 5 + 30*2 + 5 = 70
 *   0x0f = 2 + 2 = 4
 */
#include "prog.h"

#define INC_ESI		0x46
#define NOP		0x90

	.balign	4096
_start:
	MPROTECT _start, PROT_ALL
	movl	$30, %edi
	movb	$NOP, %dl
	xorl	%ecx, %ecx
	xorl	%esi, %esi
1:	movl	%edi, %eax
	movb	%al, 2f + 1
2:	movl	$0, %eax
	addl	%eax, %ecx
	movb	%dl, 3f
3:	nop
	xorb	$INC_ESI ^ NOP, %dl
	decl	%edi
	jnz	1b
	cmpl	$30 * 31 / 2, %ecx
	jne	fail
	cmpl	$15, %esi
	jne	fail
	EXIT
fail:	hlt

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a far transfer at the same privilege level is one branch and one segment register load
 *
 * Each far transfer reads the descriptor of the code segment once. The program runs 10 rounds of 11
 * instructions. 7 of them are far transfers: 2 ljmp, 2 lcall, 3 lret.
 *
 *	ljmp sel:off			1 read (descriptor)
 *	ljmp *mem			3 reads (offset, selector, descriptor)
 *	lcall sel:off			1 read, 2 writes
 *	  lret				3 reads (2 pops, descriptor)
 *	lcall *mem			3 reads, 2 writes
 *	  lret $0			3 reads
 *	push cs; push off; lret		3 reads, 2 writes
 *	dec; jnz
 *
 * expect:
 *   0x16 = 1 + 10*11 + 3 = 114
 *   0x12 = 10*(7 + 1) + 1 = 81
 *   0x00 = 10*(1 + 3 + 1 + 3 + 3 + 3 + 3) + 5 = 175
 *   0x01 = 10*(2 + 2 + 2) + 5 = 65
 *   0x0f = 10*7 + 2 = 72
 */
#include "prog.h"

#define USER_CS	0x73

_start:
	movl	$10, %edi
1:	ljmp	$USER_CS, $2f
2:	ljmp	*to_jump
3:	lcall	$USER_CS, $callee
	lcall	*to_call
	pushl	%cs
	pushl	$4f
	lret
4:	decl	%edi
	jnz	1b
	EXIT

callee:	lret
callee_imm:
	lret	$0

	.data
	.balign	8
to_jump:
	.long	3b
	.word	USER_CS
	.balign	8
to_call:
	.long	callee_imm
	.word	USER_CS

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an indirect jump or call through memory reads its target
 *
 * The program runs 20 rounds of 11 instructions:
 *
 *	mov; call *reg; ret			2 branches, 1 write, 1 read
 *	call *mem; ret				2 branches, 1 write, 2 reads
 *	mov; jmp *table				1 branch, 1 read
 *	mov; jmp *reg				1 branch
 *	dec; jnz				1 branch
 *
 * expect:
 *   0x16 = 1 + 20*11 + 3 = 224
 *   0x12 = 20*7 + 1 = 141
 *   0x00 = 20*4 + 5 = 85
 *   0x01 = 20*2 + 5 = 45
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$20, %edi
1:	movl	$f, %eax
	call	*%eax
	call	*target
	movl	$2, %ecx
	jmp	*table(,%ecx,4)
2:	movl	$3f, %eax
	jmp	*%eax
	hlt
3:	decl	%edi
	jnz	1b
	EXIT
f:	ret
fault:	hlt

	.data
	.balign	16
target:	.long	f
table:	.long	fault, fault, 2b, fault

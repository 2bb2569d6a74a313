/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: CALL is a branch and a write, and RET is a branch and a read
 *
 * The program runs 100 rounds of 3 nested calls, 3 returns, dec and jnz. Then it pushes 64 and
 * calls a recursive function that goes 64 levels deep. Each level executes mov (1 read), dec, jz
 * and ret $4. Each level but the last also executes push and call to enter the next level.
 *
 * expect:
 *   0x16 = 1 + 100*8 + 2 + 64*4 + 63*2 + 3 = 1188
 *   0x12 = 100*(3 + 3 + 1) + 1 + 64*2 + 63 + 1 = 893
 *   0x00 = 100*3 + 64*2 + 5 = 433
 *   0x01 = 100*3 + 2 + 63*2 + 5 = 433
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$100, %edi
1:	call	a
	decl	%edi
	jnz	1b
	pushl	$64
	call	down
	EXIT

a:	call	b
	ret
b:	call	c
	ret
c:	ret

down:	movl	4(%esp), %eax
	decl	%eax
	jz	1f
	pushl	%eax
	call	down
1:	ret	$4

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: CALL is a branch and a write, RET a branch and a read
 *
 * 100 rounds of a chain three calls deep: 3 calls, 3 returns, dec, jnz.
 * Then a recursion 64 deep: each level mov (reads), dec, jz and ret $4; 63 of
 * them push and call the next; the first push and call stand in _start.
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

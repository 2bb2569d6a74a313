/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: XCHG with memory locks without a prefix; XADD, CMPXCHG and CMPXCHG8B lock only with LOCK
 *
 * The program runs 10 rounds of 10 instructions. cmpxchg8b makes one read and one write of 8 bytes.
 *
 *	xchg mem of 4, 2 and 1 byte		3 reads, 3 writes, 3 locked
 *	xchg of registers			no access
 *	xadd, cmpxchg, cmpxchg8b		3 reads, 3 writes
 *	lock cmpxchg8b				1 read, 1 write, 1 locked
 *	dec; jnz
 *
 * expect:
 *   0x16 = 1 + 10*10 + 3 = 104
 *   0x12 = 10 + 1 = 11
 *   0x00 = 10*7 + 5 = 75
 *   0x01 = 10*7 + 5 = 75
 *   0x0f = 2
 *   0x1c = 10*4 = 40
 */
#include "prog.h"

_start:
	movl	$10, %edi
1:	xchgl	%eax, var
	xchgw	%ax, var
	xchgb	%al, var
	xchgl	%eax, %edx
	xaddl	%eax, var
	cmpxchgl %ecx, var
	cmpxchg8b var
	lock cmpxchg8b var
	decl	%edi
	jnz	1b
	EXIT

	.bss
	.balign	16
var:	.space	8

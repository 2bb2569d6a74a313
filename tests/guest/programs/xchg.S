/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: XCHG with memory locks by itself; XADD, CMPXCHG and CMPXCHG8B only with LOCK
 *
 * 10 rounds: xchg of 4, 2 and 1 byte (3 locked), xchg of registers (no
 * memory), xadd, cmpxchg, cmpxchg8b (an 8-byte access is one), lock
 * cmpxchg8b (1 locked), dec, jnz: 10 instructions, 7 reads, 7 writes.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction with a LOCK prefix is one locked cycle, one read and one write
 *
 * The program runs 100 rounds of 18 instructions: 14 locked instructions, a mov and an xor that
 * load the expected values of the two cmpxchg, dec, jnz. One cmpxchg fails and one succeeds. Both
 * write.
 *
 * expect:
 *   0x16 = 1 + 100*18 + 3 = 1804
 *   0x12 = 100 + 1 = 101
 *   0x00 = 100*14 + 5 = 1405
 *   0x01 = 100*14 + 5 = 1405
 *   0x0f = 2
 *   0x1c = 100*14 = 1400
 */
#include "prog.h"

_start:
	movl	$100, %edi
1:	lock incl var
	lock decw var
	lock incb var
	lock addl $3, var
	lock subl %edx, var
	lock xorb $1, var
	lock xaddl %ecx, var
	lock notl var
	lock negl var
	lock btsl $5, var
	lock btrl $5, var
	lock btcl $4, var
	movl	$-1, %eax
	lock cmpxchgl %edx, zero
	xorl	%eax, %eax
	lock cmpxchgl %eax, zero
	decl	%edi
	jnz	1b
	EXIT

	.bss
	.balign	16
var:	.space	4
zero:	.space	4

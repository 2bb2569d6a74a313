/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned stack makes every push, pop, call and return misaligned
 *
 * With the stack pointer k = 0 to 3 below an aligned address: mov, push, pop,
 * call, ret, pusha, popa, pushw, popw, push of memory, pop to memory: 11
 * instructions.
 * Writes of 4 bytes on the stack: push, call, pusha 8, push mem = 11; reads:
 * pop, ret, popa 7, pop mem = 10; all misaligned for k = 1, 2, 3. The memory
 * operand is aligned: 1 read, 1 write. pushw writes at the address -k - 2,
 * which crosses a 4-byte boundary for k = 3 only.
 *
 * expect:
 *   0x16 = 4*11 + 3 = 47
 *   0x12 = 4*2 + 1 = 9
 *   0x00 = 4*(10 + 1 + 1) + 3*10 + 1 + 5 = 84
 *   0x01 = 4*(11 + 1 + 1) + 3*11 + 1 + 5 = 91
 *   0x0b = 3*(11 + 10) + 2 = 65
 *   0x0f = 2
 *
 * expect-no-errata:
 *   0x00 = 4*(10 + 1 + 1) + 5 = 53
 *   0x01 = 4*(11 + 1 + 1) + 5 = 57
 */
#include "prog.h"

_start:
	.irp	k, 0, 1, 2, 3
	movl	$top - \k, %esp
	pushl	%eax
	popl	%eax
	call	f
	pushal
	popal
	pushw	%ax
	popw	%ax
	pushl	var
	popl	var
	.endr
	EXIT
f:	ret

	.bss
	.balign	16
	.space	256
top:	.space	16
var:	.space	4

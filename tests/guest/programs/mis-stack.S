/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a misaligned stack makes every push, pop, call and return misaligned
 *
 * The program sets the stack pointer to k = 0, 1, 2, 3 bytes below an aligned address. With each k,
 * it executes 11 instructions: mov, push, pop, call, ret, pusha, popa, pushw, popw, push of memory,
 * pop to memory.
 *
 * The writes of 4 bytes to the stack are push 1, call 1, pusha 8, push of memory 1 = 11. The reads
 * of 4 bytes are pop 1, ret 1, popa 7, pop to memory 1 = 10. All are misaligned when k is 1, 2 or
 * 3. The operand in memory is aligned (1 read, 1 write). pushw writes 2 bytes, and popw reads them:
 * they cross a 4-byte boundary only when k is 3.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: PUSHA makes 8 writes and POPA 7 reads; ENTER, LEAVE, PUSHF and POPF count their accesses
 *
 * The program executes these 23 instructions:
 *
 *	pushal; popal				8 writes, 7 reads
 *	pushaw; popaw				8 writes, 7 reads
 *	push reg; push const; push mem		3 writes, 1 read
 *	pop reg; pop reg; pop mem		3 reads, 1 write
 *	pushf; popf				1 write, 1 read
 *	enter $16,$0; leave			1 write, 1 read
 *	enter $8,$1; leave			2 writes, 1 read
 *	mov; enter $8,$3			4 writes, 2 reads
 *	leave					1 read
 *	push ds; pop eax			1 write, 1 read
 *	call; ret $0				1 write, 1 read
 *
 * The enter of level 3 pushes two values and copies two. pushaw takes 16 bytes of the stack, so all
 * accesses are aligned.
 *
 * expect:
 *   0x16 = 23 + 3 = 26
 *   0x12 = 2 + 1 = 3
 *   0x00 = 7 + 7 + 4 + 1 + 1 + 1 + 3 + 1 + 1 + 5 = 31
 *   0x01 = 8 + 8 + 4 + 1 + 1 + 2 + 4 + 1 + 1 + 5 = 35
 *   0x0f = 2
 */
#include "prog.h"

_start:
	pushal
	popal
	pushaw
	popaw
	pushl	%eax
	pushl	$1000
	pushl	var
	popl	%eax
	popl	%edx
	popl	var
	pushfl
	popfl
	enter	$16, $0
	leave
	enter	$8, $1
	leave
	movl	%esp, %ebp
	enter	$8, $3
	leave
	pushl	%ds
	popl	%eax
	call	f
	EXIT
f:	ret	$0

	.bss
	.balign	16
var:	.space	4

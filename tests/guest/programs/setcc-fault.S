/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a SETcc whose store faults changes no flag, and stores the correct bit when it is repeated
 *
 * The program executes SIGACTION 6. Then it tests each of the 16 conditions twice: first with the
 * flags set in the same block of instructions as setcc, then with the flags set in a block before
 * it, which ends with a jmp. A case has 24 instructions, or 25 with the jmp:
 *
 *	MPROTECT 5: forbids the page
 *	mov; add, which sets CF, PF, ZF and OF
 *	setcc, which faults
 *	PERMIT 9: permits the page		1 pop
 *	setcc, repeated				1 write
 *	pushf; pop; and; cmp; jne		1 write, 1 read
 *	cmp with the right byte; jne		1 read
 *
 * In each case, int $0x80 is executed 3 times.
 *
 * expect:
 *   0x16 = 6 + 16*(24 + 25) + 3 = 793
 *   0x12 = 1 + 16*(2*(3 + 2) + 1) + 1 = 178
 *   0x00 = 5 + 32*(3*5 + 1 + 1 + 1) + 5 = 586
 *   0x01 = 5 + 32*(3*5 + 1 + 1) + 5 = 554
 *   0x0f = 2 + 32*3*2 + 2 = 196
 */
#include "prog.h"

	.macro	SET condition, bit, jump:vararg
	MPROTECT page, PROT_NONE
	movl	$0x80000000, %eax
	addl	%eax, %eax
	\jump
0:	set\condition page
	pushfl
	popl	%eax
	andl	$ARITHMETIC_FLAGS, %eax
	cmpl	$(CF | PF | ZF | OF), %eax
	jne	fail
	cmpb	$\bit, page
	jne	fail
	.endm

	.macro	BOTH condition, bit
	SET	\condition, \bit
	SET	\condition, \bit, jmp 0f
	.endm

_start:
	SIGACTION SIGSEGV, action
	.irp	condition, o, b, e, be, p, ns, l, le
	BOTH	\condition, 1
	.endr
	.irp	condition, no, ae, ne, a, np, s, ge, g
	BOTH	\condition, 0
	.endr
	EXIT
fail:	FAIL

handler:
	PERMIT	page

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
	.bss
	.balign	PAGE
page:	.space	PAGE

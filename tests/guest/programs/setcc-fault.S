/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a SETcc whose store faults changes no flag, and stores the right bit when it is repeated
 *
 * SIGACTION 6. For each of the 16 conditions, with the flags set in the same
 * block of instructions and in one before (jmp): the page is taken away (mov,
 * mov, mov, SYSCALL 2); mov, add (CF, PF, ZF, OF); setcc faults, the handler
 * gives the page back (3 loads, SYSCALL 2, add, SIGRETURN 3 = 9 with 1 pop),
 * setcc stores (1 write); pushf, pop, and, cmp, jne; cmp with the byte that is
 * right (1 read), jne. 5 + 2 + 1 + 9 + 5 + 2 = 24, or 25 with the jmp.
 * 3 system calls each.
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

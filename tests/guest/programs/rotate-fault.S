/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an RCL or RCR whose load or store faults changes no flag until it is repeated
 *
 * SIGACTION 6. For RCL and RCR of bytes, words and 4 bytes, by 1 and by CL, the
 * page is taken away altogether (the load faults), or made read-only (the store
 * does): 24 times mov (1 write of the value); mov, mov, mov, SYSCALL 2; mov to
 * cl; mov, add (CF, PF, ZF, OF); the rotation faults, the handler gives the page
 * back (3 loads, SYSCALL 2, add, SIGRETURN 3 = 9 with 1 pop), and it is done (1
 * read, 1 write); pushf, pop, and, cmp, jne; cmp with the value that is right (1
 * read), jne. 1 + 5 + 1 + 2 + 1 + 9 + 5 + 2 = 26. 3 system calls each.
 *
 * The value is 0...01, or 80...0 for RCR, so that CF is rotated in and not out:
 * 0...011, or 110...0. CF and OF become 0, the other flags do not change.
 *
 * expect:
 *   0x16 = 6 + 24*26 + 3 = 633
 *   0x12 = 1 + 24*(3 + 2) + 1 = 122
 *   0x00 = 5 + 24*(3*5 + 1 + 1 + 1 + 1) + 5 = 466
 *   0x01 = 5 + 24*(1 + 3*5 + 1 + 1) + 5 = 442
 *   0x0f = 2 + 24*3*2 + 2 = 148
 */
#include "prog.h"

	.macro	ROTATE rotation, protection, value, result, count:vararg
	movl	$\value, page
	MPROTECT page, \protection
	movb	$1, %cl
	movl	$0x80000000, %eax
	addl	%eax, %eax
	\rotation \count page
	pushfl
	popl	%eax
	andl	$ARITHMETIC_FLAGS, %eax
	cmpl	$(PF | ZF), %eax
	jne	fail
	cmpl	$\result, page
	jne	fail
	.endm

	.macro	COUNTS rotation, value, result
	.irp	protection, PROT_NONE, PROT_READ
	ROTATE	\rotation, \protection, \value, \result
	ROTATE	\rotation, \protection, \value, \result, %cl,
	.endr
	.endm

_start:
	SIGACTION SIGSEGV, action
	COUNTS	rclb, 0x01, 0x03
	COUNTS	rclw, 0x01, 0x03
	COUNTS	rcll, 0x01, 0x03
	COUNTS	rcrb, 0x80, 0xc0
	COUNTS	rcrw, 0x8000, 0xc000
	COUNTS	rcrl, 0x80000000, 0xc0000000
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

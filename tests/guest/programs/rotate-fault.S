/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an RCL or RCR whose load or store faults does not change a flag until it is repeated
 *
 * The program executes SIGACTION 6. Then it tests 24 cases: RCL and RCR, each of 1, 2 and 4 bytes,
 * by 1 and by CL, once with a load that faults (the page is forbidden) and once with a store that
 * faults (the page is read-only). Each case has 26 instructions:
 *
 *	mov of the value			1 write
 *	MPROTECT 5
 *	mov to cl; mov; add, which sets CF, PF, ZF and OF
 *	the rotation, which faults
 *	PERMIT 9: permits the access again	1 pop
 *	the rotation, repeated			1 read, 1 write
 *	pushf; pop; and; cmp; jne		1 write, 1 read
 *	cmp with the right result; jne		1 read
 *
 * In each case, int $0x80 is executed 3 times. With RCL, the value is 0...01 and the result
 * 0...011; with RCR, the value is 10...0 and the result 110...0. So the rotation moves CF into the
 * value and moves a 0 out. CF and OF become 0, and the other flags do not change.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a split locked access that faults changes no flag until it is repeated
 *
 * The program executes SIGACTION 6, and then 25 instructions twice: once with adc as the locked
 * instruction and once with inc. Its operand lies in two pages.
 *
 *	MPROTECT 5: forbids writes to the second page
 *	std; mov; add, which sets CF, PF, ZF and OF
 *	the locked instruction, which faults
 *	PERMIT 9: permits writes again		1 pop
 *	the locked instruction, repeated	1 read, 1 write, 2 locked cycles, both misaligned
 *	pushf; pop; and; cmp; jne		1 write, 1 read
 *	cmp with the right result; jne		1 read, misaligned
 *
 * Each time, int $0x80 is executed 3 times. The operand was 0 at first, and adc adds CF to it. adc
 * clears CF, OF and ZF, whereas inc keeps CF. DF stays set.
 *
 * expect:
 *   0x16 = 6 + 2*25 + 3 = 59
 *   0x12 = 1 + 2*(3 + 2) + 1 = 12
 *   0x00 = 5 + 2*(3*5 + 1 + 2 + 1 + 2) + 5 = 52
 *   0x01 = 5 + 2*(3*5 + 2 + 1) + 5 = 46
 *   0x0b = 2*3 = 6
 *   0x0f = 2 + 2*3*2 + 2 = 16
 *   0x1c = 2*2 = 4
 *
 * expect-no-errata:
 *   0x00 = 5 + 2*(3*5 + 1 + 1 + 1 + 1) + 5 = 48
 *   0x01 = 5 + 2*(3*5 + 1 + 1) + 5 = 44
 */
#include "prog.h"

#define DF	0x400

	.macro	ADD value, flags, operation:vararg
	MPROTECT second, PROT_READ
	std
	movl	$0x80000000, %eax
	addl	%eax, %eax
	lock \operation second - 2
	pushfl
	popl	%eax
	andl	$(ARITHMETIC_FLAGS | DF), %eax
	cmpl	$\flags, %eax
	jne	fail
	cmpl	$\value, second - 2
	jne	fail
	.endm

_start:
	SIGACTION SIGSEGV, action
	ADD	1, DF, adcl $0,
	ADD	2, CF | DF, incl
	EXIT
fail:	FAIL

handler:
	PERMIT	second

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
	.bss
	.balign	PAGE
first:	.space	PAGE
second:	.space	PAGE

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a split locked access that faults changes no flag until it is repeated
 *
 * SIGACTION 6. Twice, for a locked adc and a locked inc across two pages: the
 * second page is made read-only (mov, mov, mov, SYSCALL 2); std, mov, add (CF,
 * PF, ZF, OF); the instruction faults, the handler gives the page back (3
 * loads, SYSCALL 2, add, SIGRETURN 3 = 9 with 1 pop), and it is done (1 read, 1
 * write, 2 locked cycles, both misaligned); pushf, pop, and, cmp, jne; cmp with
 * the value that is right (1 read, misaligned), jne. 5 + 3 + 1 + 9 + 5 + 2 = 25.
 * 3 system calls each.
 * The value was 0; adc adds CF. It clears CF, OF and ZF; inc keeps CF. DF stays.
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

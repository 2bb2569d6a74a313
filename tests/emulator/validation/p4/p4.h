/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the common part of programs that count on the Pentium 4 without a kernel, at
 * privilege level 0. They begin at "count_all", and end with DONE. The first comment of a program
 * has what it shows, in this order:
 *
 *	results:
 *	  NAME = EXPRESSION = NUMBER
 *
 * A name that ends in "@prescott" has the number for that processor instead. "cpu" is the only
 * processor on which a program runs. "properties" are more properties of the emulated processor.
 */
#define OWN_COUNTS
#include "../bare/bare.h"

#define MSR_MISC_ENABLE		0x1a0
#define MSR_COUNTER		0x300
#define MSR_CCCR		0x360
#define MSR_FSB_ESCR		0x3a2
#define MSR_FIRM_ESCR		0x3a4
#define MSR_CRU_ESCR		0x3b8
#define MSR_RAT_ESCR		0x3bc
#define MSR_TBPU_ESCR		0x3c2
#define MSR_CRU2_ESCR		0x3cc

#define ESCR_USER		(1 << 2)
#define ESCR_KERNEL		(1 << 3)
#define ESCR_TAG(value)		(1 << 4 | (value) << 5)
#define ESCR(event, mask)	((event) << 25 | (mask) << 9)

#define CCCR_SELECT(number)	((number) << 13)
#define CCCR_ENABLE		(1 << 12)
#define CCCR_ANY_THREADS	(3 << 16)
#define CCCR_COMPARE		(1 << 18)
#define CCCR_COMPLEMENT		(1 << 19)
#define CCCR_THRESHOLD(n)	((n) << 20)
#define CCCR_EDGE		(1 << 24)
#define CCCR_FORCE_OVERFLOW	(1 << 25)
#define CCCR_INTERRUPT		(1 << 26)
#define CCCR_CASCADE		(1 << 30)
#define CCCR_EXTENDED_CASCADE	(1 << 11)

/* Instructions in kernel mode, counted by counters 12 to 17 */
#define INSTRUCTIONS		(ESCR(2, 1) | ESCR_KERNEL)
#define OF_INSTRUCTIONS		(CCCR_SELECT(4) | CCCR_ANY_THREADS)

#define GENERAL_PROTECTION	13

	.macro	SET msr, low, high=0
	movl	$\msr, %ecx
	movl	$\low, %eax
	movl	$\high, %edx
	wrmsr
	.endm

	/* Show EAX. */
	.macro	SHOW
	call	print
	movb	$'\n', %al
	outb	%al, $OUTPUT_PORT
	.endm

	/* Show the lower half of a register. */
	.macro	SHOW_MSR msr
	movl	$\msr, %ecx
	rdmsr
	SHOW
	.endm

	.macro	DONE
	xorl	%eax, %eax
	outb	%al, $EXIT_PORT
	hlt
	.endm

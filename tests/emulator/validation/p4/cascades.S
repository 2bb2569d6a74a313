/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a counter that overflows starts the counters that are cascaded from it, and no others
 *
 * Both counters count the same event. The first one overflows with the third event and counts
 * on from 0, so the second one counts as many. Clocks are counted until the counter is read,
 * and the second one is read three instructions later. They are the WRMSR that enables the first
 * counter, the CALL, 17 instructions of "body", and a MOV.
 *
 * results:
 *   0 = 1 + 1 + 17 + 1 - 3 = 17
 *   0 into 2 = 17 + 3 = 20
 *   2 = 17
 *   2 into 0 = 20
 *   1 = 17
 *   1 into 3 = 20
 *   3 = 17
 *   3 into 1 = 20
 *   0 again = 17
 *   0 into 3 = 0
 *   4 = 5 - 3 = 2
 *   4 into 6 = 2
 *   6 = 2
 *   6 into 4 = 2
 *   5 = 2
 *   5 into 7 = 2
 *   7 = 2
 *   7 into 5 = 2
 *   8 = 5 - 3 = 2
 *   8 into 10 = 2
 *   10 = 2
 *   10 into 8 = 2
 *   9 = 2
 *   9 into 11 = 2
 *   11 = 2
 *   11 into 9 = 2
 *   12 = 1 + 5 + 1 - 3 = 4
 *   12 into 14 = 4
 *   14 = 4
 *   14 into 12 = 4
 *   13 = 4
 *   13 into 15 = 4
 *   15 = 4
 *   15 into 13 = 4
 *   14 again = 4
 *   14 into 16 = 4
 *   15 again = 4
 *   15 into 17 = 4
 *   12 again = 4
 *   12 into 16 = 0
 *   16 = 4
 *   16 into 14 = 0
 *   16 extended = 4
 *   16 extended into 12 = 4
 *   17 extended = 4
 *   17 extended into 15 = 4
 *   17 extended again = 4
 *   17 extended into 16 = 4
 *   16 extended again = 4
 *   16 extended into 17 = 4
 *   14 extended = 4
 *   14 extended into 12 = 0
 */
#include "p4.h"

	/* Let counter "to", whose CCCR has "flag", wait for an overflow of "from". */
	.macro	PAIR from, to, flag=CCCR_CASCADE
	.if	\from < 4
	.long	\from, \to, MSR_FSB_ESCR, ESCR(0x13, 1), CCCR_SELECT(6), \flag
	.elseif	\from < 8
	.long	\from, \to, MSR_TBPU_ESCR, ESCR(4, 2), CCCR_SELECT(2), \flag
	.elseif	\from < 12
	.long	\from, \to, MSR_FIRM_ESCR, ESCR(4, 0x8000), CCCR_SELECT(1), \flag
	.else
	.long	\from, \to, MSR_CRU2_ESCR, ESCR(6, 15), CCCR_SELECT(5), \flag
	.endif
	.endm

count_all:
	movl	$pairs, %ebp
next:	movl	8(%ebp), %ecx
	movl	12(%ebp), %eax
	orl	$ESCR_KERNEL, %eax
	xorl	%edx, %edx
	wrmsr
	incl	%ecx
	wrmsr
	movl	$MSR_COUNTER, %ecx
	addl	4(%ebp), %ecx
	xorl	%eax, %eax
	wrmsr
	movl	$MSR_CCCR, %ecx
	addl	4(%ebp), %ecx
	movl	16(%ebp), %eax
	orl	20(%ebp), %eax
	orl	$CCCR_ANY_THREADS, %eax
	wrmsr
	movl	$MSR_COUNTER, %ecx
	addl	(%ebp), %ecx
	movl	$-3, %eax
	movl	$0xff, %edx
	wrmsr
	movl	$MSR_CCCR, %ecx
	addl	(%ebp), %ecx
	movl	16(%ebp), %eax
	orl	$CCCR_ANY_THREADS | CCCR_ENABLE, %eax
	xorl	%edx, %edx
	wrmsr
	call	body
	movl	(%ebp), %ecx
	rdpmc
	movl	%eax, %esi
	movl	4(%ebp), %ecx
	rdpmc
	movl	%eax, %edi
	movl	$MSR_CCCR, %ecx
1:	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	incl	%ecx
	cmpl	$MSR_CCCR + 18, %ecx
	jne	1b
	movl	%esi, %eax
	SHOW
	movl	%edi, %eax
	SHOW
	addl	$24, %ebp
	cmpl	$pairs_end, %ebp
	jne	next
	DONE

body:	movl	$5, %ecx
1:	fabs
	decl	%ecx
	jnz	1b
	ret

	.balign	4
pairs:
	PAIR	0, 2
	PAIR	2, 0
	PAIR	1, 3
	PAIR	3, 1
	PAIR	0, 3
	PAIR	4, 6
	PAIR	6, 4
	PAIR	5, 7
	PAIR	7, 5
	PAIR	8, 10
	PAIR	10, 8
	PAIR	9, 11
	PAIR	11, 9
	PAIR	12, 14
	PAIR	14, 12
	PAIR	13, 15
	PAIR	15, 13
	PAIR	14, 16
	PAIR	15, 17
	PAIR	12, 16
	PAIR	16, 14
	PAIR	16, 12, CCCR_EXTENDED_CASCADE
	PAIR	17, 15, CCCR_EXTENDED_CASCADE
	PAIR	17, 16, CCCR_EXTENDED_CASCADE
	PAIR	16, 17, CCCR_EXTENDED_CASCADE
	PAIR	14, 12, CCCR_EXTENDED_CASCADE
pairs_end:

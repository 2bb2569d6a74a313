/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: CCCRs count events, or clocks with more or fewer events than a threshold, or edges
 *
 * Each event is counted in 15 instructions, each of which takes a clock: the WRMSR that enables
 * the counter, a CALL, 12 instructions of "body", and a MOV. Seven of them are branches: the
 * CALL, five of the loop, and the RET. Complement, threshold and edge need the bit for
 * comparisons. A clock in a mode that the ESCR excludes is one without events. Without another
 * thread in the core, one thread is active.
 *
 * results:
 *   instructions = 1 + 1 + 12 + 1 = 15
 *   clocks with instructions = 15
 *   clocks with two instructions = 0
 *   clocks without instructions = 0
 *   clocks with fewer than 16 instructions = 15
 *   edges of instructions = 0
 *   branches = 1 + 5 + 1 = 7
 *   clocks with branches = 7
 *   clocks with two branches = 0
 *   clocks without branches = 15 - 7 = 8
 *   clocks with fewer than 3 branches = 15
 *   edges of branches = 7
 *   branches with edge, but without comparison = 7
 *   branches with complement, but without comparison = 7
 *   with no thread = 0
 *   with one thread = 15
 *   with both threads = 0
 *   with a counter that is not enabled = 0
 *   in user mode = 0
 *   in no mode = 0
 *   clocks with fewer than 16 instructions in user mode = 15
 *   clocks with fewer than 16 events of an ESCR that is not set = 15
 *   of another ESCR = 0
 */
#include "p4.h"

#define BRANCHES	ESCR(6, 15) | ESCR_KERNEL
#define FLAGS(flags)	CCCR_ANY_THREADS | CCCR_ENABLE | (flags)
#define COMPARE(flags)	FLAGS(CCCR_COMPARE | (flags))

	.macro	COUNT flags, escr=INSTRUCTIONS, number=4
	.long	MSR_CRU_ESCR, \escr, CCCR_SELECT(\number) | (\flags)
	.endm

	.macro	COUNT_BRANCHES flags
	.long	MSR_CRU2_ESCR, BRANCHES, CCCR_SELECT(5) | (\flags)
	.endm

count_all:
	movl	$conditions, %ebp
1:	movl	(%ebp), %ecx
	movl	4(%ebp), %eax
	xorl	%edx, %edx
	wrmsr
	movl	$MSR_COUNTER + 12, %ecx
	xorl	%eax, %eax
	wrmsr
	movl	$MSR_CCCR + 12, %ecx
	movl	8(%ebp), %eax
	wrmsr
	call	body
	movl	$12, %ecx
	rdpmc
	movl	%eax, %ebx
	SET	MSR_CCCR + 12, 0
	movl	%ebx, %eax
	SHOW
	addl	$12, %ebp
	cmpl	$conditions_end, %ebp
	jne	1b
	DONE

body:	movl	$5, %ecx
1:	decl	%ecx
	jnz	1b
	ret

	.balign	4
conditions:
	COUNT FLAGS(0)
	COUNT COMPARE(0)
	COUNT COMPARE(CCCR_THRESHOLD(1))
	COUNT COMPARE(CCCR_COMPLEMENT)
	COUNT COMPARE(CCCR_COMPLEMENT | CCCR_THRESHOLD(15))
	COUNT COMPARE(CCCR_EDGE)
	COUNT_BRANCHES FLAGS(0)
	COUNT_BRANCHES COMPARE(0)
	COUNT_BRANCHES COMPARE(CCCR_THRESHOLD(1))
	COUNT_BRANCHES COMPARE(CCCR_COMPLEMENT)
	COUNT_BRANCHES COMPARE(CCCR_COMPLEMENT | CCCR_THRESHOLD(2))
	COUNT_BRANCHES COMPARE(CCCR_EDGE)
	COUNT_BRANCHES FLAGS(CCCR_EDGE)
	COUNT_BRANCHES FLAGS(CCCR_COMPLEMENT)
	COUNT CCCR_ENABLE
	COUNT CCCR_ENABLE | 1 << 16
	COUNT CCCR_ENABLE | 2 << 16
	COUNT CCCR_ANY_THREADS
	COUNT FLAGS(0), ESCR(2, 1) | ESCR_USER
	COUNT FLAGS(0), ESCR(2, 1)
	COUNT COMPARE(CCCR_COMPLEMENT | CCCR_THRESHOLD(15)), ESCR(2, 1) | ESCR_USER
	COUNT COMPARE(CCCR_COMPLEMENT | CCCR_THRESHOLD(15)), INSTRUCTIONS, 1
	COUNT FLAGS(0), INSTRUCTIONS, 2
conditions_end:

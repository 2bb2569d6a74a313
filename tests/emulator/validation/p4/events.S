/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: each event of the Pentium 4 that is emulated counts what its masks and tags say
 *
 * The routine "body" is counted, with the WRMSR that enables the counter, the CALL, and the MOV
 * after it, which loads. REP MOVSB loads and stores five times. The far JMP loads its
 * descriptor. A branch of each kind is counted once, whatever masks it has.
 *
 * results:
 *   instructions = 3 + 21 + 3 + 3 + 3 + 4 + 1 + 7 + 9 + 6 + 16 + 1 = 77
 *   instructions on counter 14 = 77
 *   instr_completed = 0
 *   instr_completed@prescott = 77
 *   clocks on counter 0 = 77
 *   clocks on counter 3 = 77
 *   uops = 77 + 4 + 19 + 13 = 113
 *   not taken = 1 + 1 = 2
 *   taken = 9 + 2 + 1 + 2 + 3 + 3 + 1 = 21
 *   mispredicted = 0
 *   branches = 21 + 2 = 23
 *   conditional = 10 + 3 + 1 = 14
 *   calls = 1 + 2 = 3
 *   returns = 2 + 1 = 3
 *   indirect = 3 + 1 + 1 = 5
 *   calls or indirect = 5 + 2 = 7
 *   returns or indirect = 5
 *   of all types = 14 + 3 + 3 + 1 = 21
 *   x87 = 4
 *   MMX = 3
 *   128-bit integers = 4
 *   packed single = 3
 *   packed double = 1
 *   scalar single = 2
 *   scalar double = 3
 *   loads = 1 + 2 + 1 + 5 + 2 + 2 + 2 + 3 + 1 = 19
 *   stores = 1 + 2 + 5 + 2 + 1 + 1 + 1 = 13
 *   loads and stores = 19 + 13 = 32
 *   loads tagged in user mode = 0
 *   tagged x87 = 4
 *   tagged MMX = 3
 *   x87 with another tag = 0
 *   x87 and MMX = 4 + 3 = 7
 *   replayed = 0
 *   never = 0
 */
#include "p4.h"

	.set	CR4_OSFXSR, 0x200

	/* Count an event, for which the tag ESCR and the next one get these values. */
	.macro	EVENT escr, event, mask, counter, number, tag_escr=MSR_RAT_ESCR, first=0, second=0
	.long	\escr, (\event) << 25 | (\mask) << 9 | ESCR_KERNEL
	.long	\counter, CCCR_SELECT(\number) | CCCR_ANY_THREADS | CCCR_ENABLE
	.long	\tag_escr, \first, \second
	.endm

	.macro	FRONT_END escr
	EVENT	MSR_CRU2_ESCR, 8, 1, 12, 5, MSR_RAT_ESCR, \escr
	.endm

	.macro	EXECUTION tags, second=0
	EVENT	MSR_CRU2_ESCR, 12, \tags, 13, 5, MSR_FIRM_ESCR, \
		ESCR(0x04, 0x8000) | ESCR_KERNEL | ESCR_TAG(1), \second
	.endm

count_all:
	movl	%cr4, %eax
	orl	$CR4_OSFXSR, %eax
	movl	%eax, %cr4
	movl	$events, %ebp
1:	movl	16(%ebp), %ecx
	movl	20(%ebp), %eax
	xorl	%edx, %edx
	wrmsr
	incl	%ecx
	movl	24(%ebp), %eax
	wrmsr
	movl	(%ebp), %ecx
	movl	4(%ebp), %eax
	wrmsr
	movl	8(%ebp), %ecx
	addl	$MSR_COUNTER, %ecx
	xorl	%eax, %eax
	wrmsr
	addl	$MSR_CCCR - MSR_COUNTER, %ecx
	movl	12(%ebp), %eax
	wrmsr
	call	body
	movl	8(%ebp), %ecx
	rdpmc
	movl	%eax, %ebx
	addl	$MSR_CCCR, %ecx
	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	movl	%ebx, %eax
	SHOW
	addl	$28, %ebp
	cmpl	$events_end, %ebp
	jne	1b
	DONE

body:	movl	$10, %ecx
1:	decl	%ecx
	jnz	1b

	call	leaf
	movl	$leaf, %eax
	call	*%eax
	jmp	2f
2:	movl	$3f, %eax
	jmp	*%eax
3:	movl	$3, %ecx
4:	loop	4b
	jecxz	5f
5:	ljmp	$8, $6f

6:	movl	$BUFFER, %esi
	movl	$BUFFER + 64, %edi
	movl	$5, %ecx
	rep movsb
	addl	%eax, BUFFER
	movl	BUFFER, %eax
	movl	%eax, BUFFER

	fninit
	fldz
	fadd	%st(0), %st
	fmuls	BUFFER
	fcoms	BUFFER
	fabs
	fxch
	fstps	BUFFER
	fninit

	movq	BUFFER, %mm0
	paddb	%mm0, %mm1
	pand	BUFFER, %mm1
	psllw	$1, %mm0
	movq	%mm0, BUFFER
	emms

	movups	BUFFER, %xmm0
	addps	%xmm0, %xmm1
	mulps	BUFFER, %xmm1
	xorps	%xmm2, %xmm2
	addss	%xmm0, %xmm1
	ucomiss	%xmm0, %xmm1
	cvtps2pd %xmm0, %xmm3
	addpd	%xmm2, %xmm3
	subsd	%xmm2, %xmm3
	sqrtsd	%xmm2, %xmm3
	maxsd	BUFFER, %xmm3
	paddd	%xmm0, %xmm4
	pshufd	$0, %xmm0, %xmm5
	pshuflw	$0, %xmm0, %xmm5
	pxor	%xmm0, %xmm5
	movups	%xmm0, BUFFER
leaf:	ret

	.balign	8
events:
	EVENT	MSR_CRU_ESCR, 2, 1, 12, 4
	EVENT	MSR_CRU_ESCR + 1, 2, 1, 14, 4
	EVENT	MSR_CRU_ESCR, 7, 1, 16, 4
	EVENT	MSR_FSB_ESCR, 0x13, 1, 0, 6
	EVENT	MSR_FSB_ESCR + 1, 0x13, 1, 3, 6
	EVENT	MSR_CRU_ESCR, 1, 1, 13, 4
	EVENT	MSR_CRU2_ESCR, 6, 1, 12, 5
	EVENT	MSR_CRU2_ESCR + 1, 6, 4, 15, 5
	EVENT	MSR_CRU2_ESCR, 6, 10, 16, 5
	EVENT	MSR_CRU2_ESCR + 1, 6, 15, 17, 5
	EVENT	MSR_TBPU_ESCR, 4, 2, 4, 2
	EVENT	MSR_TBPU_ESCR, 4, 4, 5, 2
	EVENT	MSR_TBPU_ESCR + 1, 4, 8, 6, 2
	EVENT	MSR_TBPU_ESCR + 1, 4, 16, 7, 2
	EVENT	MSR_TBPU_ESCR, 4, 20, 4, 2
	EVENT	MSR_TBPU_ESCR, 4, 24, 4, 2
	EVENT	MSR_TBPU_ESCR, 4, 30, 4, 2
	EVENT	MSR_FIRM_ESCR, 0x04, 0x8000, 8, 1
	EVENT	MSR_FIRM_ESCR, 0x02, 0x8000, 9, 1
	EVENT	MSR_FIRM_ESCR + 1, 0x1a, 0x8000, 10, 1
	EVENT	MSR_FIRM_ESCR + 1, 0x08, 0x8000, 11, 1
	EVENT	MSR_FIRM_ESCR, 0x0c, 0x8000, 8, 1
	EVENT	MSR_FIRM_ESCR, 0x0a, 0x8000, 8, 1
	EVENT	MSR_FIRM_ESCR, 0x0e, 0x8000, 8, 1
	FRONT_END ESCR(2, 2) | ESCR_KERNEL
	FRONT_END ESCR(2, 4) | ESCR_KERNEL
	FRONT_END ESCR(2, 6) | ESCR_KERNEL
	FRONT_END ESCR(2, 2) | ESCR_USER
	EXECUTION 1
	EXECUTION 2, ESCR(0x02, 0x8000) | ESCR_KERNEL | ESCR_TAG(2)
	EXECUTION 4
	EXECUTION 3, ESCR(0x02, 0x8000) | ESCR_KERNEL | ESCR_TAG(2)
	EVENT	MSR_CRU2_ESCR, 9, 1, 12, 5
	EVENT	MSR_CRU_ESCR, 3, 1, 12, 4
events_end:

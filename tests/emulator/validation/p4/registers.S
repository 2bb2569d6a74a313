/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the registers of the Pentium 4 exist, have their bits, and raise #GP for reserved ones
 *
 * results:
 *   ESCRs = 23 * 2 - 1 = 45
 *   ESCRs@prescott = 45 - 2 = 43
 *   faults of reserved bits in an ESCR = 2 + 1 + 32 = 35
 *   faults of reserved bits in the CCCR of counter 0 = 12 + 3 + 32 = 47
 *   faults of reserved bits in the CCCR of counter 12 = 11 + 3 + 32 = 46
 *   faults of reserved bits in the CCCR of counter 13 = 47
 *   faults of reserved bits in the CCCR of counter 16 = 46
 *   faults of reserved bits in IA32_PEBS_ENABLE = 2 + 7 + 6 + 32 = 47
 *   faults of reserved bits in MSR_PEBS_MATRIX_VERT = 3 + 16 + 32 = 51
 *   faults of bits of a counter = 0
 *   lower half of counter 17 = 0x12345678 = 305419896
 *   upper half of counter 17 = 0xbc = 188
 *   lower half by RDPMC = 305419896
 *   upper half by RDPMC = 188
 *   lower half by fast RDPMC = 305419896
 *   upper half by fast RDPMC = 0
 *   faults of RDPMC of 17, 18 and 40000000h, fast and not = 2 * 2 = 4
 *   bits 7, 11 and 12 of IA32_MISC_ENABLE = 0x880 = 2176
 *   the same after writes = 2176
 *   bit 21 of CPUID = 1
 */
#include "p4.h"

	IDT_WITH GENERAL_PROTECTION

	/* Execute an instruction, and count in EBX if it raises #GP. */
	.macro	TRY instruction:vararg
	movl	$9f, resume
	\instruction
9:
	.endm

	/* Show how many of the 64 bits of a register raise #GP if they are written alone. */
	.macro	SHOW_FAULTS msr
	movl	$\msr, %ecx
	call	count_faults
	SHOW
	.endm

	.macro	TRY_RDPMC number
	movl	$\number, %ecx
	TRY	rdpmc
	.endm

handler:
	incl	%ebx
	addl	$4, %esp
	pushl	%eax
	movl	resume, %eax
	movl	%eax, 4(%esp)
	popl	%eax
	iret

count_all:
	HANDLE_INTERRUPT
	xorl	%ebx, %ebx
	movl	$0x3a0, %ecx
1:	movl	$ESCR_KERNEL, %eax
	xorl	%edx, %edx
	wrmsr
	xorl	%eax, %eax
	rdmsr
	cmpl	$ESCR_KERNEL, %eax
	jne	2f
	incl	%ebx
2:	incl	%ecx
	cmpl	$0x3f0, %ecx
	jne	1b
	movl	%ebx, %eax
	SHOW

	SHOW_FAULTS MSR_CRU_ESCR
	SHOW_FAULTS MSR_CCCR
	SHOW_FAULTS MSR_CCCR + 12
	SHOW_FAULTS MSR_CCCR + 13
	SHOW_FAULTS MSR_CCCR + 16
	SHOW_FAULTS 0x3f1
	SHOW_FAULTS 0x3f2
	SHOW_FAULTS MSR_COUNTER + 17

	SET	MSR_COUNTER + 17, 0x12345678, 0xabc
	rdmsr
	call	show_both
	movl	$17, %ecx
	rdpmc
	call	show_both
	movl	$0x80000011, %ecx
	rdpmc
	call	show_both
	xorl	%ebx, %ebx
	TRY_RDPMC 17
	TRY_RDPMC 18
	TRY_RDPMC 0x40000000
	TRY_RDPMC 0x80000011
	TRY_RDPMC 0x80000012
	TRY_RDPMC 0xc0000000
	movl	%ebx, %eax
	SHOW

	movl	$MSR_MISC_ENABLE, %ecx
	rdmsr
	andl	$0x1880, %eax
	SHOW
	SET	MSR_MISC_ENABLE, 0x1000
	rdmsr
	andl	$0x1880, %eax
	SHOW
	movl	$1, %eax
	cpuid
	movl	%edx, %eax
	shrl	$21, %eax
	andl	$1, %eax
	SHOW
	DONE

/* Return in EAX the number of bits of register ECX that raise #GP; the register gets 0. */
count_faults:
	xorl	%ebx, %ebx
	movl	$1, %eax
	xorl	%edx, %edx
1:	TRY	wrmsr
	addl	%eax, %eax
	adcl	%edx, %edx
	jnc	1b
	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	movl	%ebx, %eax
	ret

show_both:
	movl	%edx, %ebx
	SHOW
	movl	%ebx, %eax
	SHOW
	ret

resume:	.long	0

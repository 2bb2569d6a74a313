/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a counter of the Pentium 4 that overflows sets its flag, and interrupts
 * properties: exact-pmi=on
 *
 * The flag stays until the CCCR is written. With the property exact-pmi, the interrupt comes
 * after the very instruction. It masks the entry of the local APIC. The WRMSR that enables a
 * counter of instructions counts.
 *
 * results:
 *   flag after one of two jumps = 0
 *   flag after two of two jumps = 1
 *   counter after two of two jumps = 0
 *   flag after the CCCR was written = 0
 *   flag of a counter that always overflows, before a jump = 0
 *   flag of a counter that always overflows, after a jump = 1
 *   counter that always overflows = 1
 *   interrupts of two jumps = 1
 *   bytes from the second jump to the interrupt = 0
 *   mask of the entry in the handler = 0x10000 = 65536
 *   interrupts of ten instructions = 1
 *   NOPs before the interrupt = 10 - 1 = 9
 *   interrupts of three branches, each of which overflows = 3
 *   bytes from the first one to its interrupt = 0
 *   bytes from the second one to its interrupt = 0
 *   bytes from the third one to its interrupt = 0
 *   interrupts of a counter that another one starts = 1
 *   bytes from the fifth jump to the interrupt = 0
 *   interrupts without the bit for them = 0
 *   interrupts through a masked entry = 0
 */
#include "p4.h"

#define APIC_END		0xfee000b0
#define APIC_SPURIOUS		0xfee000f0
#define APIC_LVTPC		0xfee00340
#define APIC_MASKED		0x10000
#define VECTOR			0x40
#define PIC_MASK		0x21

#define OF_TAKEN		(CCCR_SELECT(5) | CCCR_ANY_THREADS)
#define TAKEN			(ESCR(6, 4) | ESCR_KERNEL)
#define NOT_TAKEN		(ESCR(6, 1) | ESCR_KERNEL)

	IDT_WITH VECTOR

	/* Let counter 12 overflow after some events, and begin with no interrupts. */
	.macro	BEGIN escr, events, cccr
	SET	MSR_CRU2_ESCR, \escr
	SET	MSR_CRU_ESCR, INSTRUCTIONS
	SET	MSR_COUNTER + 12, -(\events), 0xff
	movl	$addresses, %edi
	SET	MSR_CCCR + 12, \cccr | CCCR_ENABLE
	.endm

	.macro	END
	SET	MSR_CCCR + 12, 0
	.endm

	.macro	SHOW_INTERRUPTS
	movl	%edi, %eax
	subl	$addresses, %eax
	shrl	$2, %eax
	SHOW
	.endm

	.macro	SHOW_DISTANCE number, label
	movl	addresses + 4 * \number, %eax
	subl	$\label, %eax
	SHOW
	.endm

	.macro	READ_FLAG register
	movl	$MSR_CCCR + 12, %ecx
	rdmsr
	shrl	$31, %eax
	movl	%eax, %\register
	.endm

	.macro	SHOW_REGISTER register
	movl	%\register, %eax
	SHOW
	.endm

handler:
	pushl	%eax
	movl	4(%esp), %eax
	stosl
	movl	APIC_LVTPC, %eax
	movl	%eax, entry
	movl	$VECTOR, APIC_LVTPC
	movl	$0, APIC_END
	popl	%eax
	iretl

count_all:
	movb	$0xff, %al
	outb	%al, $PIC_MASK
	HANDLE_INTERRUPT
	movl	$0x1ff, APIC_SPURIOUS
	movl	$VECTOR, APIC_LVTPC

	BEGIN	TAKEN, 2, OF_TAKEN
	jmp	1f
1:	READ_FLAG ebx
	jmp	2f
2:	READ_FLAG esi
	movl	$12, %ecx
	rdpmc
	movl	%eax, %ebp
	END
	SHOW_REGISTER ebx
	SHOW_REGISTER esi
	SHOW_REGISTER ebp
	READ_FLAG ebx
	SHOW_REGISTER ebx

	BEGIN	TAKEN, 1 << 20, OF_TAKEN | CCCR_FORCE_OVERFLOW
	SET	MSR_COUNTER + 12, 0
	READ_FLAG ebx
	jmp	1f
1:	READ_FLAG esi
	movl	$12, %ecx
	rdpmc
	movl	%eax, %ebp
	END
	SHOW_REGISTER ebx
	SHOW_REGISTER esi
	SHOW_REGISTER ebp

	sti
	BEGIN	TAKEN, 2, OF_TAKEN | CCCR_INTERRUPT
	jmp	1f
1:	jmp	second
second:	nop
	nop
	END
	SHOW_INTERRUPTS
	SHOW_DISTANCE 0, second
	movl	entry, %eax
	andl	$APIC_MASKED, %eax
	SHOW

	BEGIN	TAKEN, 10, OF_INSTRUCTIONS | CCCR_INTERRUPT
nops:	.rept	20
	nop
	.endr
	END
	SHOW_INTERRUPTS
	SHOW_DISTANCE 0, nops

	xorl	%ebx, %ebx
	BEGIN	NOT_TAKEN, 1 << 20, OF_TAKEN | CCCR_INTERRUPT | CCCR_FORCE_OVERFLOW
	testl	%ebx, %ebx
	jnz	count_all
first_not:
	nop
	jnz	count_all
second_not:
	jnz	count_all
third_not:
	nop
	END
	SHOW_INTERRUPTS
	SHOW_DISTANCE 0, first_not
	SHOW_DISTANCE 1, second_not
	SHOW_DISTANCE 2, third_not

	SET	MSR_CRU2_ESCR + 1, TAKEN
	SET	MSR_COUNTER + 14, -3, 0xff
	SET	MSR_CCCR + 14, OF_TAKEN | CCCR_INTERRUPT | CCCR_CASCADE
	BEGIN	TAKEN, 2, OF_TAKEN
	jmp	1f
1:	jmp	1f
1:	jmp	1f
1:	jmp	1f
1:	jmp	fifth
fifth:	jmp	1f
1:	END
	SET	MSR_CCCR + 14, 0
	SHOW_INTERRUPTS
	SHOW_DISTANCE 0, fifth

	BEGIN	TAKEN, 1, OF_TAKEN
	jmp	1f
1:	END
	SHOW_INTERRUPTS
	movl	$VECTOR | APIC_MASKED, APIC_LVTPC
	BEGIN	TAKEN, 1, OF_TAKEN | CCCR_INTERRUPT
	jmp	1f
1:	END
	SHOW_INTERRUPTS
	DONE

	.balign	4
entry:	.long	0
addresses:
	.skip	64

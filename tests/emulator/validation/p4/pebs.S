/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a record of PEBS has the registers with which the instruction of the overflow begins
 *
 * Loads are tagged and counted. The counter overflows with the second one, and then with every
 * third. The handler of the interrupt, which comes when there are two records, only counts in
 * EBP, and its IRET loads. There is space for three records. The entry of the local APIC is
 * masked after the first interrupt.
 *
 * results:
 *   bytes of records = 3 * 40 = 120
 *   bytes from the second load to the IP of the first record = 0
 *   EAX = 1001
 *   EBX = 2002
 *   ECX = 3003
 *   EDX = 4004
 *   ESI = 5005
 *   EDI = 6006
 *   EBP = 7007
 *   ESP = 8008
 *   carry flag = 1
 *   bytes from the fifth load to the IP of the second record = 0
 *   EBX of the second record = 9009
 *   carry flag of the second record = 0
 *   bytes from the seventh load to the IP of the third record = 0
 *   EBP of the third record = 7007 + 1 = 7008
 *   interrupts = 1
 *   counter after the tenth load, and three = 0
 *   overflow flag = 0
 *   bytes of records of a processor without PEBS = 0
 *   overflow flag without PEBS = 1
 *   bytes of records of instructions = 0
 *   overflow flag of instructions = 1
 */
#include "p4.h"

#define APIC_SPURIOUS		0xfee000f0
#define APIC_LVTPC		0xfee00340
#define VECTOR			0x40
#define PIC_MASK		0x21

#define MSR_PEBS_ENABLE		0x3f1
#define MSR_DS_AREA		0x600
#define PEBS_ENABLE		(1 << 25)

#define RECORDS			(BUFFER + 0x1000)
#define RECORD			40
#define DATA			(BUFFER + 0x800)

#define DS_BASE			(BUFFER + 0x10)
#define DS_INDEX		(BUFFER + 0x14)
#define DS_MAXIMUM		(BUFFER + 0x18)
#define DS_THRESHOLD		(BUFFER + 0x1c)
#define DS_RESET		(BUFFER + 0x20)

#define OF_TAGGED		(CCCR_SELECT(5) | CCCR_ANY_THREADS | CCCR_ENABLE)

	IDT_WITH VECTOR

	/* Start counter 16 with an empty buffer. */
	.macro	BEGIN pebs, events, cccr
	movl	$RECORDS, DS_INDEX
	SET	MSR_PEBS_ENABLE, \pebs
	SET	MSR_COUNTER + 16, -(\events), 0xff
	SET	MSR_CCCR + 16, \cccr
	.endm

	.macro	END
	SET	MSR_CCCR + 16, 0
	SET	MSR_PEBS_ENABLE, 0
	.endm

	/* Show a field of a record, less a number. */
	.macro	SHOW_FIELD record, field, less=0
	movl	RECORDS + \record * RECORD + 4 * \field, %eax
	subl	$\less, %eax
	SHOW
	.endm

	.macro	SHOW_CARRY record
	movl	RECORDS + \record * RECORD, %eax
	andl	$1, %eax
	SHOW
	.endm

	.macro	SHOW_BYTES
	movl	DS_INDEX, %eax
	subl	$RECORDS, %eax
	SHOW
	.endm

	.macro	SHOW_FLAG
	movl	flag, %eax
	shrl	$31, %eax
	SHOW
	.endm

	.macro	READ_FLAG
	movl	$MSR_CCCR + 16, %ecx
	rdmsr
	movl	%eax, flag
	.endm

handler:
	incl	%ebp
	iretl

count_all:
	movb	$0xff, %al
	outb	%al, $PIC_MASK
	HANDLE_INTERRUPT
	movl	$0x1ff, APIC_SPURIOUS
	movl	$VECTOR, APIC_LVTPC
	movl	$RECORDS, DS_BASE
	movl	$RECORDS + 3 * RECORD + 1, DS_MAXIMUM
	movl	$RECORDS + 2 * RECORD, DS_THRESHOLD
	movl	$-3, DS_RESET
	movl	$0xff, DS_RESET + 4
	SET	MSR_DS_AREA, BUFFER
	SET	MSR_RAT_ESCR, ESCR(2, 2) | ESCR_KERNEL
	SET	MSR_CRU2_ESCR, ESCR(8, 1) | ESCR_KERNEL

	movl	%esp, saved
	BEGIN	PEBS_ENABLE, 2, OF_TAGGED
	movl	$1001, %eax
	movl	$2002, %ebx
	movl	$3003, %ecx
	movl	$4004, %edx
	movl	$5005, %esi
	movl	$6006, %edi
	movl	$7007, %ebp
	movl	$8008, %esp
	stc
	movl	DATA, %eax
	movl	$1001, %eax
second:	movl	DATA, %ecx
	movl	saved, %esp
	movl	$9009, %ebx
	movl	DATA, %ecx
	clc
	sti
fifth:	movl	DATA, %ebx
	nop
	movl	DATA, %ebx
seventh:
	addl	DATA, %ecx
	movl	DATA, %ebx
	movl	DATA, %ebx
	movl	DATA, %ebx
	movl	$16, %ecx
	rdpmc
	movl	%eax, %esi
	READ_FLAG
	cli
	END
	SHOW_BYTES
	SHOW_FIELD 0, 1, second
	SHOW_FIELD 0, 2
	SHOW_FIELD 0, 3
	SHOW_FIELD 0, 4
	SHOW_FIELD 0, 5
	SHOW_FIELD 0, 6
	SHOW_FIELD 0, 7
	SHOW_FIELD 0, 8
	SHOW_FIELD 0, 9
	SHOW_CARRY 0
	SHOW_FIELD 1, 1, fifth
	SHOW_FIELD 1, 3
	SHOW_CARRY 1
	SHOW_FIELD 2, 1, seventh
	SHOW_FIELD 2, 8
	movl	%ebp, %eax
	subl	$7007, %eax
	SHOW
	leal	3(%esi), %eax
	SHOW
	SHOW_FLAG

	BEGIN	0, 2, OF_TAGGED
	movl	DATA, %eax
	movl	DATA, %eax
	READ_FLAG
	END
	SHOW_BYTES
	SHOW_FLAG

	SET	MSR_CRU_ESCR, INSTRUCTIONS
	BEGIN	PEBS_ENABLE, 2, OF_INSTRUCTIONS | CCCR_ENABLE
	nop
	nop
	READ_FLAG
	END
	SHOW_BYTES
	SHOW_FLAG
	DONE

	.balign	4
saved:	.long	0
flag:	.long	0

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: in IA-32e mode PEBS uses the DS area and the records of 64 bits
 * cpu: prescott
 *
 * Loads are tagged and counted. The counter overflows with the second one, and again with the
 * fourth.
 *
 * results:
 *   bytes of records = 2 * 144 = 288
 *   bytes from the second load to the IP of the first record = 0
 *   upper half of the IP = 0
 *   lower half of RAX = 1001
 *   upper half of RAX = 1002
 *   RBX = 2002
 *   RSP = 9009
 *   lower half of R8 = 3003
 *   upper half of R8 = 3004
 *   R15 = 4004
 *   carry flag = 1
 *   bytes from the fourth load to the IP of the second record = 0
 *   lower half of the counter = 5
 */
#include "p4.h"

#define MSR_PEBS_ENABLE		0x3f1
#define MSR_DS_AREA		0x600
#define MSR_EFER		0xc0000080
#define PEBS_ENABLE		(1 << 25)
#define EFER_LME		(1 << 8)
#define CR4_PAE			(1 << 5)

#define RECORDS			(BUFFER + 0x1000)
#define RECORD			144
#define DATA			(BUFFER + 0x800)

#define DS_BASE			(BUFFER + 0x20)
#define DS_INDEX		(BUFFER + 0x28)
#define DS_MAXIMUM		(BUFFER + 0x30)
#define DS_THRESHOLD		(BUFFER + 0x38)
#define DS_RESET		(BUFFER + 0x40)

#define CODE_64			0x18

	/* Show half of a field of a record, less a number. */
	.macro	SHOW_HALF record, field, half, less=0
	movl	RECORDS + \record * RECORD + 8 * \field + 4 * \half, %eax
	subl	$\less, %eax
	SHOW
	.endm

	.balign	8
own_gdt:
	.quad	0, 0x00cf9b000000ffff, 0x00cf93000000ffff, 0x00af9b000000ffff
own_gdt_pointer:
	.word	. - own_gdt - 1
	.long	own_gdt

count_all:
	lgdt	own_gdt_pointer
	movl	$TABLES + PAGE + PG, TABLES
	movl	$TABLES + 2 * PAGE + PG, TABLES + PAGE
	movl	$PG + PG_LARGE, TABLES + 2 * PAGE
	movl	$LARGE_PAGE / 2 + PG + PG_LARGE, TABLES + 2 * PAGE + 8
	movl	%cr4, %eax
	orl	$CR4_PAE, %eax
	movl	%eax, %cr4
	movl	$TABLES, %eax
	movl	%eax, %cr3
	SET	MSR_EFER, EFER_LME
	movl	%cr0, %eax
	orl	$CR0_PG, %eax
	movl	%eax, %cr0

	movl	$RECORDS, DS_BASE
	movl	$RECORDS, DS_INDEX
	movl	$RECORDS + 3 * RECORD + 1, DS_MAXIMUM
	movl	$RECORDS + 3 * RECORD, DS_THRESHOLD
	movl	$-2, DS_RESET
	movl	$0xff, DS_RESET + 4
	SET	MSR_DS_AREA, BUFFER
	SET	MSR_RAT_ESCR, ESCR(2, 2) | ESCR_KERNEL
	SET	MSR_CRU2_ESCR, ESCR(8, 1) | ESCR_KERNEL
	SET	MSR_PEBS_ENABLE, PEBS_ENABLE
	SET	MSR_COUNTER + 16, -2, 0xff
	ljmp	$CODE_64, $long
	.code64
long:	SET	MSR_CCCR + 16, CCCR_SELECT(5) | CCCR_ANY_THREADS | CCCR_ENABLE
	movabsq	$1002 << 32 | 1001, %rax
	movl	$2002, %ebx
	movl	$9009, %esp
	movabsq	$3004 << 32 | 3003, %r8
	movl	$4004, %r15d
	stc
	movl	DATA, %ecx
second:	movl	DATA, %ecx
	movl	DATA, %ecx
fourth:	movl	DATA, %ecx
	SET	MSR_CCCR + 16, 0
	/* The next code has 32 bits, in compatibility mode. */
	movl	$STACK, %esp
	pushq	$8
	movl	$short, %eax
	pushq	%rax
	lretq
	.code32
short:	movl	DS_INDEX, %eax
	subl	$RECORDS, %eax
	SHOW
	SHOW_HALF 0, 1, 0, second
	SHOW_HALF 0, 1, 1
	SHOW_HALF 0, 2, 0
	SHOW_HALF 0, 2, 1
	SHOW_HALF 0, 3, 0
	SHOW_HALF 0, 9, 0
	SHOW_HALF 0, 10, 0
	SHOW_HALF 0, 10, 1
	SHOW_HALF 0, 17, 0
	movl	RECORDS, %eax
	andl	$1, %eax
	SHOW
	SHOW_HALF 1, 1, 0, fourth
	movl	$16, %ecx
	rdpmc
	addl	$7, %eax
	SHOW
	DONE

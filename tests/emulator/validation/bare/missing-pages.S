/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access that misses the TLB and faults counts as two misses, because of an erratum
 *
 * A read and a call find no page. The handler adds the page, and they are executed again. Then a
 * page is read, which is a miss, and written although it may not be written: the write hits. The
 * handler lets the page be written, and the write is executed again. It misses, because a page
 * fault removes the entry from the TLB; otherwise the fault would repeat for ever. All other
 * accesses are in the TLBs: the stack, IDT and GDT, the page table, the program. Each walk reads
 * two entries, a clock each. A walk that finds no page does so, too. Walks for code are not walks for
 * data.
 *
 * round:
 *   0x02 = 2 + 1 + 1 + 1 = 5
 *   0x0d = 2 + 1 = 3
 *   0x30@1 = (1 + 1 + 1 + 1) * 2 = 8
 *
 * round without errata:
 *   0x02 = 1 + 1 + 1 + 1 = 4
 *   0x0d = 1 + 1 = 2
 */
#include "bare.h"

	.set	PAGE_FAULT, 14
	.set	CODE, BUFFER + PAGE
	.set	CONSTANT, BUFFER + 2 * PAGE
	.set	TABLE, TABLES + PAGE

prepare:
	xorl	%eax, %eax
	call	paging
	HANDLE_INTERRUPT
	movb	return, %al
	movb	%al, CODE
	andl	$~PG_PRESENT, TABLE + BUFFER / PAGE * 4
	andl	$~PG_PRESENT, TABLE + CODE / PAGE * 4
	andl	$~PG_WRITABLE, TABLE + CONSTANT / PAGE * 4
	movl	%cr0, %eax
	orl	$CR0_WP, %eax
	movl	%eax, %cr0
	movl	%cr3, %eax
	movl	%eax, %cr3
	movl	gate, %eax
	movl	gdt, %eax
	movl	TABLE, %eax
	ret

body:	movl	BUFFER, %eax
	movl	$CODE, %eax
	call	*%eax
	movl	CONSTANT, %eax
	movl	%eax, CONSTANT
return:	ret

/* On entry, the stack has the error code. */
handler:
	pushl	%eax
	movl	%cr2, %eax
	shrl	$12, %eax
	orl	$PG_PRESENT | PG_WRITABLE, TABLE(, %eax, 4)
	popl	%eax
	addl	$4, %esp
	iretl

	IDT_WITH PAGE_FAULT

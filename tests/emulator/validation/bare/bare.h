/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the common part of programs that run without a kernel, at privilege level 0. No
 * other program uses the memory, executes instructions, or changes the counts.
 *
 * A program has two routines: "prepare" brings caches and TLBs into a known state, and "body"
 * is counted, including the CALL to it, which writes to the stack, and its RET, which reads the
 * stack. Both are called for each event and counter. They may change all registers except EBP
 * and ESP; ESI and EDI keep their values from prepare to body. The first comment of a program
 * has the counts of body, in the form of tests/guest/uarch/uarch.h:
 *
 *	round:
 *	  EVENT = EXPRESSION = NUMBER
 *
 * The numbers are exact. The program prints a line for each count: event, counter and count, in
 * hexadecimal.
 *
 * The program is in memory at 1 MB. It may use BUFFER at 2 MB. TABLES at 3 MB is a page
 * directory with a page table after it. Paging is off unless a program calls "paging".
 *
 * A program that defines OTHER runs on two processors, and its first comment says "processors:
 * 2". The second processor waits until the first one uses "ask" to have it call the routine
 * whose address is in EAX. The line of MAILBOX goes back and forth: the first processor writes
 * to the line, which is exclusive there. The second one reads it, and writes to it in the end.
 * Then the first one reads it. So the first processor has two snoop hits and a read miss.
 *
 * A program that defines OWN_COUNTS begins at its own "count_all", and has no other routines.
 */

#define LINE			32
#define PAGE			0x1000
#define LARGE_PAGE		0x400000

#define STACK			0x9f000
#define BUFFER			0x200000
#define TABLES			0x300000
#define OTHER_STACK		0x8f000
#define OTHER_START		0x8000
#define MAILBOX			0x70000

#define CR0_PG			0x80000000
#define CR0_CD			0x40000000
#define CR0_NW			0x20000000
#define CR0_WP			0x10000
#define CR4_PSE			0x10

#define PG_PRESENT		0x001
#define PG_WRITABLE		0x002
#define PG_PWT			0x008
#define PG_PCD			0x010
#define PG_ACCESSED		0x020
#define PG_DIRTY		0x040
#define PG_LARGE		0x080
/* With these flags, the processor does not have to set any flag itself. */
#define PG			(PG_PRESENT | PG_WRITABLE | PG_ACCESSED | PG_DIRTY)

#define MSR_CESR		0x11
#define MSR_CTR0		0x12
#define CESR_KERNEL		0x40

#define OUTPUT_PORT		0xe9
#define EXIT_PORT		0xf4

#define APIC_COMMAND		0xfee00300
#define APIC_INIT_OTHERS	0xc4500
#define APIC_START_OTHERS	(0xc4600 | OTHER_START / PAGE)

/* Return the offset in the image of a label of the first part. */
#define OFFSET(label)		((label) - image)

	.section .reset, "ax"
	.code16
	/* The code segment's base is 64 KB below the end of all memory. */
	/* This is a JMP to the first byte of the image. */
	.byte	0xe9
	.word	0x10000 - 0xfff3

	.section .first, "ax"
image:	lgdtl	%cs:OFFSET(gdt_pointer)
	movl	%cr0, %eax
	andl	$~(CR0_CD | CR0_NW), %eax
	orl	$1, %eax
	movl	%eax, %cr0
	ljmpl	$8, $0xffff0000 + OFFSET(protected)

	.code32
protected:
	movl	$16, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	movl	$STACK, %esp
	movl	$0xffff0000, %esi
	movl	$0x100000, %edi
	movl	$0x4000, %ecx
	cld
	rep movsl
	ljmpl	$8, $count_all

	.balign	8
gdt:	.quad	0, 0x00cf9b000000ffff, 0x00cf93000000ffff
gdt_pointer:
	.word	. - gdt - 1
	.long	0xffff0000 + OFFSET(gdt)

	.text
#ifndef OWN_COUNTS
/* EBP has the event in its lower bits, and the number of the counter in bit 8. */
count_all:
#ifdef OTHER
	call	start_other
#endif
	xorl	%ebp, %ebp
1:	call	prepare
	movl	%ebp, %ecx
	shrl	$8, %ecx
	addl	$MSR_CTR0, %ecx
	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	movl	%ebp, %eax
	andl	$0x3f, %eax
	orl	$CESR_KERNEL, %eax
	testl	$0x100, %ebp
	jz	2f
	shll	$16, %eax
2:	movl	$MSR_CESR, %ecx
	wrmsr
	call	body
	movl	$MSR_CESR, %ecx
	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	movl	%ebp, %eax
	andl	$0x3f, %eax
	call	print
	movl	%ebp, %ecx
	shrl	$8, %ecx
	movl	%ecx, %eax
	call	print
	addl	$MSR_CTR0, %ecx
	rdmsr
	call	print
	movb	$'\n', %al
	outb	%al, $OUTPUT_PORT
	incl	%ebp
	testl	$0x3f, %ebp
	jnz	1b
	andl	$0x100, %ebp
	xorl	$0x100, %ebp
	jnz	1b
	xorl	%eax, %eax
	outb	%al, $EXIT_PORT
	hlt
#endif

#ifdef OTHER
	.code16
other_begins:
	lgdtl	%cs:1f - other_begins
	movl	%cr0, %eax
	andl	$~(CR0_CD | CR0_NW), %eax
	orl	$1, %eax
	movl	%eax, %cr0
	ljmpl	$8, $other_protected
1:	.word	gdt_pointer - gdt - 1
	.long	gdt
other_ends:
	.code32

other_protected:
	movl	$16, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	movl	$OTHER_STACK, %esp
	jmp	1f
	/* The loop fits into one line, so no code is fetched after an answer has been given. */
	.balign	LINE
1:	movl	MAILBOX, %eax
	testl	%eax, %eax
	rep nop
	jz	1b
	call	*%eax
	movl	$0, MAILBOX
	jmp	1b

start_other:
	movl	$other_begins, %esi
	movl	$OTHER_START, %edi
	movl	$other_ends - other_begins, %ecx
	rep movsb
	movl	$APIC_INIT_OTHERS, APIC_COMMAND
	movl	$1000, %ecx
1:	rep nop
	loop	1b
	movl	$APIC_START_OTHERS, APIC_COMMAND
	movl	$nothing, %eax
	call	ask
nothing:
	ret

ask:	movl	%eax, MAILBOX
1:	rep nop
	cmpl	$0, MAILBOX
	jne	1b
	ret
#endif

/* Print EAX in hexadecimal, and a space. */
print:	pushl	%ecx
	movl	%eax, %edx
	movl	$8, %ecx
1:	roll	$4, %edx
	movl	%edx, %eax
	andl	$15, %eax
	cmpl	$10, %eax
	jb	2f
	addl	$'a' - '0' - 10, %eax
2:	addl	$'0', %eax
	outb	%al, $OUTPUT_PORT
	decl	%ecx
	jnz	1b
	movb	$' ', %al
	outb	%al, $OUTPUT_PORT
	popl	%ecx
	ret

/*
 * Turn on paging, with addresses that stay the same. The first 4 MB have pages of 4 KB; the
 * page of BUFFER has the flags in EAX. The next 64 MB are large pages, all of which lead to the
 * first 4 MB of memory. Afterwards, TLBs are empty.
 */
paging:
	movl	$TABLES, %edi
	movl	$TABLES + PAGE + PG, (%edi)
	movl	$PG + PG_LARGE, %edx
	movl	$1, %ecx
1:	movl	%edx, (%edi, %ecx, 4)
	incl	%ecx
	cmpl	$17, %ecx
	jne	1b
	movl	$PG, %edx
	xorl	%ecx, %ecx
2:	movl	%edx, PAGE(%edi, %ecx, 4)
	addl	$PAGE, %edx
	incl	%ecx
	cmpl	$1024, %ecx
	jne	2b
	orl	%eax, PAGE + BUFFER / PAGE * 4(%edi)
	movl	%cr4, %eax
	orl	$CR4_PSE, %eax
	movl	%eax, %cr4
	movl	%edi, %cr3
	movl	%cr0, %eax
	orl	$CR0_PG, %eax
	movl	%eax, %cr0
	jmp	3f
3:	ret

#define INTERRUPT_GATE		0x8e00

/*
 * Define an IDT that has the gate of VECTOR, and the pointers to the IDT and to the GDT for the
 * processor.
 */
	.macro	IDT_WITH vector
	.balign	8
gate:	.word	0, 8, INTERRUPT_GATE, 0
idt_pointer:
	.word	(\vector + 1) * 8 - 1
	.long	gate - \vector * 8
	/* The GDT in the image has no page, so this one is used. */
gdt_copy:
	.word	gdt_pointer - gdt - 1
	.long	gdt
	.endm

/* Let "handler" handle the interrupt of IDT_WITH. */
	.macro	HANDLE_INTERRUPT
	lgdt	gdt_copy
	lidt	idt_pointer
	movl	$handler, %eax
	movw	%ax, gate
	shrl	$16, %eax
	movw	%ax, gate + 6
	.endm

/* Write, or read, this number of lines of BUFFER, from the first line on. */
	.macro	WRITE_LINES count
	.set	line, 0
	.rept	\count
	movl	%eax, BUFFER + line
	.set	line, line + LINE
	.endr
	.endm

	.macro	READ_LINES count
	.set	line, 0
	.rept	\count
	movl	BUFFER + line, %eax
	.set	line, line + LINE
	.endr
	.endm

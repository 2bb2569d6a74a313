/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a page fault or a single step of user mode adds only its own page walks to the counts
 *
 * Only user mode counts. It executes a read, a NOP and INT n. A single step follows each of them
 * except the last one. The page that is read is missing, and the handler adds it. The read
 * misses the TLB twice, an erratum, and once more when it is executed again. Both walks read two
 * entries, a clock each, while a read is stalled. The read and the NOP take a clock each,
 * because nothing pairs across a single step, and INT n takes 48. Code is read again after each
 * of the four IRETs. All other accesses hit caches and TLBs. INT n accesses its gate, the
 * descriptors of CS and SS, two words of the TSS, and five words on the stack, and loads CS and
 * SS.
 *
 * round:
 *   0x16 = 3
 *   0x17 = 0
 *   0x12 = 1
 *   0x15 = 0
 *   0x00 = 1 + 5 = 6
 *   0x01 = 5
 *   0x02 = 2 + 1 = 3
 *   0x0c = 4
 *   0x0d = 0
 *   0x03 = 0
 *   0x0f = 2
 *   0x27 = 0
 *   0x1a = 2 * 2 = 4
 *   0x30@1 = 2 * 2 = 4
 *   0x30@0 = 1 + 1 + 48 + 4 = 54
 *
 * round without errata:
 *   0x02 = 1 + 1 = 2
 */
#include "bare.h"

	.set	PG_USER, 4
	.set	USER_GATE, 0xee00
	.set	SINGLE_STEP, 1
	.set	PAGE_FAULT, 14
	.set	LEAVE, 32
	.set	USER_CODE, 0x1b
	.set	USER_DATA, 0x23
	.set	TSS, 0x28
	.set	TRAP_FLAG, 0x100
	.set	KERNEL_STACK, 0x9e000
	.set	USER_STACK, 0x9d000
	.set	TABLE, TABLES + PAGE

	.macro	GATE number, handler, flags
	movl	$\handler, %eax
	movw	%ax, idt + \number * 8
	movw	$8, idt + \number * 8 + 2
	movw	$\flags, idt + \number * 8 + 4
	shrl	$16, %eax
	movw	%ax, idt + \number * 8 + 6
	.endm

prepare:
	movl	$PG_USER, %eax
	call	paging
	movl	$TABLES, %eax
1:	orl	$PG_USER, (%eax)
	addl	$4, %eax
	cmpl	$TABLES + 2 * PAGE, %eax
	jne	1b
	movl	%cr3, %eax
	movl	%eax, %cr3
	lgdt	own_gdt_pointer
	lidt	idt_pointer
	GATE	SINGLE_STEP, step, INTERRUPT_GATE
	GATE	PAGE_FAULT, fault, INTERRUPT_GATE
	GATE	LEAVE, leave, USER_GATE
	movl	$tss, %eax
	movw	%ax, tss_descriptor + 2
	shrl	$16, %eax
	movb	%al, tss_descriptor + 4
	movb	$0x89, tss_descriptor + 5
	movl	$TSS, %eax
	ltr	%ax
	movl	$KERNEL_STACK, tss + 4
	movl	$16, tss + 8
	call	body
	call	remove
	call	body
	call	remove
	ret

remove:	andl	$~PG_PRESENT, TABLE + BUFFER / PAGE * 4
	invlpg	BUFFER
	ret

/* Count the events of user mode instead of those of kernel mode, from zero. */
	.balign	LINE
body:	movl	%esp, saved
	movl	$USER_DATA, %eax
	movl	%eax, %ds
	movl	$MSR_CESR, %ecx
	rdmsr
	movl	%eax, %esi
	andl	$CESR_KERNEL << 16 | CESR_KERNEL, %esi
	addl	%eax, %esi
	xorl	%eax, %eax
	xorl	%edx, %edx
	wrmsr
	movl	$MSR_CTR0, %ecx
	wrmsr
	incl	%ecx
	wrmsr
	movl	%esi, %eax
	movl	$MSR_CESR, %ecx
	wrmsr
	pushl	$USER_DATA
	pushl	$USER_STACK
	pushl	$TRAP_FLAG | 2
	pushl	$USER_CODE
	pushl	$user
	iretl

	.balign	LINE
user:	movl	BUFFER, %eax
	nop
	int	$LEAVE

	.balign	LINE
step:	iretl

fault:	orl	$PG_PRESENT, TABLE + BUFFER / PAGE * 4
	addl	$4, %esp
	iretl

leave:	movl	saved, %esp
	movl	$16, %eax
	movl	%eax, %ds
	ret

	.balign	LINE
saved:	.long	0
idt_pointer:
	.word	(LEAVE + 1) * 8 - 1
	.long	idt
own_gdt_pointer:
	.word	6 * 8 - 1
	.long	own_gdt
	.balign	8
own_gdt:
	.quad	0, 0x00cf9b000000ffff, 0x00cf93000000ffff
	.quad	0x00cffb000000ffff, 0x00cff3000000ffff
tss_descriptor:
	.quad	0x0000890000000067
idt:	.skip	(LEAVE + 1) * 8
	.balign	LINE
tss:	.skip	104

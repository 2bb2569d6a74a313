/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program runs on an emulated Pentium instead of the BIOS. It counts a loop that
 * reads a word of each of 128 lines, by RDMSR and WRMSR, and writes the event, the
 * count, and the count of a second execution to port E9h, in hexadecimal.
 * docs/guide/emulator.md says how to run it.
 *
 * The loop and the code around it have 1 + 2 + 128 * 4 + 1 = 516 instructions, including WRMSR,
 * which counts itself. They have 128 + 1 branches, because WRMSR counts as a branch. They have
 * 128 reads. If caches are modelled, the reads have 128 misses in the first execution and none in
 * the second.
 */
	.set	CESR, 0x11
	.set	CTR0, 0x12
	.set	KERNEL, 1 << 6	/* privilege levels 0 to 2 */
	.set	CD_NW, 0x60000000
	.set	LINES, 128
	.set	LINE, 32

	/* Count event AX while the lines are read. Returns the count in EAX. */
	.macro	read_lines
	movzwl	%ax, %ebx
	xorl	%eax, %eax
	xorl	%edx, %edx
	movl	$CESR, %ecx
	wrmsr
	incl	%ecx
	wrmsr
	leal	KERNEL(%ebx), %eax
	decl	%ecx
	wrmsr
	movl	$0x8000, %esi
	movl	$LINES, %ecx
1:	movl	(%esi), %eax
	addl	$LINE, %esi
	decl	%ecx
	jnz	1b
	movl	$CTR0, %ecx
	rdmsr
	.endm

	.code16
	.globl	_start
_start:
	xorw	%ax, %ax
	movw	%ax, %ds
	movw	%ax, %ss
	movl	$0x7000, %esp
	movl	%cr0, %eax
	andl	$~CD_NW, %eax
	movl	%eax, %cr0
	xorw	%di, %di
next:
	movzbl	%cs:events(%di), %ebp
	cmpw	$0xff, %bp
	je	done
	movl	%ebp, %eax
	call	print
	movw	%bp, %ax
	call	measure
	call	print
	movw	%bp, %ax
	call	measure
	call	print
	movb	$'\n', %al
	outb	%al, $0xe9
	incw	%di
	jmp	next
done:
	outb	%al, $0xf4
	hlt
	jmp	done

measure:
	read_lines
	ret

	/* Print EAX in hexadecimal, and a space. */
print:
	movl	%eax, %edx
	movw	$8, %cx
1:	roll	$4, %edx
	movb	%dl, %al
	andb	$15, %al
	cmpb	$10, %al
	sbbb	$0x69, %al
	das
	outb	%al, $0xe9
	decw	%cx
	jnz	1b
	movb	$' ', %al
	outb	%al, $0xe9
	ret

	/* Count read misses first, because each execution of the loop changes them. */
events:	.byte	0x03, 0x16, 0x12, 0x00, 0xff

	.org	0xfff0
	ljmp	$0xf000, $_start
	.org	0x10000

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the loop of hello.c as the compiler of K. D. Safford's thesis made it, in two forms,
 * with a million rounds each. Region 1 is not optimized; the instructions, branches, reads and
 * writes of a round in table 5.1 of the thesis show its code. Region 2 is optimized, as in
 * figure 5.3. Region 3 is empty. Region 0 is empty, too, because the first region misses the
 * caches.
 *
 * In each round:
 *
 *			instructions	branches	reads	writes	clocks	in V
 *	not optimized	5		2		3	2	9	1
 *	optimized	3		1		0	0	2	1
 *
 * A round that is not optimized takes 9 clocks: 2 for the comparison and 1 for its jump, 3 for
 * the addition, and 3 for the increment with the jump in the V pipe. The first two do not pair,
 * because the comparison and the addition have a displacement and an immediate operand.
 */
	.macro	begin n
	call	p5mon_asm_begreg_\n
	.endm

	.macro	end n
	call	p5mon_asm_endreg_\n
	.endm

	.section .note.GNU-stack, "", @progbits
	.text
	.globl	main
main:
	pushl	%ebp
	movl	%esp, %ebp
	pushl	%ebx
	subl	$16, %esp
	call	p5mon_asm_init
	begin	0
	end	0

	movl	$0, -8(%ebp)
	movl	$0, -12(%ebp)
	begin	1
1:	cmpl	$999999, -8(%ebp)
	jle	2f
	jmp	3f
	.p2align 4
2:	addl	$2, -12(%ebp)
	incl	-8(%ebp)
	jmp	1b
	.p2align 4
3:	end	1

	movl	$999999, %eax
	begin	2
1:	addl	$2, %ebx
	decl	%eax
	jns	1b
	end	2

	begin	3
	end	3
	xorl	%eax, %eax
	movl	-4(%ebp), %ebx
	leave
	ret

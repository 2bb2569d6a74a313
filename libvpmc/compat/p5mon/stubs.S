/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Define the stubs that libp5mon.h declares: p5mon_asm_init, p5mon_asm_begreg_0 to _99 and
 * p5mon_asm_endreg_0 to _99.
 *
 * A stub may be called between any two instructions, even between a comparison and its jump,
 * because it saves all registers and flags. pushf precedes the instructions that change flags,
 * and popf follows them.
 */
	.text
	.altmacro

#ifdef __x86_64__

/* Call a function with the number that was pushed on the stack after the return address. */
	.macro	call_keeping function
	pushfq
	pushq	%rax
	pushq	%rcx
	pushq	%rdx
	pushq	%rbx
	pushq	%rbp
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	pushq	%r10
	pushq	%r11
	cld
	movq	%rsp, %rbp
	movl	12 * 8(%rbp), %edi
	subq	$512, %rsp
	andq	$-16, %rsp
	fxsave64 (%rsp)
	call	\function
	fxrstor64 (%rsp)
	movq	%rbp, %rsp
	popq	%r11
	popq	%r10
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rbp
	popq	%rbx
	popq	%rdx
	popq	%rcx
	popq	%rax
	popfq
	leaq	8(%rsp), %rsp
	ret
	.endm

	.macro	push_number n
	pushq	$\n
	.endm

#else

	.macro	call_keeping function
	pushfl
	pushal
	cld
	movl	%esp, %ebp
	subl	$4, %esp
	andl	$-16, %esp
	subl	$12, %esp
	pushl	9 * 4(%ebp)
	call	\function
	movl	%ebp, %esp
	popal
	popfl
	leal	4(%esp), %esp
	ret
	.endm

	.macro	push_number n
	pushl	$\n
	.endm

#endif

	.macro	entry name n target
	.globl	name
	.type	name, @function
name:
	push_number n
	jmp	\target
	.size	name, . - name
	.endm

	.macro	pair n
	entry	p5mon_asm_begreg_&n n begin_region
	entry	p5mon_asm_endreg_&n n end_region
	.endm

begin_region:
	call_keeping p5monint_begin
end_region:
	call_keeping p5monint_end
initialize:
	call_keeping p5monint_init

	entry	p5mon_asm_init 0 initialize

	.set	number, 0
	.rept	100
	pair	%number
	.set	number, number + 1
	.endr

	.section .note.GNU-stack, "", @progbits

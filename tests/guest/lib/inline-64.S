/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the code of inline.h for 64 bits. It has as many instructions as inline-32.S. Where
 * inline-32.S stores the upper half of a count, this file has a NOP.
 */

#define SYS_ioctl	16
#define VPMC_READ	0xbf03

/* These are offsets in struct vpmc_page. */
#define COUNTER(i)	(32 + 24 * (i))
#define HIGH(i)		(COUNTER(i) + 16)

/* Read like vpmc_count(). This executes 3 instructions before RDPMC and 3 after it. */
	.macro	READ i
	movq	vpmc_self@gottpoff(%rip), %r8
	movq	%fs:(%r8), %r8
	movl	COUNTER(\i)(%r8), %ecx
	rdpmc
	movslq	%eax, %rdx
	sarq	$63, %rdx
	orq	HIGH(\i)(%r8, %rdx, 8), %rax
	.endm

/*
 * Read both counts into entry @to. This executes 3 instructions before the first RDPMC, and 15 from
 * the first RDPMC on.
 */
	.macro	READ_BOTH to
	READ	0
	movq	%rax, 16 * \to(%rbx)
	nop
	READ	1
	movq	%rax, 16 * \to + 8(%rbx)
	nop
	.endm

/* void inline_span(struct inline_span *span, unsigned n, int fd, void *read) */
	.globl	inline_span
	.type	inline_span, @function
inline_span:
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	movq	%rdi, %rbx
	movl	%esi, %ebp
	movl	%edx, %r12d
	movq	%rcx, %r13
	READ_BOTH 0
/* 1 */	movl	%ebp, %ecx
1:
/* n */	decl	%ecx
/* n */	jnz	1b
	READ_BOTH 1
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	%r12d, %edi
/* 1 */	movl	$VPMC_READ, %esi
/* 1 */	movq	%r13, %rdx
/* 1 */	syscall
/* 1 */	movl	%eax, 48(%rbx)
	READ_BOTH 2
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	ret
	.size	inline_span, . - inline_span
	.globl	inline_span_end
inline_span_end:

	.section .note.GNU-stack, "", @progbits

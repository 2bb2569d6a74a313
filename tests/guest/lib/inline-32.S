/* SPDX-License-Identifier: GPL-2.0-only */
/* This file has the code of inline.h for 32 bits. */

#define SYS_ioctl	54
#define VPMC_READ	0xbf03

/* These are offsets in struct vpmc_page. */
#define COUNTER(i)	(32 + 24 * (i))
#define HIGH(i)		(COUNTER(i) + 20)

/* Arguments, above the saved registers and the return address. */
#define ARG(n)		(4 * (n) + 20)(%esp)

/*
 * Read like vpmc_count(), with a NOP in addition. This executes 3 instructions before RDPMC and 3
 * after it.
 */
	.macro	READ i
	movl	vpmc_self@indntpoff, %ebx
	movl	%gs:(%ebx), %ebx
	movl	COUNTER(\i)(%ebx), %ecx
	rdpmc
	cltd
	movl	HIGH(\i)(%ebx, %edx, 8), %edx
	nop
	.endm

/*
 * Read both counts into entry @to. This executes 3 instructions before the first RDPMC, and 15 from
 * the first RDPMC on.
 */
	.macro	READ_BOTH to
	READ	0
	movl	%eax, 16 * \to(%edi)
	movl	%edx, 16 * \to + 4(%edi)
	READ	1
	movl	%eax, 16 * \to + 8(%edi)
	movl	%edx, 16 * \to + 12(%edi)
	.endm

/* void inline_span(struct inline_span *span, unsigned n, int fd, void *read) */
	.globl	inline_span
	.type	inline_span, @function
inline_span:
	pushl	%ebx
	pushl	%esi
	pushl	%edi
	pushl	%ebp
	movl	ARG(0), %edi
	READ_BOTH 0
/* 1 */	movl	ARG(1), %ecx
1:
/* n */	decl	%ecx
/* n */	jnz	1b
	READ_BOTH 1
/* 1 */	movl	$SYS_ioctl, %eax
/* 1 */	movl	ARG(2), %ebx
/* 1 */	movl	$VPMC_READ, %ecx
/* 1 */	movl	ARG(3), %edx
/* 1 */	int	$0x80
/* 1 */	movl	%eax, 48(%edi)
	READ_BOTH 2
	popl	%ebp
	popl	%edi
	popl	%esi
	popl	%ebx
	ret
	.size	inline_span, . - inline_span
	.globl	inline_span_end
inline_span_end:

	.section .note.GNU-stack, "", @progbits

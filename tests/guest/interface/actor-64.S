/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program is actor-32.S for 64 bits. The instructions are the same, except that
 * the reads of its loop are locked instead of misaligned.
 */
#define SYS_read	0
#define SYS_write	1
#define SYS_exit	60

/* These constants must equal those in contract.c and tests/contract/orders.py. */
#define ANSWERS		99
#define FIRST_ORDERS	100
#define SLOT_SHIFT	11

/* These are the offsets in struct order of contract.c. */
#define ORDERS		0
#define HOW		4
#define ROUNDS		8
#define READS		12
#define NR		16
#define CHILD		20
#define CHILD_ORDERS	24
#define REPLY		28
#define RESULT		32
#define PAD		36
#define ARG(n)		(40 + 8 * (n))
#define DATA		80

	.macro	CALL
	movl	NR(%rbp), %eax
	movq	ARG(0)(%rbp), %rdi
	movq	ARG(1)(%rbp), %rsi
	movq	ARG(2)(%rbp), %rdx
	movq	ARG(3)(%rbp), %r10
	movq	ARG(4)(%rbp), %r8
	syscall
	.endm

	.globl	_start
_start:
	movq	8(%rsp), %rax
	movzbl	(%rax), %ebx
	movl	%ebx, %ebp
	shll	$SLOT_SHIFT, %ebp
	addl	$slots - (FIRST_ORDERS << SLOT_SHIFT), %ebp
	movl	%ebx, ORDERS(%rbp)
next:
	movl	$SYS_read, %eax
	movl	ORDERS(%rbp), %edi
	movl	%ebp, %esi
	movl	$1 << SLOT_SHIFT, %edx
	syscall
	testl	%eax, %eax
	jz	quit
	movl	ROUNDS(%rbp), %ecx
1:	decl	%ecx
	jnz	1b
	movl	READS(%rbp), %ecx
2:	lock addl $0, PAD(%rbp)
	decl	%ecx
	jnz	2b
	movl	HOW(%rbp), %ecx
	jmp	*ways(, %rcx, 8)

call:
	CALL
done:
	movl	%eax, RESULT(%rbp)
answer:
	movl	$SYS_write, %eax
	movl	$ANSWERS, %edi
	movl	%ebp, %esi
	movl	REPLY(%rbp), %edx
	syscall
	jmp	next

create:
	CALL
	testl	%eax, %eax
	jnz	done
	movl	CHILD_ORDERS(%rbp), %ecx
	movl	CHILD(%rbp), %ebp
	movl	%ecx, ORDERS(%rbp)
	jmp	next

count:
	movq	ARG(0)(%rbp), %rbx
	movl	(%rbx), %ecx
	rdpmc
	cltq
	cqto
	movl	20(%rbx, %rdx, 8), %edx
	movl	%eax, DATA(%rbp)
	movl	%edx, DATA + 4(%rbp)
	jmp	answer

quit:
	movl	$SYS_exit, %eax
	syscall

	.section .rodata
	.balign	8
ways:	.quad	call, create, count

	.section .slots, "aw", @nobits
slots:	.skip	16 << SLOT_SHIFT

	.section .note.GNU-stack, "", @progbits

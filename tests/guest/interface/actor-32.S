/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program is an actor: it reads an order, executes it, writes it back with the result, and
 * reads the next order. It does not have a stack. Its whole state is in its slot, to which %ebp
 * points. tests/contract/orders.py has the counts of each part. This file is for 32 bits.
 * actor-64.S has the same counts.
 */
#define SYS_exit	1
#define SYS_read	3
#define SYS_write	4

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
#define ARG(n)		(40 + 8 * (n))
#define DATA		80

	.macro	CALL
	movl	NR(%ebp), %eax
	movl	ARG(0)(%ebp), %ebx
	movl	ARG(1)(%ebp), %ecx
	movl	ARG(2)(%ebp), %edx
	movl	ARG(3)(%ebp), %esi
	movl	ARG(4)(%ebp), %edi
	int	$0x80
	.endm

/*
 * The program's first argument is one byte, the number of the descriptor from which it reads
 * orders.
 */
	.globl	_start
_start:
	movl	4(%esp), %eax
	movzbl	(%eax), %ebx
	movl	%ebx, %ebp
	shll	$SLOT_SHIFT, %ebp
	addl	$slots - (FIRST_ORDERS << SLOT_SHIFT), %ebp
	movl	%ebx, ORDERS(%ebp)
next:
	movl	$SYS_read, %eax
	movl	ORDERS(%ebp), %ebx
	movl	%ebp, %ecx
	movl	$1 << SLOT_SHIFT, %edx
	int	$0x80
	testl	%eax, %eax
	jz	quit
	movl	ROUNDS(%ebp), %ecx
1:	decl	%ecx
	jnz	1b
	movl	READS(%ebp), %ecx
2:	movl	READS + 1(%ebp), %eax	/* misaligned */
	decl	%ecx
	jnz	2b
	movl	HOW(%ebp), %ecx
	jmp	*ways(, %ecx, 4)

call:
	CALL
done:
	movl	%eax, RESULT(%ebp)
answer:
	movl	$SYS_write, %eax
	movl	$ANSWERS, %ebx
	movl	%ebp, %ecx
	movl	REPLY(%ebp), %edx
	int	$0x80
	jmp	next

/* The child continues in its own slot. */
create:
	CALL
	testl	%eax, %eax
	jnz	done
	movl	CHILD_ORDERS(%ebp), %ecx
	movl	CHILD(%ebp), %ebp
	movl	%ecx, ORDERS(%ebp)
	jmp	next

/* Read one count of a struct vpmc_page in the way that vpmc.h describes. */
count:
	movl	ARG(0)(%ebp), %ebx
	movl	(%ebx), %ecx
	rdpmc
	movl	%eax, %edx
	sarl	$31, %edx
	movl	20(%ebx, %edx, 8), %edx
	movl	%eax, DATA(%ebp)
	movl	%edx, DATA + 4(%ebp)
	jmp	answer

/* Exit, because the pipe of orders has been closed. */
quit:
	movl	$SYS_exit, %eax
	int	$0x80

	.section .rodata
ways:	.long	call, create, count

	.section .slots, "aw", @nobits
slots:	.skip	16 << SLOT_SHIFT

	.section .note.GNU-stack, "", @progbits

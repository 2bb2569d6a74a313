/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program is a puppet. At first it writes the address of its order to ANSWERS. Then it reads
 * orders from ORDERS. For each order it makes the requested system call, and writes the result to
 * ANSWERS. Its counts are known, see puppet.h. This file is for 32 bits. puppet-64.S has the same
 * counts.
 */
#define SYS_exit	1
#define SYS_read	3
#define SYS_write	4

/* These are the descriptors of puppet.h. */
#define ORDERS		104
#define ANSWERS		105

/* These are the offsets in struct order of puppet.h. */
#define ORDER_RESULT	24
#define ORDER_SIZE	1636

	.globl	_start
_start:
	movl	$SYS_write, %eax
	movl	$ANSWERS, %ebx
	movl	$where, %ecx
	movl	$4, %edx
	int	$0x80
1:	movl	$SYS_read, %eax
	movl	$ORDERS, %ebx
	movl	$order, %ecx
	movl	$ORDER_SIZE, %edx
	int	$0x80
	testl	%eax, %eax
	jz	2f
	movl	order, %eax
	movl	order + 4, %ebx
	movl	order + 8, %ecx
	movl	order + 12, %edx
	movl	order + 16, %esi
	movl	order + 20, %edi
	int	$0x80
	movl	%eax, order + ORDER_RESULT
	movl	$SYS_write, %eax
	movl	$ANSWERS, %ebx
	movl	$order, %ecx
	movl	$ORDER_SIZE, %edx
	int	$0x80
	jmp	1b
2:	movl	$SYS_exit, %eax
	movl	$0, %ebx
	int	$0x80

	.section .rodata
where:	.long	order

	.bss
	.balign	16
order:	.skip	ORDER_SIZE

	.section .note.GNU-stack, "", @progbits

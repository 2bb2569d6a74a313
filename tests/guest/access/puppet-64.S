/* SPDX-License-Identifier: GPL-2.0-only */
/* This program is puppet-32.S for 64 bits, with the same instructions. */
#define SYS_read	0
#define SYS_write	1
#define SYS_exit	60

/* These are the descriptors of puppet.h. */
#define ORDERS		104
#define ANSWERS		105

/* These are the offsets in struct order of puppet.h. */
#define ORDER_RESULT	48
#define ORDER_SIZE	1664

	.globl	_start
_start:
	movl	$SYS_write, %eax
	movl	$ANSWERS, %edi
	movl	$where, %esi
	movl	$8, %edx
	syscall
1:	movl	$SYS_read, %eax
	movl	$ORDERS, %edi
	movl	$order, %esi
	movl	$ORDER_SIZE, %edx
	syscall
	testl	%eax, %eax
	jz	2f
	movq	order, %rax
	movq	order + 8, %rdi
	movq	order + 16, %rsi
	movq	order + 24, %rdx
	movq	order + 32, %r10
	movq	order + 40, %r8
	syscall
	movq	%rax, order + ORDER_RESULT
	movl	$SYS_write, %eax
	movl	$ANSWERS, %edi
	movl	$order, %esi
	movl	$ORDER_SIZE, %edx
	syscall
	jmp	1b
2:	movl	$SYS_exit, %eax
	movl	$0, %edi
	syscall

	.section .rodata
	.balign	8
where:	.quad	order

	.bss
	.balign	16
order:	.skip	ORDER_SIZE

	.section .note.GNU-stack, "", @progbits

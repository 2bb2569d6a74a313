/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * void call_with(void (*stub)(void), uint32_t flags, struct registers *before,
 *		  struct registers *after);
 *
 * Calls a stub with a different value in each register.
 */
	.section .note.GNU-stack, "", @progbits
	.text

/* These macros change only the structure. */
	.macro	store where
	pushal
	pushfl
	movl	%esp, %esi
	cld
	movl	\where, %edi
	movl	$9, %ecx
	rep movsl
	popfl
	popal
	.endm

	.globl	call_with
call_with:
	pushal
	movl	36(%esp), %eax
	movl	%eax, stub
	movl	44(%esp), %eax
	movl	%eax, before
	movl	48(%esp), %eax
	movl	%eax, after
	pushl	40(%esp)
	movl	$0x11111111, %eax
	movl	$0x22222222, %ebx
	movl	$0x33333333, %ecx
	movl	$0x44444444, %edx
	movl	$0x55555555, %esi
	movl	$0x66666666, %edi
	movl	$0x77777777, %ebp
	popfl
	store	before
	call	*stub
	store	after
	cld
	popal
	ret

	.bss
	.align	4
stub:	.skip	4
before:	.skip	4
after:	.skip	4

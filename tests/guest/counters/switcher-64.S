/* SPDX-License-Identifier: GPL-2.0-only */
/* This program is programs/switcher.S for 64 bits. It has the same number of instructions. */
#define SYS_read		0
#define SYS_write		1
#define SYS_sched_yield		24
#define SYS_exit		60
#define SYS_sched_setaffinity	203

#define ROUNDS	6144

	.macro	CALL nr
	movl	$\nr, %eax
	syscall
	.endm

	.globl	_start
_start:
	popq	%rbp
	decl	%ebp
	movl	$ROUNDS, %ebx
1:	movl	$4, %edi
	movl	$byte, %esi
	movl	$1, %edx
	CALL	SYS_write
	movl	$3, %edi
	CALL	SYS_read
	incl	word + 1
	lock incl shared
	movl	$7, %ecx
2:	decl	%ecx
	jnz	2b
	CALL	SYS_sched_yield
	testl	%ebp, %ebp
	jz	3f
	testl	$7, %ebx
	jnz	3f
	xorl	$3, mask
	xorl	%edi, %edi
	movl	$8, %esi
	movl	$mask, %edx
	CALL	SYS_sched_setaffinity
3:	decl	%ebx
	jnz	1b
	movl	$SYS_exit, %eax
	xorl	%edi, %edi
	syscall

	.data
	.balign	8
word:	.long	0, 0
mask:	.quad	1
shared:	.long	0
byte:	.byte	0

	.section .note.GNU-stack, "", @progbits

/* SPDX-License-Identifier: GPL-2.0-only */
/* This file executes a piece of code with a given state of all registers: see operands.h. */

#ifdef __x86_64__
#define WORD	8
#define AX	%rax
#define CX	%rcx
#define DX	%rdx
#define BX	%rbx
#define SP	%rsp
#define BP	%rbp
#define SI	%rsi
#define DI	%rdi
#define FLAGS	128
#define X87	192
#define YMM	704
#define SIZE	1216
#else
#define WORD	4
#define AX	%eax
#define CX	%ecx
#define DX	%edx
#define BX	%ebx
#define SP	%esp
#define BP	%ebp
#define SI	%esi
#define DI	%edi
#define FLAGS	32
#define X87	64
#define SIZE	704
#endif

	.text
	.globl	runner_run, runner_end
runner_run:
	push	BX
	push	BP
	push	SI
	push	DI
#ifdef __x86_64__
	.irp	n, 12, 13, 14, 15
	push	%r\n
	.endr
	fxrstor64 runner_before + X87
	cmpq	$0, runner_has_avx
	je	1f
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups	runner_before + YMM + 32 * \n, %ymm\n
	.endr
1:	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	runner_before + WORD * \n, %r\n
	.endr
#else
	frstor	runner_before + X87
#endif
	mov	SP, own_stack
	push	runner_before + FLAGS
	popf
	mov	runner_before + 0 * WORD, AX
	mov	runner_before + 1 * WORD, CX
	mov	runner_before + 2 * WORD, DX
	mov	runner_before + 3 * WORD, BX
	mov	runner_before + 4 * WORD, SP
	mov	runner_before + 5 * WORD, BP
	mov	runner_before + 6 * WORD, SI
	mov	runner_before + 7 * WORD, DI
	jmp	*runner_code

runner_end:
	mov	AX, runner_after + 0 * WORD
	mov	CX, runner_after + 1 * WORD
	mov	DX, runner_after + 2 * WORD
	mov	BX, runner_after + 3 * WORD
	mov	SP, runner_after + 4 * WORD
	mov	BP, runner_after + 5 * WORD
	mov	SI, runner_after + 6 * WORD
	mov	DI, runner_after + 7 * WORD
	mov	own_stack, SP
	pushf
	pop	runner_after + FLAGS
	cld
#ifdef __x86_64__
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	%r\n, runner_after + WORD * \n
	.endr
	fxsave64 runner_after + X87
	cmpq	$0, runner_has_avx
	je	1f
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups	%ymm\n, runner_after + YMM + 32 * \n
	.endr
	vzeroupper
1:	fninit
	ldmxcsr	mxcsr
	.irp	n, 15, 14, 13, 12
	pop	%r\n
	.endr
#else
	fnsave	runner_after + X87
#endif
	pop	DI
	pop	SI
	pop	BP
	pop	BX
	ret

	.data
	.globl	runner_before, runner_after, runner_has_avx, runner_code
	.balign	64
runner_before:
	.space	SIZE
	.balign	64
runner_after:
	.space	SIZE
runner_has_avx:
	.space	WORD
runner_code:
	.space	WORD
own_stack:
	.space	WORD
mxcsr:	.long	0x1f80

	.section .note.GNU-stack, "", @progbits

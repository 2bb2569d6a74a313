/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: single-step traps are counted for the kernel, and each stepped instruction counts once
 *
 * The program executes SIGACTION 6, 2 movs, and pushf, or of memory, popf, which sets TF. Each of
 * the next 7 instructions causes a single-step trap when it is done: nop, mov, inc of memory, rep
 * stosb, pushf, and of memory, popf, which clears TF. rep stosb of 5 bytes causes a trap after each
 * iteration: 4 before it is complete, and one after the last. So there are 6 + 5 = 11 traps. The
 * handler executes inc of memory, add, SIGRETURN 3. At the end, cmp and jne check the number of
 * traps.
 *
 *	part			reads		writes
 *	SIGACTION		5		5
 *	pushf; or; popf		2		2
 *	inc			1		1
 *	rep stosb		0		5
 *	pushf; and; popf	2		2
 *	each trap		1 + 1 + 5	1 + 5
 *	cmp			1		0
 *
 * expect:
 *   0x16 = 6 + 2 + 3 + 7 + 11*5 + 2 + 3 = 78
 *   0x12 = 1 + 11 + 1 + 1 = 14
 *   0x00 = 5 + 2 + 1 + 2 + 11*7 + 1 + 5 = 93
 *   0x01 = 5 + 2 + 1 + 5 + 2 + 11*6 + 5 = 86
 *   0x0f = 2 + 11*2 + 2 = 26
 *   clocks = 78 - 1 + 5 = 82
 */
#include "prog.h"

#define X86_EFLAGS_TF	0x100

_start:
	SIGACTION SIGTRAP, action
	movl	$buf, %edi
	movl	$5, %ecx
	pushfl
	orl	$X86_EFLAGS_TF, (%esp)
	popfl
	nop
	movl	%ecx, %ebx
	incl	var
	rep stosb
	pushfl
	andl	$~X86_EFLAGS_TF, (%esp)
	popfl
	cmpl	$11, seen
	jne	fail
	EXIT
fail:	hlt

handler:
	incl	seen
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
seen:	.long	0
var:	.long	0
buf:	.space	8

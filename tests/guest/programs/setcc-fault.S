/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a SETcc whose store faults changes no flag, and stores the right bit when it is repeated
 *
 * SIGACTION 6. For each of the 16 conditions, with the flags set in the same
 * block of instructions and in one before (jmp): the page is taken away (mov,
 * mov, xor, SYSCALL 2); mov, add (CF, PF, ZF, OF); setcc faults, the handler
 * gives the page back (3 loads, SYSCALL 2, add, SIGRETURN 3 = 9 with 1 pop),
 * setcc stores (1 write); pushf, pop, and, cmp, jne; cmp with the byte that is
 * right (1 read), jne. 5 + 2 + 1 + 9 + 5 + 2 = 24, or 25 with the jmp.
 * 3 system calls each.
 *
 * expect:
 *   0x16 = 6 + 16*(24 + 25) + 3 = 793
 *   0x12 = 1 + 16*(2*(3 + 2) + 1) + 1 = 178
 *   0x00 = 5 + 32*(3*5 + 1 + 1 + 1) + 5 = 586
 *   0x01 = 5 + 32*(3*5 + 1 + 1) + 5 = 554
 *   0x0f = 2 + 32*3*2 + 2 = 196
 */
#include "prog.h"

#define PAGE	4096
#define PROT_RW	3

#define CF	0x001
#define PF	0x004
#define AF	0x010
#define ZF	0x040
#define SF	0x080
#define OF	0x800
#define ALL	(CF | PF | AF | ZF | SF | OF)

	.macro	SET condition, bit, jump:vararg
	movl	$page, %ebx
	movl	$PAGE, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_mprotect
	movl	$0x80000000, %eax
	addl	%eax, %eax
	\jump
0:	set\condition page
	pushfl
	popl	%eax
	andl	$ALL, %eax
	cmpl	$(CF | PF | ZF | OF), %eax
	jne	fail
	cmpb	$\bit, page
	jne	fail
	.endm

	.macro	BOTH condition, bit
	SET	\condition, \bit
	SET	\condition, \bit, jmp 0f
	.endm

_start:
	SIGACTION SIGSEGV, action
	.irp	condition, o, b, e, be, p, ns, l, le
	BOTH	\condition, 1
	.endr
	.irp	condition, no, ae, ne, a, np, s, ge, g
	BOTH	\condition, 0
	.endr
	EXIT
fail:	movl	$SYS_exit, %eax
	movl	$1, %ebx
	int	$0x80

handler:
	movl	$page, %ebx
	movl	$PAGE, %ecx
	movl	$PROT_RW, %edx
	SYSCALL	SYS_mprotect
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
	.bss
	.balign	PAGE
page:	.space	PAGE

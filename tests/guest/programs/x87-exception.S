/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an x87 error is noticed by the next waiting instruction, which counts when it completes
 *
 * SIGACTION 6, mov; 10 rounds: fninit, fldcw that unmasks division by zero
 * (1 read), fld1, fldz, fdivrp (divides by zero, which only sets the status),
 * fwait, which faults; the handler clears the error in the saved state (mov,
 * 1 read; and, 1 read, 1 write; add, SIGRETURN 3 with 1 pop), fwait completes;
 * dec, jnz. Round: 6 + 6 + 2 = 14. At the end fninit.
 *
 * expect:
 *   0x16 = 6 + 1 + 10*14 + 1 + 3 = 151
 *   0x12 = 1 + 10*(1 + 1) + 1 = 22
 *   0x00 = 5 + 10*(1 + 1 + 1 + 1 + 5) + 5 = 100
 *   0x01 = 5 + 10*(1 + 5) + 5 = 70
 *   0x0f = 2 + 10*2 + 2 = 24
 */
#include "prog.h"

/* The saved state as FSAVE writes it: control word, status word. */
#define STATUS		4
/* Error summary, busy and all the errors. */
#define ERRORS		0x80ff

_start:
	SIGACTION SIGFPE, action
	movl	$10, %edi
1:	fninit
	fldcw	control
	fld1
	fldz
	fdivrp
	fwait
	decl	%edi
	jnz	1b
	fninit
	EXIT
fail:	hlt

handler:
	movl	SIG_FPSTATE(%esp), %eax
	andl	$~ERRORS, STATUS(%eax)
	addl	$4, %esp
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail
control:
	.word	0x37b

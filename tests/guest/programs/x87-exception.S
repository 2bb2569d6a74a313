/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an x87 error stops the next waiting instruction, which counts when it completes
 *
 * The program executes SIGACTION 6 and a mov, and then 10 rounds of 14 instructions:
 *
 *	fninit
 *	fldcw, which unmasks division by zero	1 read
 *	fld1; fldz
 *	fdivrp, which divides by zero and only sets the status
 *	fwait, which faults
 *	handler, which clears the error in the saved state:
 *	  mov; and				2 reads, 1 write
 *	  add; SIGRETURN 3			1 pop
 *	fwait, repeated
 *	dec; jnz
 *
 * The mov of the handler reads the address of the saved state from the stack. After the rounds, the
 * program executes fninit.
 *
 * expect:
 *   0x16 = 6 + 1 + 10*14 + 1 + 3 = 151
 *   0x12 = 1 + 10*(1 + 1) + 1 = 22
 *   0x00 = 5 + 10*(1 + 1 + 1 + 1 + 5) + 5 = 100
 *   0x01 = 5 + 10*(1 + 5) + 5 = 70
 *   0x0f = 2 + 10*2 + 2 = 24
 */
#include "prog.h"

/* This is the offset of the status word in the state that FSAVE writes. The control word comes first. */
#define STATUS		4
/* These are the bits of the status word for errors: all exceptions, stack fault, error summary and busy. */
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

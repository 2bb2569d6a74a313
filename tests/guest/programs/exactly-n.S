/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This program executes exactly N instructions in user mode. N is at least 4 and is set with
 * -DN=... when the file is assembled. The program consists of a loop of two instructions with as
 * many rounds as fit, of nops for the rest, and of the three instructions of EXIT.
 */
#include "prog.h"

_start:
	.if	N < 8
	.rept	N - 3
	nop
	.endr
	.else
	movl	$(N - 4) / 2, %ecx
1:	decl	%ecx
	jnz	1b
	.rept	(N - 4) % 2
	nop
	.endr
	.endif
	EXIT

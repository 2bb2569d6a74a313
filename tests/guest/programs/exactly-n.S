/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program of exactly N user instructions, N from 4: assembled with -DN=... It has a loop of
 * two instructions, as many rounds as fit, nops for the rest, and the three instructions of the
 * exit.
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has the common part of the programs for models of the microarchitecture.
 *
 * Each makes ROUNDS rounds of the same, after which the caches, TLBs and
 * predictions are as they were before. Its first comment says by how much an
 * event grows in each round, and why:
 *
 *	round:
 *	  EVENT = EXPRESSION = NUMBER
 *
 * or "round (p5):" and "round (mmx):" where the two differ. EVENT is "clocks" or a code,
 * followed by "@N" if it means that of counter N. "round without bus:" has the counts with
 * all models but that of the bus.
 *
 * The state before the first round, and the lines that the kernel displaces at a
 * fault or tick, are not known. But they add less than half an event to each of the
 * rounds, so the number of a round shows.
 */

#include "../programs/prog.h"

#define ROUNDS			4000
#define LINE			32

	.macro	BEGIN_ROUNDS
	movl	$ROUNDS, %ebp
9:
	.endm

/* With MMX, branches that end in the same four bytes share an entry of the BTB. */
	.macro	END_ROUNDS
	.balign	4
	decl	%ebp
	jnz	9b
	EXIT
	.endm

/* Write to pages, so that each is a separate page and not the kernel's page of zeros. */
	.macro	TOUCH buffer, pages
	movl	$\buffer, %esi
	movl	$\pages, %ecx
8:	movb	$1, (%esi)
	addl	$PAGE, %esi
	decl	%ecx
	jnz	8b
	.endm

/* Execute INSN for SIZE bytes of a buffer, with ESI at each STEPth of them. */
	.macro	WALK buffer, size, step, insn:vararg
	movl	$\buffer, %esi
	movl	$(\size) / (\step), %ecx
7:	\insn
	addl	$\step, %esi
	decl	%ecx
	jnz	7b
	.endm

/* A page of one's own may have lines in the cache that others have left there. */
	.macro	EMPTY_CACHE
	TOUCH	elsewhere, 4
	WALK	elsewhere, 16384, LINE, movl (%esi), %eax
	.bss
	.balign	PAGE
elsewhere:
	.skip	16384
	.text
	.endm

	.macro	BUFFER size
	.bss
	.balign	PAGE
buffer:	.skip	\size
	.text
	.endm

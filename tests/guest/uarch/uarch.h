/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This is the common part of the programs for the models of the microarchitecture.
 *
 * Each program executes ROUNDS equal rounds. A round leaves the caches, TLBs and predictions as it
 * found them. The first comment of the program says by how much each event grows in a round, and
 * why:
 *
 *	round:
 *	  EVENT = EXPRESSION = NUMBER
 *
 * or it has two lists, "round (p5):" and "round (mmx):", if the P5 and processors with MMX differ.
 * EVENT is "clocks" or an event code. A code of counter N is followed by "@N". The list "round
 * without bus:" has the counts that result with all models except that of the bus.
 *
 * The state before the first round is not known. It is also not known which lines the kernel
 * displaces at a fault or tick. This state and these lines change the count by less than half an
 * event per round. So the harness checks that the count differs from ROUNDS * NUMBER by less than
 * half of ROUNDS.
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

/*
 * Write to each of the pages, so that each gets memory and does not share the kernel's page of
 * zeros.
 */
	.macro	TOUCH buffer, pages
	movl	$\buffer, %esi
	movl	$\pages, %ecx
8:	movb	$1, (%esi)
	addl	$PAGE, %esi
	decl	%ecx
	jnz	8b
	.endm

/*
 * Execute INSN (SIZE / STEP) times. ESI is the address of the buffer the first time, and then
 * increases by STEP each time.
 */
	.macro	WALK buffer, size, step, insn:vararg
	movl	$\buffer, %esi
	movl	$(\size) / (\step), %ecx
7:	\insn
	addl	$\step, %esi
	decl	%ecx
	jnz	7b
	.endm

/* Remove all lines of the program's pages from the cache. The kernel may have put some there. */
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

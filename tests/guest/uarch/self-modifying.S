/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a write removes its line from the code cache, and a fetch removes it from the data cache
 *
 * The program reads a byte after a function. This misses, because the call of the last round has
 * fetched the line as code. Then the program writes the byte, which hits, and calls the function.
 * This makes the processor write the modified line back and fetch it again. Without the read, the
 * write would miss.
 *
 * round:
 *   0x03 = 1
 *   0x05 = 1 + 1 = 2
 *   0x06 = 1
 *   0x0e = 1
 *   0x04 = 0
 */
#include "uarch.h"

_start:
	MPROTECT function, PROT_ALL
	BEGIN_ROUNDS
	movb	behind, %al
	movb	%al, behind
	call	function
	END_ROUNDS

	.balign	PAGE
function:
	ret
behind:	.byte	0

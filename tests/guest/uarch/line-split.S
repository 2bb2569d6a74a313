/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access that crosses a line looks up two lines
 *
 * The program reads three words, each of which lies in two lines. The lines share sets as in
 * data-conflict.S, but each access needs two lines.
 *
 * round (p5):
 *   0x03 = 3 * 2 = 6
 *   0x0b = 3
 * round (mmx):
 *   0x03 = 0
 *   0x0b = 3
 */
#include "uarch.h"

_start:
	TOUCH	buffer, 3
	BEGIN_ROUNDS
	movl	buffer + LINE - 2, %eax
	movl	buffer + LINE - 2 + PAGE, %eax
	movl	buffer + LINE - 2 + 2 * PAGE, %eax
	END_ROUNDS

	BUFFER	3*PAGE

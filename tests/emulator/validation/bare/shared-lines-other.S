/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: another processor's access shares or takes a line, and a modified line is written back once
 * processors: 2
 *
 * Four lines are modified here. The other processor reads the first line. It increments the
 * second one with a locked instruction, and writes the third one, which misses there. It reads
 * the fourth line, writes it twice and reads it. These are the snoops: the read; the locked
 * read, which takes the line, and the locked write; the write; the read and the first write of
 * the fourth line. All except the locked write hit, and four of them hit a modified line. Then
 * lines 2 to 4 are gone here, and line 1 is shared. Each is read, and the first one is written,
 * on the bus. MAILBOX adds two hits and a read miss, and RET reads the stack.
 *
 * round:
 *   0x07 = 1 + 2 + 1 + 2 + 2 = 8
 *   0x08 = 1 + 1 + 1 + 2 + 2 = 7
 *   0x2c@0 = 4
 *   0x2c@1 = 7
 *   0x06 = 4
 *   0x03 = 3 + 1 = 4
 *   0x04 = 0
 */
#define OTHER
#include "bare.h"

prepare:
	wbinvd
	movl	$other_prepare, %eax
	call	ask
	/* The first write of a line may go to the bus, and the second one modifies the line. */
	READ_LINES 4
	WRITE_LINES 4
	WRITE_LINES 4
	ret

/* After this routine, its code is in the cache. */
other_prepare:
	wbinvd
	call	other
	ret

	.balign	LINE
other:	movl	BUFFER, %eax
	lock incl BUFFER + LINE
	movl	%eax, BUFFER + 2 * LINE
	movl	BUFFER + 3 * LINE, %eax
	movl	%eax, BUFFER + 3 * LINE
	movl	%eax, BUFFER + 3 * LINE
	movl	BUFFER + 3 * LINE, %eax
	ret

	.balign	LINE
body:	movl	$other, %eax
	call	ask
	READ_LINES 4
	movl	%eax, BUFFER
	ret

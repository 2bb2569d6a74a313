/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access that a breakpoint traps is executed and counted once
 *
 * All four breakpoints are enabled and cover a byte. DR0 and DR2 match reads and writes: one is
 * hit by a read, the other by a read that crosses a page. DR1 matches reads and writes, and DR3
 * writes; an increment hits each of them. So the handler is called four times. None of the five
 * lines is in the cache, and everything else is.
 *
 * round:
 *   0x23 = 1
 *   0x24 = 2
 *   0x25 = 1
 *   0x26 = 1
 *   0x03 = 5
 *   0x04 = 0
 *   0x00 = (1 + 1 + 2 + 1) + 1 + 4 * (2 + 1 + 4) = 34
 *   0x01 = 2 + 1 + 4 * (3 + 1) = 19
 */
#include "bare.h"

	.set	DEBUG, 1
	.set	END, BUFFER + PAGE

/*
 * All breakpoints are enabled, for one byte each. DR3 matches writes, and the others match
 * reads and writes.
 */
#define DR7_ALL			0x133300aa

prepare:
	HANDLE_INTERRUPT
	movl	$BUFFER, %eax
	movl	%eax, %dr0
	movl	$BUFFER + LINE, %eax
	movl	%eax, %dr1
	movl	$END + 1, %eax
	movl	%eax, %dr2
	movl	$BUFFER + 2 * LINE, %eax
	movl	%eax, %dr3
	movl	$DR7_ALL, %eax
	movl	%eax, %dr7
	call	body
	wbinvd
	movl	handled, %eax
	movl	gate, %eax
	movl	gdt, %eax
	movl	-4(%esp), %eax
	ret

	.balign	LINE
body:	movb	BUFFER, %al
	nop
	incb	BUFFER + LINE
	nop
	movl	END - 2, %eax
	nop
	incb	BUFFER + 2 * LINE
	ret

	.balign	LINE
handler:
	incl	handled
	iretl

	.balign	LINE
handled:
	.long	0
	IDT_WITH DEBUG

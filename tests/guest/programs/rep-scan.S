/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: REPE and REPNE stop at the element that decides, and count the iterations up to it
 *
 * The text is 10 times 'a', one 'b', and 'a' again. The copy is 32 times 'a'. The program executes
 * 3 movs before each instruction of this table, but only 2 before the last line:
 *
 *	repne scasb for 'b', 32		11 iterations, 1 read each
 *	repe scasb for 'a', 32		11 iterations
 *	repne scasb for 'z', 20		20 iterations, not found
 *	repne scasl, 0			0 iterations
 *	repe cmpsb text, copy, 32	11 iterations, 2 reads each
 *	repne cmpsb text, copy, 32	1 iteration
 *	repe cmpsl text, copy, 8	3 iterations: bytes 8 to 11 differ
 *	repe cmpsb, 0			0 iterations
 *	scasb; cmpsb			1 read; 2 reads
 *
 * expect:
 *   0x16 = 8*4 + 2 + 2 + 3 = 39
 *   0x12 = 1
 *   0x00 = (11 + 11 + 20 + 0) + 2*(11 + 1 + 3 + 0) + 1 + 2 + 5 = 80
 *   0x01 = 5
 *   0x0f = 2
 *   clocks = 8*3 + (11 + 11 + 20 + 1) + (11 + 1 + 3 + 1) + 4 + 3 = 90
 */
#include "prog.h"

	.macro	SCAS al, count
	movl	$text, %edi
	movl	$\count, %ecx
	movb	$\al, %al
	.endm

	.macro	CMPS count
	movl	$text, %esi
	movl	$copy, %edi
	movl	$\count, %ecx
	.endm

_start:
	SCAS	'b', 32
	repne scasb
	SCAS	'a', 32
	repe scasb
	SCAS	'z', 20
	repne scasb
	SCAS	'z', 0
	repne scasl
	CMPS	32
	repe cmpsb
	CMPS	32
	repne cmpsb
	CMPS	8
	repe cmpsl
	CMPS	0
	repe cmpsb
	movl	$text, %edi
	movl	$copy, %esi
	scasb
	cmpsb
	EXIT

	.data
	.balign	16
text:	.fill	10, 1, 'a'
	.byte	'b'
	.fill	21, 1, 'a'
copy:	.fill	32, 1, 'a'

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: reads and writes of ports count as non-cacheable accesses, the reads because of an erratum
 *
 * Two bytes are read, then four bytes that are misaligned, and three bytes by INS. One byte is
 * written, and then two bytes that are misaligned.
 *
 * round:
 *   0x1e = 2 + 2 + 3 = 7
 *   0x2e@1 = 1 + 2 = 3
 *   0x1d = 2 + 2 + 3 + 1 + 2 = 10
 *   0x00 = 1
 *   0x01 = 3 + 1 = 4
 *   0x0b = 1 + 1 = 2
 *
 * round without errata:
 *   0x1e = 0
 *   0x2e@1 = 1 + 2 = 3
 *   0x1d = 2 + 2 + 3 + 1 + 2 = 10
 */
#include "bare.h"

	/*
	 * Some boards display the bytes that are written to this port. The writes have no other
	 * effect.
	 */
	.set	DIAGNOSIS_PORT, 0x80

prepare:
	ret

body:	movl	$OUTPUT_PORT, %edx
	inb	$OUTPUT_PORT, %al
	inb	%dx, %al
	inl	%dx, %eax
	movl	$BUFFER, %edi
	movl	$3, %ecx
	rep insb
	outb	%al, $DIAGNOSIS_PORT
	movl	$DIAGNOSIS_PORT + 3, %edx
	outw	%ax, %dx
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INS and OUTS count an access to the port and one to memory, and with REP one per iteration
 *
 * The program gets access to the ports (mov, iopl with SYSCALL 2), loads the number of the port
 * (mov) and executes these instructions:
 *
 *	mov; outsb; dec; outsl		2 cycles, 2 reads
 *	mov; insb; dec; insl		2 cycles, 2 writes
 *	mov; outsl, source 1 off	1 cycle, 1 read, misaligned
 *	2 movs; rep outsb of 10		10 cycles, 10 reads
 *	2 movs; rep insb of 6		6 cycles, 6 writes
 *
 * expect:
 *   0x16 = 4 + 4 + 4 + 2 + 3 + 3 + 3 = 23
 *   0x12 = 1 + 1 = 2
 *   0x00 = 5 + 2 + 2 + 10 + 5 = 24
 *   0x01 = 5 + 2 + 6 + 5 = 18
 *   0x0b = 1
 *   0x0f = 2 + 2 = 4
 *   0x1d = 2 + 2 + 1 + 10 + 6 = 21
 *   clocks = 23 + 9 + 5 = 37
 *
 * expect-no-errata:
 *   0x00 = 5 + 2 + 1 + 10 + 5 = 23
 */
#include "prog.h"

#define POST	0x80

_start:
	movl	$3, %ebx
	SYSCALL	SYS_iopl
	movl	$POST, %edx
	movl	$buf, %esi
	outsb
	decl	%esi
	outsl
	movl	$buf, %edi
	insb
	decl	%edi
	insl
	movl	$buf + 1, %esi
	outsl
	movl	$buf, %esi
	movl	$10, %ecx
	rep outsb
	movl	$buf, %edi
	movl	$6, %ecx
	rep insb
	EXIT

	.data
	.balign	16
buf:	.fill	32, 1, 'a'

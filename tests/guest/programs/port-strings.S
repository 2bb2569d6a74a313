/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INS and OUTS count their port and their memory, with REP once per iteration
 *
 * Each access to the port also reads the TSS twice, as in ports.S.
 *
 * iopl: mov, SYSCALL 2; 3 loads.
 *
 *	outsb, outsl		1 cycle, 1 read each
 *	insb, insl (mov before)	1 cycle, 1 write each
 *	outsl, source 1 off	1 cycle, 1 read, misaligned (mov before)
 *	rep outsb of 10		10 cycles, 10 reads (2 movs before)
 *	rep insb of 6		6 cycles, 6 writes (2 movs before)
 *	rep outsb of 0		nothing
 *
 * The permission is looked up for each iteration, and once for the REP of 0.
 *
 * expect:
 *   0x16 = 3 + 1 + 3 + 3 + 2 + 3 + 3 + 1 + 3 = 22
 *   0x12 = 1 + 1 = 2
 *   0x01 = 5 + 2 + 6 + 5 = 18
 *   0x0b = 1
 *   0x0f = 2 + 2 = 4
 *   0x1d = 2 + 2 + 1 + 10 + 6 = 21
 *   clocks = 22 + 9 + 5 = 36
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
	rep outsb
	EXIT

	.data
	.balign	16
buf:	.fill	32, 1, 'a'

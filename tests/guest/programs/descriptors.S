/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: LAR, LSL, VERR and VERW read a descriptor and load no segment; VERR and VERW are branches
 *
 * The program executes these instructions:
 *
 *	mov %ds; lar, lsl, verr, verw		1 read for each but the mov
 *	mov %cs; lar, lsl, verr			1 read for each but the mov
 *	xor; lar, lsl, verr			no read: the selector is null
 *	str, sldt, smsw to a register		no read
 *
 * expect:
 *   0x16 = 5 + 4 + 4 + 3 + 3 = 19
 *   0x12 = 2 + 1 + 1 + 1 = 5
 *   0x00 = 4 + 3 + 5 = 12
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	%ds, %ecx
	lar	%ecx, %eax
	lsl	%ecx, %eax
	verr	%cx
	verw	%cx
	movl	%cs, %ecx
	lar	%ecx, %eax
	lsl	%ecx, %eax
	verr	%cx
	xorl	%ecx, %ecx
	lar	%ecx, %eax
	lsl	%ecx, %eax
	verr	%cx
	str	%eax
	sldt	%eax
	smsw	%eax
	EXIT

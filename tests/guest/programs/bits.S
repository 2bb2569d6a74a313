/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: BT and XLAT read, SETcc writes, and BTS, BTR, BTC and double shifts read and write
 *
 * The program loads two registers and then executes these 17 instructions:
 *
 *	bt $n,mem; bt reg,mem			2: 1 read each
 *	bts, btr, btc $n,mem; bts reg,mem	4: 1 read, 1 write each
 *	bsf, bsr mem				2: 1 read each
 *	xlat					1: 1 read
 *	setc mem				1: 1 write
 *	shld $n, shrd cl on mem			2: 1 read, 1 write each
 *	shl, ror, rcl on mem			3: 1 read, 1 write each
 *	bswap, sete reg				2: no access
 *
 * expect:
 *   0x16 = 2 + 17 + 3 = 22
 *   0x12 = 1
 *   0x00 = 2 + 4 + 2 + 1 + 2 + 3 + 5 = 19
 *   0x01 = 4 + 1 + 2 + 3 + 5 = 15
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$37, %ecx
	movl	$var, %ebx
	btl	$3, var
	btl	%ecx, var
	btsl	$3, var
	btrl	$3, var
	btcl	$31, var
	btsl	%ecx, var
	bsfl	var, %eax
	bsrl	var, %eax
	xlatb
	setc	var
	shldl	$5, %edx, var
	shrdl	%cl, %edx, var
	shll	$3, var
	rorl	%cl, var
	rcll	var
	bswap	%eax
	sete	%dl
	EXIT

	.data
	.balign	16
var:	.long	0x1234, 0, 0
	.space	256

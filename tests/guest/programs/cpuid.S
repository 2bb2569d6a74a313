/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a serialising instruction counts as a branch, and RDTSC does not
 *
 * The program runs 40 rounds of xor, cpuid, rdtsc, dec, jnz.
 *
 * expect:
 *   0x16 = 1 + 40*5 + 3 = 204
 *   0x12 = 40*2 + 1 = 81
 *   0x00 = 5
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	movl	$40, %edi
1:	xorl	%eax, %eax
	cpuid
	rdtsc
	decl	%edi
	jnz	1b
	EXIT

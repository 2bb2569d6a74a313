/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a system call counts as one instruction in user mode, whatever the kernel does
 *
 * The program runs 1000 rounds of getpid (mov, int $0x80), dec, jnz.
 *
 * expect:
 *   0x16 = 1 + 1000*4 + 3 = 4004
 *   0x12 = 1000*2 + 1 = 2001
 *   0x00 = 1000*5 + 5 = 5005
 *   0x01 = 1000*5 + 5 = 5005
 *   0x0f = 1000*2 + 2 = 2002
 */
#include "prog.h"

_start:
	movl	$1000, %edi
1:	SYSCALL	SYS_getpid
	decl	%edi
	jnz	1b
	EXIT

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an access through the segment of thread-local storage counts like any other access
 *
 * The program asks set_thread_area for a descriptor and loads its selector into %gs (1 segment
 * register load, 1 read of the descriptor): lea, SYSCALL 2, mov, lea, mov %gs = 6 instructions.
 * Then, after a mov, it runs 100 rounds of a read, a write and an addition in memory through %gs,
 * dec, jnz.
 *
 * expect:
 *   0x16 = 6 + 1 + 100*5 + 3 = 510
 *   0x12 = 1 + 100 + 1 = 102
 *   0x00 = 5 + 1 + 1 + 100*2 + 5 = 212
 *   0x01 = 5 + 100*2 + 5 = 210
 *   0x0f = 2 + 1 + 2 = 5
 */
#include "prog.h"

_start:
	leal	desc, %ebx
	SYSCALL	SYS_set_thread_area
	movl	desc, %eax
	leal	3(,%eax,8), %eax
	movl	%eax, %gs
	movl	$100, %ecx
1:	movl	%gs:0, %eax
	movl	%eax, %gs:4
	addl	$3, %gs:8
	decl	%ecx
	jnz	1b
	EXIT

	.data
	.balign	16
/*
 * A struct user_desc: entry, base, limit in pages, and the flags for 32 bits, limit in pages,
 * usable.
 */
desc:	.long	-1, area, 0xfffff, 0x51
area:	.space	16

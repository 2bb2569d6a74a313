/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a copy-on-write fault adds nothing: the faulting instruction reads once and writes once
 *
 * The first 5 writes give this process its own copies of the 5 pages, and a mov loads the number of
 * rounds. There are 20 rounds of 24 instructions. A round begins with fork (SYSCALL 2, test, jz,
 * mov), after which the process shares all pages with a child that sleeps. Then each line of this
 * table causes a fault:
 *
 *	inc					1 read, 1 write
 *	mov					1 write
 *	push; pop				1 write, 1 read
 *	inc that lies in two pages		1 read, 1 write, both misaligned
 *	lock inc				1 read, 1 write, 1 locked
 *	3 movs; rep movsb of 16 bytes		16 reads, 16 writes
 *
 * The round ends with kill (mov, SYSCALL 2), waitpid (2 xors, SYSCALL 2), dec and jnz. Its
 * instructions are 5 + 6 + 4 + 3 + 4 + 2 = 24.
 *
 * expect:
 *   0x16 = 5 + 1 + 20*24 + 3 = 489
 *   0x12 = 20*(3 + 1 + 1) + 1 = 101
 *   0x00 = 20*(3*5 + 1 + 1 + 2 + 1 + 16) + 5 = 725
 *   0x01 = 5 + 20*(3*5 + 1 + 1 + 1 + 2 + 1 + 16) + 5 = 750
 *   0x0b = 20*2 = 40
 *   0x0f = 20*3*2 + 2 = 122
 *   0x1c = 20
 *   clocks = 489 + 20*15 = 789
 *
 * expect-no-errata:
 *   0x00 = 20*(3*5 + 1 + 1 + 1 + 1 + 16) + 5 = 705
 *   0x01 = 5 + 20*(3*5 + 1 + 1 + 1 + 1 + 1 + 16) + 5 = 730
 */
#include "prog.h"

_start:
	.irp	n, 0, 1, 2, 3, 4
	movl	$1, area + \n * PAGE
	.endr
	movl	$20, %ebp
1:	SYSCALL	SYS_fork
	testl	%eax, %eax
	jz	child
	movl	%eax, %ebx
	incl	area
	movl	$7, area + PAGE
	pushl	%eax
	popl	%eax
	incl	area + 3 * PAGE - 2
	lock incl area + 4 * PAGE
	movl	$area + 100, %esi
	movl	$area + 4 * PAGE + 100, %edi
	movl	$16, %ecx
	rep movsb
	movl	$SIGKILL, %ecx
	SYSCALL	SYS_kill
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_waitpid
	decl	%ebp
	jnz	1b
	EXIT

child:	movl	$sleep, %ebx
	xorl	%ecx, %ecx
	SYSCALL	SYS_nanosleep
	jmp	child

	.data
	.balign	16
sleep:	.long	1000, 0
	.bss
	.balign	4096
area:	.space	5 * PAGE

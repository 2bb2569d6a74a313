/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: interrupts in a REP instruction add nothing, and a signal adds only its handler
 *
 * The program executes SIGACTION 6, and with setitimer (mov, mov, xor, SYSCALL 2) asks for one
 * SIGALRM after 2 ms. Then it executes mov, mov, rep lodsb over 32 MiB of fresh pages. The rep
 * lodsb takes far longer than 2 ms, so the handler (inc of memory, ret, SIGRETURN 3) runs in the
 * middle of it. At the end, cmp and jne check how many times the handler has run.
 *
 * expect:
 *   0x16 = 6 + 5 + 3 + 5 + 2 + 3 = 24
 *   0x12 = 1 + 1 + 2 + 1 + 1 = 6
 *   0x00 = 5 + 5 + 33554432 + (1 + 1 + 1 + 5) + 1 + 5 = 33554456
 *   0x01 = 5 + 5 + (1 + 5) + 5 = 21
 *   0x0f = 2 + 2 + 2 + 2 = 8
 *   clocks = 24 - 1 + 33554432 = 33554455
 */
#include "prog.h"

#define ITIMER_REAL	0
#define SIZE		33554432

_start:
	SIGACTION SIGALRM, action
	movl	$ITIMER_REAL, %ebx
	movl	$timer, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_setitimer
	movl	$area, %esi
	movl	$SIZE, %ecx
	rep lodsb
	cmpl	$1, seen
	jne	fail
	EXIT
fail:	hlt

handler:
	incl	seen
	ret

restorer:
	SIGRETURN

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, restorer
/* This is a struct itimerval: interval and value, each in seconds and microseconds. */
timer:	.long	0, 0, 0, 2000
seen:	.long	0
	.bss
	.balign	4096
area:	.space	SIZE

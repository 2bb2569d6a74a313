/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a signal adds its handler and its return to the count, and nothing else
 *
 * SIGACTION 6, getpid 2, mov of the pid; then 100 times: mov signal, SYSCALL 2
 * (kill), and the handler before kill returns: inc of memory, ret to the
 * restorer (1 read), SIGRETURN 3 (1 read); dec, jnz. At the end a comparison
 * with the handler's count.
 *
 * expect:
 *   0x16 = 6 + 2 + 1 + 1 + 100*(3 + 2 + 3 + 2) + 2 + 3 = 1015
 *   0x12 = 1 + 1 + 100*(1 + 1 + 1 + 1) + 1 + 1 = 404
 *   0x00 = 5 + 5 + 100*(5 + 1 + 1 + 1 + 5) + 1 + 5 = 1316
 *   0x01 = 5 + 5 + 100*(5 + 1 + 5) + 5 = 1115
 *   0x0f = 2 + 2 + 100*(2 + 2) + 2 = 406
 */
#include "prog.h"

_start:
	SIGACTION SIGUSR1, action
	SYSCALL	SYS_getpid
	movl	%eax, %ebx
	movl	$100, %edi
1:	movl	$SIGUSR1, %ecx
	SYSCALL	SYS_kill
	decl	%edi
	jnz	1b
	cmpl	$100, seen
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
seen:	.long	0

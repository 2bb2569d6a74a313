/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: a signal adds only its handler and its return to the count
 *
 * The program executes SIGACTION 6, getpid (SYSCALL 2) and 2 movs, and then 100 rounds of 10
 * instructions:
 *
 *	mov; kill with SYSCALL 2
 *	handler, before kill returns: inc of memory; ret to the restorer
 *						2 reads, 1 write
 *	SIGRETURN 3				1 pop
 *	dec; jnz
 *
 * At the end, cmp and jne check how many times the handler has run.
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

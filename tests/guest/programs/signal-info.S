/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: the kernel's code that returns from a signal handler is counted like the program's code
 *
 * With SA_SIGINFO and without a restorer, the handler returns to code of the vDSO: mov, int $0x80
 * (rt_sigreturn). The program executes SIGACTION 6, getpid (SYSCALL 2) and 2 movs, and then 20
 * rounds of 9 instructions: mov, kill (SYSCALL 2), inc of memory and ret in the handler, 2 in the
 * vDSO, dec, jnz. At the end, cmp and jne check how many times the handler has run.
 *
 * expect:
 *   0x16 = 6 + 2 + 1 + 1 + 20*(3 + 2 + 2 + 2) + 2 + 3 = 195
 *   0x12 = 1 + 1 + 20*(1 + 1 + 1 + 1) + 1 + 1 = 84
 *   0x00 = 5 + 5 + 20*(5 + 1 + 1 + 5) + 1 + 5 = 256
 *   0x01 = 5 + 5 + 20*(5 + 1 + 5) + 5 = 235
 *   0x0f = 2 + 2 + 20*(2 + 2) + 2 = 86
 */
#include "prog.h"

_start:
	SIGACTION SIGUSR1, action
	SYSCALL	SYS_getpid
	movl	%eax, %ebx
	movl	$20, %edi
1:	movl	$SIGUSR1, %ecx
	SYSCALL	SYS_kill
	decl	%edi
	jnz	1b
	cmpl	$20, seen
	jne	fail
	EXIT
fail:	hlt

handler:
	incl	seen
	ret

	.data
	.balign	16
action:	ACTION	handler, SA_SIGINFO, 0
seen:	.long	0

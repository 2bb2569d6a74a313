/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction that lies in two pages counts once, though the second page faults
 *
 * The kernel maps up to 16 pages of a file around a fault, those of an aligned
 * 64 KiB. At the end of each of 4 such blocks lies a 5-byte mov whose last 3
 * bytes are in the next block, then a jump to the next mov.
 * Then one where the page is forbidden at first: mprotect (3 loads, SYSCALL
 * 2), SIGACTION 6, a jump there, the mov faults, the handler permits the page
 * (3 loads, SYSCALL 2, add, SIGRETURN 3), the mov, a jump back.
 *
 * Instructions: jmp, 4*2; 5 + 6 + 1 + 9 + 2
 *
 * expect:
 *   0x16 = 1 + 4*2 + 5 + 6 + 1 + 9 + 2 + 3 = 35
 *   0x12 = 1 + 4 + 1 + 1 + 1 + 2 + 1 + 1 = 12
 *   0x00 = 5*4 + 1 + 5 = 26
 *   0x01 = 5*4 + 5 = 25
 *   0x0f = 2*4 + 2 = 10
 */
#include "prog.h"

#define BLOCK		65536

/* The page that the mov ends in; no symbol, for the sake of disassemblers. */
#define FORBIDDEN	(into_forbidden + 2)

_start:
	jmp	cross0
back:	MPROTECT FORBIDDEN, PROT_NONE
	SIGACTION SIGSEGV, action
	jmp	into_forbidden
done:	EXIT
fail:	hlt

handler:
	PERMIT	FORBIDDEN, PROT_READ_EXEC

	.balign	BLOCK
	.space	BLOCK - 2
cross0:	movl	$1, %eax
	jmp	cross1
	.balign	BLOCK
	.space	BLOCK - 2
cross1:	movl	$2, %eax
	jmp	cross2
	.balign	BLOCK
	.space	BLOCK - 2
cross2:	movl	$3, %eax
	jmp	cross3
	.balign	BLOCK
	.space	BLOCK - 2
cross3:	movl	$4, %eax
	jmp	back

	.balign	BLOCK
	.space	4096 - 2
into_forbidden:
	movl	$5, %eax
	jmp	done

	.data
	.balign	16
action:	ACTION	handler, SA_RESTORER, fail

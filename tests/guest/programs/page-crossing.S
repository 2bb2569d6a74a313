/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an instruction that lies in two pages counts once, even if the second page faults
 *
 * When a page of a file faults, the kernel maps up to 16 pages with it: those of the aligned 64 KiB
 * around the fault. The program jumps to the first of 4 such blocks. The last 2 bytes of each block
 * and the first 3 bytes of the next one hold a 5-byte mov, so its second page faults. A jmp to the
 * next mov follows each mov, and the last jmp goes back.
 *
 * Then the program forbids a page that a further mov reaches into (MPROTECT 5), executes SIGACTION
 * 6 and jumps to this mov, which faults. The handler permits the page (PERMIT 9 with 1 pop), the
 * mov is repeated, and a jmp goes back.
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

/*
 * The page in which the mov ends. It has no symbol, because a symbol inside an instruction confuses
 * disassemblers.
 */
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

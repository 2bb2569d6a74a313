/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: page faults on a mapped file add nothing to the counts
 *
 * The program opens its own file (3 loads of registers, SYSCALL 2), jumps if this has failed (test,
 * js), and maps 8 pages of the file with mmap2 (6 loads of registers, SYSCALL 2). Two movs prepare
 * the 8 rounds: a read, a write (which makes a private copy of the page), an inc in memory, add,
 * dec, jnz.
 *
 * expect:
 *   0x16 = 7 + 8 + 1 + 1 + 8*6 + 3 = 68
 *   0x12 = 1 + 1 + 1 + 8 + 1 = 12
 *   0x00 = 2*5 + 8*2 + 5 = 31
 *   0x01 = 2*5 + 8*2 + 5 = 31
 *   0x0f = 2*2 + 2 = 6
 */
#include "prog.h"

#define PAGES		8
#define MAP_PRIVATE	2

_start:
	movl	$path, %ebx
	xorl	%ecx, %ecx
	xorl	%edx, %edx
	SYSCALL	SYS_open
	testl	%eax, %eax
	js	fail
	movl	%eax, %edi
	xorl	%ebx, %ebx
	movl	$PAGES * PAGE, %ecx
	movl	$PROT_READ_WRITE, %edx
	movl	$MAP_PRIVATE, %esi
	xorl	%ebp, %ebp
	SYSCALL	SYS_mmap2
	movl	%eax, %ebx
	movl	$PAGES, %ecx
1:	movl	(%ebx), %eax
	movl	%eax, 4(%ebx)
	incl	8(%ebx)
	addl	$PAGE, %ebx
	decl	%ecx
	jnz	1b
	EXIT
fail:	hlt

	.data
path:	.asciz	"/proc/self/exe"
	.balign	PAGE
	.fill	PAGES * PAGE, 1, 'a'

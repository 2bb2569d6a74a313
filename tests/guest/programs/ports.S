/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: IN and OUT count as one I/O cycle, or as two if they are misaligned
 *
 * The kernel grants the ports with the bitmap of the TSS. The processor reads this bitmap, but
 * these reads do not count as data reads (docs/guide/events.md).
 *
 * The program gets access to the ports (mov, iopl with SYSCALL 2). It uses port 0x80, which takes
 * diagnostic codes, so that writes are harmless:
 *
 *	outb and inb by number; mov to dx;
 *	outw, outl, inw by dx		6 instructions, 5 cycles
 *	mov of 0x82 to dx; outl; inl	3 instructions, 4 cycles, 2 misaligned
 *	mov of 0x83 to dx; outw		2 instructions, 2 cycles, 1 misaligned
 *
 * expect:
 *   0x16 = 3 + 6 + 3 + 2 + 3 = 17
 *   0x12 = 1 + 1 = 2
 *   0x00 = 5 + 5 = 10
 *   0x01 = 5 + 5 = 10
 *   0x0b = 2 + 1 = 3
 *   0x0f = 2 + 2 = 4
 *   0x1d = 5 + 4 + 2 = 11
 */
#include "prog.h"

#define POST	0x80

_start:
	movl	$3, %ebx
	SYSCALL	SYS_iopl
	outb	%al, $POST
	inb	$POST, %al
	movl	$POST, %edx
	outw	%ax, %dx
	outl	%eax, %dx
	inw	%dx, %ax
	movl	$POST + 2, %edx
	outl	%eax, %dx
	inl	%dx, %eax
	movl	$POST + 3, %edx
	outw	%ax, %dx
	EXIT

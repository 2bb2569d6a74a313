/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: an MMX instruction that can saturate counts once if one or more of its results saturate
 * cpu: mmx
 *
 * Each of 11 instructions is executed twice: first with results that fit, then with at least one
 * result that is cut off. The last PSUBSB subtracts a register from itself, and its results fit.
 * PADDB cannot saturate and does not count.
 *
 * round:
 *   0x2f@0 = 2 * 11 + 1 = 23
 *   0x2f@1 = 11
 */
#include "uarch.h"

	/* INSN is executed with DEST and SOURCE, then with DEST and TOO_MUCH. */
	.macro	SATURATE insn, dest, source, too_much
	movq	\dest, %mm0
	\insn	\source, %mm0
	movq	\dest, %mm0
	movq	\too_much, %mm1
	\insn	%mm1, %mm0
	.endm

_start:
	BEGIN_ROUNDS
	SATURATE paddsb, bytes_100, bytes_27, bytes_1_28
	SATURATE paddusb, bytes_100, bytes_27, bytes_156
	SATURATE psubsb, bytes_minus_100, bytes_27, bytes_1_29
	SATURATE psubusb, bytes_100, bytes_27, bytes_156
	SATURATE paddsw, words_30000, words_2767, words_1_2768
	SATURATE paddusw, words_30000, words_30000, words_36000
	SATURATE psubsw, words_minus_30000, words_2767, words_1_2769
	SATURATE psubusw, words_30000, words_2767, words_36000
	SATURATE packsswb, words_127, words_minus_128, words_128
	SATURATE packuswb, words_255, words_127, words_minus_128
	SATURATE packssdw, longs_32767, longs_32767, longs_32768
	movq	bytes_100, %mm2
	paddb	%mm2, %mm2
	movq	bytes_100, %mm2
	psubsb	%mm2, %mm2
	END_ROUNDS

	.data
	.balign	8
bytes_100:
	.fill	8, 1, 100
bytes_minus_100:
	.fill	8, 1, -100
bytes_27:
	.fill	8, 1, 27
bytes_156:
	.fill	8, 1, 156
bytes_1_28:
	.byte	0, 0, 28, 0, 0, 0, 0, 0
bytes_1_29:
	.byte	0, 0, 0, 0, 0, 0, 0, 29
words_30000:
	.fill	4, 2, 30000
words_minus_30000:
	.fill	4, 2, -30000
words_2767:
	.fill	4, 2, 2767
words_36000:
	.fill	4, 2, 36000
words_1_2768:
	.word	0, 2768, 0, 0
words_1_2769:
	.word	0, 0, 0, 2769
words_127:
	.fill	4, 2, 127
words_128:
	.word	127, 127, 127, 128
words_255:
	.fill	4, 2, 255
words_minus_128:
	.fill	4, 2, -128
longs_32767:
	.fill	2, 4, 32767
longs_32768:
	.long	-32768, 32768

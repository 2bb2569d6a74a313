/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: INVD empties the caches and writes nothing back
 *
 * The program is like wbinvd.S, with INVD.
 *
 * round:
 *   0x06 = 0
 *   0x03 = 4 + 1 = 5
 *   0x04 = 0
 *   0x05 = 1
 */
#include "bare.h"

prepare:
	wbinvd
	READ_LINES 4
	WRITE_LINES 4
	ret

	.balign	LINE
body:	invd
	READ_LINES 4
	ret

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rule: counting begins with a program's first instruction and ends with its last one
 *
 * This is the shortest program that there is. All other programs end with these instructions.
 *
 * expect:
 *   0x16 = 3
 *   0x12 = 1
 *   0x00 = 5
 *   0x01 = 5
 *   0x0f = 2
 */
#include "prog.h"

_start:
	EXIT

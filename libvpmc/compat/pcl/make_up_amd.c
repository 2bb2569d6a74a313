// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AMD's processors. Of all of them: AMD64 Architecture Programmer's Manual, volume 2,
 * "Performance Monitoring Counters".
 */
#include "make_up.h"
#include "pcl.h"

/* clang-format off */
static const struct pclint_make_up amd[] = {
	PCLINT_COUNT(PCL_CYCLES, "cycles"),
	PCLINT_COUNT(PCL_LOAD_INSTR, "loads"),
	PCLINT_COUNT(PCL_STORE_INSTR, "stores"),
	PCLINT_COUNT(PCL_LOADSTORE_INSTR, "loads + stores"),
	PCLINT_COUNT(PCL_INSTR, "instructions"),
	PCLINT_COUNT(PCL_JUMP_SUCCESS, "branches - branch-misses"),
	PCLINT_COUNT(PCL_JUMP_UNSUCCESS, "branch-misses"),
	PCLINT_COUNT(PCL_JUMP, "branches"),
	PCLINT_RATIO(PCL_IPC, "instructions", "cycles"),
};
/* clang-format on */

const struct pclint_table pclint_amd = PCLINT_TABLE(amd);

// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest_counts: PCL on real counters. Prints "ok" and "FAIL" lines.
 */
#include <string.h>

#include "check.h"
#include "exact.h"
#include "pcl.h"

static PCL_DESCR_TYPE descr;

/* What a loop of n rounds counts, with the calls around it. */
static bool count(int *events, int nr, unsigned int mode, unsigned int n,
		  PCL_CNT_TYPE *counts, PCL_FP_CNT_TYPE *ratios)
{
	int status = PCLstart(descr, events, nr, mode);

	if (status)
		return check(false, "PCLstart() returns %d", status);
	exact_loop(n);
	status = PCLstop(descr, counts, ratios, nr);
	return !status || check(false, "PCLstop() returns %d", status);
}

/* From a loop of one round to one of more, user mode counts what is in them. */
static void check_exact(void)
{
	const unsigned int more = 12345;
	int events[] = { PCL_INSTR, PCL_JUMP };
	PCL_CNT_TYPE one[2], many[2];

	if (!count(events, 2, PCL_MODE_USER, 1, one, NULL) ||
	    !count(events, 2, PCL_MODE_USER, 1 + more, many, NULL))
		return;
	check(many[0] - one[0] == EXACT_INSTRUCTIONS(more),
	      "PCL_INSTR counts each instruction: %lld",
	      (long long)(many[0] - one[0]));
	check(many[1] - one[1] == EXACT_BRANCHES(more),
	      "PCL_JUMP counts each branch: %lld",
	      (long long)(many[1] - one[1]));
}

int main(void)
{
	if (!check(PCLinit(&descr) == PCL_SUCCESS, "there is a handle"))
		return check_status();
	check_exact();
	check(PCLexit(descr) == PCL_SUCCESS, "the handle is released");
	return check_status();
}

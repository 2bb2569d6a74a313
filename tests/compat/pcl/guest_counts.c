// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest_counts: test PCL on real counters. The program prints "ok" and "FAIL" lines.
 */
#include <math.h>

#include "check.h"
#include "exact.h"
#include "pcl.h"

/* The two loops of a test differ by this number of rounds. */
#define MORE 12345

static PCL_DESCR_TYPE descr;

static bool is_well(int status, const char *call)
{
	return !status || check(false, "%s returns %d", call, status);
}

/* Count a loop, together with the calls around it. */
static bool count(int *events, int nr, unsigned int mode, unsigned int rounds,
		  PCL_CNT_TYPE *counts)
{
	if (!is_well(PCLstart(descr, events, nr, mode), "PCLstart()"))
		return false;
	exact_loop(rounds);
	return is_well(PCLstop(descr, counts, NULL, nr), "PCLstop()");
}

static void check_more(PCL_CNT_TYPE one, PCL_CNT_TYPE many, PCL_CNT_TYPE want,
		       const char *what)
{
	check(many - one == want, "%s: %lld more", what,
	      (long long)(many - one));
}

static void check_exact(void)
{
	int events[] = { PCL_INSTR, PCL_JUMP };
	PCL_CNT_TYPE one[2], many[2];

	if (!count(events, 2, PCL_MODE_USER, 1, one) ||
	    !count(events, 2, PCL_MODE_USER, 1 + MORE, many))
		return;
	check_more(one[0], many[0], EXACT_INSTRUCTIONS(MORE),
		   "PCL_INSTR counts each instruction");
	check_more(one[1], many[1], EXACT_BRANCHES(MORE),
		   "PCL_JUMP counts each branch");
}

/* Check that counts of user mode do not include the kernel's work for the program. */
static void check_modes(void)
{
	int event = PCL_INSTR;
	PCL_CNT_TYPE user, system, both;

	if (!count(&event, 1, PCL_MODE_USER, MORE, &user) ||
	    !count(&event, 1, PCL_MODE_SYSTEM, MORE, &system) ||
	    !count(&event, 1, PCL_MODE_USER_SYSTEM, MORE, &both))
		return;
	check(user > EXACT_INSTRUCTIONS(MORE) &&
		      user < EXACT_INSTRUCTIONS(MORE) + 1000,
	      "user mode counts the loop: %lld", (long long)user);
	check(system > 0, "system mode counts the calls: %lld",
	      (long long)system);
	check(both > user && both > system, "both count both: %lld",
	      (long long)both);
}

/* Count one loop in a nested start, and all loops in the start around it. */
static bool count_nested(unsigned int rounds, PCL_CNT_TYPE *inner,
			 PCL_CNT_TYPE *outer)
{
	int event = PCL_INSTR;

	if (!is_well(PCLstart(descr, &event, 1, PCL_MODE_USER), "PCLstart()"))
		return false;
	exact_loop(rounds);
	if (!count(&event, 1, PCL_MODE_USER, rounds, inner))
		return false;
	return is_well(PCLstop(descr, outer, NULL, 1), "PCLstop()");
}

static void check_nested(void)
{
	PCL_CNT_TYPE inner, outer, more_inner, more_outer;

	if (!count_nested(1, &inner, &outer) ||
	    !count_nested(1 + MORE, &more_inner, &more_outer))
		return;
	check_more(inner, more_inner, EXACT_INSTRUCTIONS(MORE),
		   "a start within another one counts its own");
	check_more(outer, more_outer, 2 * EXACT_INSTRUCTIONS(MORE),
		   "the outer one counts all");
}

/* A ratio is computed from counts of one moment. */
static void check_ratio(void)
{
	int events[] = { PCL_IPC, PCL_INSTR, PCL_CYCLES };
	PCL_CNT_TYPE counts[3] = { 0 };
	PCL_FP_CNT_TYPE ratios[3] = { 0 };

	if (!is_well(PCLstart(descr, events, 3, PCL_MODE_USER), "PCLstart()"))
		return;
	exact_loop(MORE);
	if (!is_well(PCLstop(descr, counts, ratios, 3), "PCLstop()"))
		return;
	/* Intermediate results of the x87 are longer than a double. */
	check(counts[1] > 0 && fabs(ratios[0] * (double)counts[2] -
				    (double)counts[1]) < 1e-6,
	      "the ratio of %lld and %lld is %f", (long long)counts[1],
	      (long long)counts[2], ratios[0]);
}

static void check_elapsed(void)
{
	int event = PCL_ELAPSED_CYCLES;
	PCL_CNT_TYPE cycles;

	if (count(&event, 1, PCL_MODE_USER, MORE, &cycles))
		check(cycles > 0, "clocks elapse: %lld", (long long)cycles);
}

/* The emulated processor does not have caches. PCL reports this. */
static void check_never(void)
{
	int event = PCL_L1ICACHE_MISS;
	const int status = PCLquery(descr, &event, 1, PCL_MODE_USER);

	check(status == PCL_NOT_SUPPORTED,
	      "what is not emulated is not supported: %d", status);
}

int main(void)
{
	if (!check(PCLinit(&descr) == PCL_SUCCESS, "there is a handle"))
		return check_status();
	check_exact();
	check_modes();
	check_nested();
	check_ratio();
	check_elapsed();
	check_never();
	check(PCLexit(descr) == PCL_SUCCESS, "the handle is released");
	return check_status();
}

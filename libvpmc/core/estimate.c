// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Estimate the reliability of a count that covers a part of the time.
 *
 * The turns of an event are a sample of all turns, because the first event of each round is chosen
 * at random. Events outside the sampled turns are not known. The count for the whole time is
 * estimated by the ratio of counts and clocks in the sample. Its error is estimated by the
 * deviations of the turns from this ratio (W. G. Cochran, Sampling Techniques, 3rd edition, chapter
 * 6). This covers both a program that changes its behaviour and the time that the kernel takes from
 * a turn. Each round has one turn of every event, which makes the true error slightly smaller than
 * the estimate.
 */
#include <math.h>

#include "base/internal.h"

/* Fewer turns do not suffice for an estimate. */
#define FEWEST_TURNS 10

/*
 * Turns of unequal length, and counts that differ much, carry less information than their
 * number suggests. They must have the information of at least this number of equal turns.
 */
#define FEWEST_EQUAL 6

/*
 * The turns that were not counted may differ from all counted turns. The interval allows for this
 * number of further turns whose error is a whole mean turn.
 */
#define UNSEEN_TURNS 2

/*
 * Counts of few different sizes are not distributed normally, so the interval of Student's t
 * contains the number too rarely. This factor corrects the worst case that was found: programs that
 * change their behaviour at every tick.
 */
#define WIDER 1.08

/* This is the two-sided quantile of the normal distribution for VPMC_CONFIDENCE. */
#define NORMAL 1.959964

void vpmc_spread_add(struct vpmc_spread *sum, const struct vpmc_spread *more)
{
	unsigned int i;

	if (!sum->nr) {
		*sum = *more;
		return;
	}
	for (i = 0; i < more->nr && i < sum->nr; i++) {
		sum->event[i].nr += more->event[i].nr;
		sum->event[i].count_squares += more->event[i].count_squares;
		sum->event[i].products += more->event[i].products;
		sum->event[i].time_squares += more->event[i].time_squares;
		if (sum->event[i].unit < more->event[i].unit)
			sum->event[i].unit = more->event[i].unit;
	}
}

/*
 * Compute a square root by Newton's method, so that programs need not be linked with the
 * mathematical library.
 */
static double square_root(double x)
{
	double root = x > 1 ? x : 1, next;

	if (x <= 0)
		return 0;
	next = (root + x / root) / 2;
	while (next < root) {
		root = next;
		next = (root + x / root) / 2;
	}
	return root;
}

/*
 * Compute Student's t by its series. From 5 degrees of freedom on, its error is below 0.2 per cent.
 */
static double student(double freedom)
{
	const double z = NORMAL, z2 = z * z;

	return z + z * (z2 + 1) / (4 * freedom) +
	       z * ((5 * z2 + 16) * z2 + 3) / (96 * freedom * freedom) +
	       z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) /
		       (384 * freedom * freedom * freedom);
}

/* Sum the squares of the turns' clocks. Each turn may have lost up to a unit of its square. */
static double time_squares(const struct vpmc_turns_of *turns)
{
	return turns->time_squares + (double)turns->nr * turns->unit;
}

/* Returns how many turns of equal length carry the same information. */
static double equal_turns(double time, const struct vpmc_turns_of *turns)
{
	return time * time / time_squares(turns);
}

/* Returns the half-width of the interval of the ratio. */
static double margin(double count, double time,
		     const struct vpmc_turns_of *turns, double freedom)
{
	const double ratio = count / time;
	const double equal = equal_turns(time, turns);
	double squares = turns->count_squares + turns->unit -
			 2 * ratio * turns->products +
			 ratio * ratio * time_squares(turns);

	if (squares < 0)
		squares = 0;
	squares += UNSEEN_TURNS * ratio * ratio * time_squares(turns) /
		   (double)turns->nr;
	return WIDER * student(freedom) *
	       square_root(squares * equal / (equal - 1)) / time;
}

static uint64_t whole(double value)
{
	return value < (double)UINT64_MAX ? (uint64_t)value : UINT64_MAX;
}

static enum vpmc_known judge(double count, double time,
			     const struct vpmc_turns_of *turns, double *freedom)
{
	double equal, filled;

	if (!turns || turns->nr < FEWEST_TURNS)
		return VPMC_FEW_TURNS;
	/* The difference of two infinite sums is not a number. */
	if (!isfinite(turns->count_squares) || !isfinite(turns->products) ||
	    !isfinite(turns->time_squares))
		return VPMC_MANY_TURNS;
	equal = equal_turns(time, turns);
	if (equal < FEWEST_EQUAL)
		return VPMC_FEW_TURNS;
	if (count <= 0)
		return VPMC_NEVER_SEEN;
	filled = count * count / (turns->count_squares + turns->unit);
	if (filled < FEWEST_EQUAL)
		return VPMC_FEW_BURSTS;
	*freedom = (filled < equal ? filled : equal) - 1;
	return VPMC_KNOWN_ROUGHLY;
}

int vpmc_estimate(uint64_t count, uint64_t time, uint64_t tsc,
		  const struct vpmc_turns_of *turns,
		  struct vpmc_estimated *estimate)
{
	const double counted = (double)count, part = (double)time;
	enum vpmc_known known;
	double off, freedom;

	if (time >= tsc) {
		*estimate = (struct vpmc_estimated){ count, count, count };
		return VPMC_KNOWN_EXACTLY;
	}
	if (!time)
		return VPMC_NEVER_COUNTED;
	known = judge(counted, part, turns, &freedom);
	if (known != VPMC_KNOWN_ROUGHLY)
		return (int)known;
	off = margin(counted, part, turns, freedom);
	estimate->count = vpmc_project(count, time, tsc);
	/* The number is at least the count itself. */
	estimate->low = count;
	if ((counted / part - off) * (double)tsc > counted)
		estimate->low = whole((counted / part - off) * (double)tsc);
	estimate->high = whole((counted / part + off) * (double)tsc + 1);
	return VPMC_KNOWN_ROUGHLY;
}

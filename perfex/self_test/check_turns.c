// SPDX-License-Identifier: GPL-2.0-only
/* Check that events that share a counter are counted in turns that follow each other exactly. */
#include "self_test/checks.h"

#include <inttypes.h>

#include "self_test/meter.h"
#include "util/clock.h"

#define ROUNDS	(1U << 18)
#define MOST_NS (10 * NS_PER_S)

/* Return the next counter that counts instructions, or 32. */
static unsigned int next_counter(const struct bench *bench, unsigned int from)
{
	while (from < 32 && !(bench->counters & 1U << from))
		from++;
	return from;
}

/* Run until both events that share a counter have had a turn. */
static int run_turns(struct meter *meter, struct vpmc_counts *counts)
{
	const uint64_t end = now() + MOST_NS;
	int failure;

	do {
		spin(ROUNDS);
		failure = vpmc_read(meter->vpmc, VPMC_THREAD, counts,
				    &meter->err);
	} while (!failure && !(counts->count[0] && counts->count[1]) &&
		 now() < end);
	return failure;
}

static void judge_turns(const struct bench *bench, struct verdict *verdict,
			const struct vpmc_counts *counts)
{
	const uint64_t sum = counts->count[0] + counts->count[1],
		       whole = counts->count[2];
	const uint64_t least = sum < whole ? sum : whole;

	if (!counts->count[0] || !counts->count[1])
		give(verdict, CHECK_FAILED, "an event never had a turn");
	else if (!is_right(bench, sum + whole - least, least))
		give(verdict, CHECK_FAILED,
		     "%" PRIu64 " and %" PRIu64 " in turns, %" PRIu64
		     " as a whole",
		     counts->count[0], counts->count[1], whole);
	else
		give(verdict, CHECK_PASSED,
		     "%" PRIu64 " and %" PRIu64 " are %" PRIu64,
		     counts->count[0], counts->count[1], whole);
}

/* Two events that are the same share a counter. Another counter counts the event all the time. */
void check_turns(struct bench *bench, struct verdict *verdict)
{
	const unsigned int shared = next_counter(bench, 0),
			   other = next_counter(bench, shared + 1);
	struct vpmc_event_sel sel[3] = { bench->instructions,
					 bench->instructions,
					 bench->instructions };
	struct vpmc_counts counts;
	struct meter meter;

	if (other == 32) {
		give(verdict, CHECK_NOT_HERE,
		     "one counter only counts instructions");
		return;
	}
	sel[0].counter = (int)shared;
	sel[1].counter = (int)shared;
	sel[2].counter = (int)other;
	if (open_meter(&meter, sel, 3, VPMC_MULTIPLEX) ||
	    run_turns(&meter, &counts))
		give_error(verdict, &meter.err);
	else
		judge_turns(bench, verdict, &counts);
	close_meter(&meter);
}

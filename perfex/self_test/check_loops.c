// SPDX-License-Identifier: GPL-2.0-only
/* Check that loops whose events are known are counted exactly. */
#include "self_test/checks.h"

#include <inttypes.h>

#include "self_test/meter.h"
#include "util/clock.h"

#define ROUNDS 10000

/* A loop with system calls takes longer, and clock ticks may not come into every one. */
#define CALLS 200

/* The long count has at least, and at most, this number of rounds, and about this time. */
#define LONG_ROUNDS (1U << 21)
#define LONG_LEAST  (1ULL << 24)
#define LONG_MOST   (1ULL << 32)
#define LONG_NS	    NS_PER_S

/* Count @rounds rounds of a loop. Return whether that has worked. */
static bool count_loop(struct verdict *verdict,
		       const struct vpmc_event_sel *sel,
		       void (*run)(uint32_t rounds), uint32_t rounds,
		       uint64_t *count)
{
	uint64_t counts[METER_EVENTS] = { 0 };
	struct meter meter;
	const bool is_counted = !open_meter(&meter, sel, 1, 0) &&
				!count_rounds(&meter, run, rounds + 1, counts);

	if (!is_counted)
		give_error(verdict, &meter.err);
	*count = counts[0];
	close_meter(&meter);
	return is_counted;
}

/* Count a loop of which each round has @each events. Return whether the count is exact. */
static bool check_each(const struct bench *bench, struct verdict *verdict,
		       const struct vpmc_event_sel *sel,
		       void (*run)(uint32_t rounds), uint64_t each)
{
	uint64_t count;

	return count_loop(verdict, sel, run, ROUNDS, &count) &&
	       judge(bench, verdict, count, ROUNDS * each);
}

static bool check_spin(const struct bench *bench, struct verdict *verdict,
		       const struct vpmc_event_sel *sel)
{
	return check_each(bench, verdict, sel, spin, SPIN_INSTRUCTIONS);
}

void check_loop(struct bench *bench, struct verdict *verdict)
{
	check_spin(bench, verdict, &bench->instructions);
}

void check_counters(struct bench *bench, struct verdict *verdict)
{
	struct vpmc_event_sel sel = bench->instructions;
	unsigned int nr = 0;

	for (sel.counter = 0; sel.counter < 32; sel.counter++) {
		if (!(bench->counters & 1U << sel.counter))
			continue;
		if (!check_spin(bench, verdict, &sel)) {
			name_part(verdict, "counter",
				  (unsigned int)sel.counter);
			return;
		}
		nr++;
	}
	give(verdict, CHECK_PASSED, "%u counters", nr);
}

/* Return the first counter that counts both events, or 32. */
static unsigned int counter_of_both(const struct bench *bench)
{
	const uint32_t both = bench->counters & bench->branch_counters;
	unsigned int counter = 0;

	while (counter < 32 && !(both & 1U << counter))
		counter++;
	return counter;
}

void check_events(struct bench *bench, struct verdict *verdict)
{
	const unsigned int counter = counter_of_both(bench);
	struct vpmc_event_sel first = bench->instructions,
			      second = bench->branches;

	if (counter == 32) {
		give(verdict, CHECK_NOT_HERE,
		     "no counter counts both instructions and branches");
		return;
	}
	first.counter = (int)counter;
	second.counter = (int)counter;
	if (check_spin(bench, verdict, &first) &&
	    check_each(bench, verdict, &second, spin, 1))
		check_spin(bench, verdict, &first);
	name_part(verdict, "counter", counter);
}

/* Find an event of user mode that not every processor can count, and not every emulator. */
static bool find_event(const struct bench *bench, struct verdict *verdict,
		       struct vpmc_event_sel *sel, const char *name)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find(bench->machine.pmu);
	struct vpmc_error err;
	const char *never;

	if (vpmc_event_parse(pmu, name, VPMC_USER, sel, &err)) {
		give(verdict, CHECK_NOT_HERE, "%s", err.text);
		return false;
	}
	never = vpmc_event_never(pmu, &bench->machine, sel);
	if (never)
		give(verdict, CHECK_NOT_HERE, "%s: %s", name, never);
	return !never;
}

void check_memory(struct bench *bench, struct verdict *verdict)
{
	struct vpmc_event_sel loads, stores;

	if (!find_event(bench, verdict, &loads, "loads") ||
	    !find_event(bench, verdict, &stores, "stores"))
		return;
	if (check_each(bench, verdict, &loads, access_memory, 1))
		check_each(bench, verdict, &stores, access_memory, 1);
}

/*
 * On processors on which interrupts count as instructions, this may hold for the instruction INT of
 * a system call, too. Kernel mode has many more instructions.
 */
void check_kernel(struct bench *bench, struct verdict *verdict)
{
	const uint64_t wanted = (uint64_t)CALLS * ENTER_INSTRUCTIONS;
	uint64_t count;

	if (!count_loop(verdict, &bench->instructions, enter_kernel, CALLS,
			&count))
		return;
	if (count == wanted + CALLS) {
		bench->excess = EXCESS;
		give(verdict, CHECK_PASSED,
		     "%" PRIu64 ", and one more for each system call", wanted);
	} else {
		judge(bench, verdict, count, wanted);
	}
}

void check_long(struct bench *bench, struct verdict *verdict)
{
	const uint64_t end = now() + LONG_NS;
	uint64_t one[METER_EVENTS], counts[METER_EVENTS], rounds = 0;
	const uint64_t wanted = (LONG_ROUNDS - 1ULL) * SPIN_INSTRUCTIONS;
	bool is_exact = true;
	struct meter meter;
	int failure;

	failure = open_meter(&meter, &bench->instructions, 1, 0);
	if (!failure)
		failure = count_least(&meter, spin, 1, one);
	while (!failure && is_exact &&
	       (rounds < LONG_LEAST || (rounds < LONG_MOST && now() < end))) {
		failure = count_once(&meter, spin, LONG_ROUNDS, counts);
		rounds += LONG_ROUNDS;
		is_exact = failure ||
			   judge(bench, verdict, counts[0] - one[0], wanted);
	}
	if (failure)
		give_error(verdict, &meter.err);
	else if (is_exact)
		give(verdict, CHECK_PASSED, "%" PRIu64,
		     rounds * SPIN_INSTRUCTIONS);
	close_meter(&meter);
}

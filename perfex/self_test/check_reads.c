// SPDX-License-Identifier: GPL-2.0-only
/* Check that counts that user mode reads by RDPMC agree with those that the driver returns. */
#include "self_test/checks.h"

#include <inttypes.h>
#include <unistd.h>

#include "self_test/meter.h"

#define ROUNDS 10001
#define READS  20

/* Three reads have fewer instructions in user mode. */
#define READ_MOST 1000000

/* Count a loop between two reads by RDPMC. */
static bool check_difference(const struct bench *bench, struct verdict *verdict,
			     struct meter *meter)
{
	uint64_t counts[METER_EVENTS];

	meter->by_get = true;
	if (!count_rounds(meter, spin, ROUNDS, counts))
		return judge(bench, verdict, counts[0],
			     (ROUNDS - 1ULL) * SPIN_INSTRUCTIONS);
	give_error(verdict, &meter->err);
	return false;
}

/* Read by a call, by RDPMC and by a call again. Return whether all counts were read. */
static bool read_three(struct meter *meter, uint64_t counts[3])
{
	uint64_t count[METER_EVENTS];
	size_t i;

	for (i = 0; i < 3; i++) {
		meter->by_get = i == 1;
		if (read_meter(meter, count))
			return false;
		counts[i] = count[0];
	}
	return true;
}

/*
 * Return whether the three counts are in order, and follow the count before. That count is 0 at
 * first.
 */
static bool are_in_order(const uint64_t counts[3], uint64_t before)
{
	return before <= counts[0] && counts[0] <= counts[1] &&
	       counts[1] <= counts[2] &&
	       (!before || counts[2] - before < READ_MOST);
}

/* Compare both ways of reading. Return whether they agree. */
static bool compare_reads(struct verdict *verdict, struct meter *meter)
{
	uint64_t counts[3] = { 0 }, before = 0;
	size_t i;

	for (i = 0; i < READS; i++) {
		if (!read_three(meter, counts)) {
			give_error(verdict, &meter->err);
			return false;
		}
		if (!are_in_order(counts, before)) {
			give(verdict, CHECK_FAILED,
			     "%" PRIu64 " is not between %" PRIu64
			     " and %" PRIu64 ", after %" PRIu64,
			     counts[1], counts[0], counts[2], before);
			return false;
		}
		before = counts[2];
	}
	return true;
}

static void sleep_once(uint32_t rounds)
{
	(void)rounds;
	usleep(1000);
}

/*
 * A thread that maps its counts finds them in the counters whenever it gets a processor. So its
 * count is wrong after a sleep if a write changes other bits. The first sleep does not count, because
 * the dynamic linker may look its function up.
 */
static void check_sleeps(const struct bench *bench, struct verdict *verdict,
			 struct meter *meter)
{
	uint64_t counts[METER_EVENTS], least = UINT64_MAX, most = 0;
	size_t i;

	meter->by_get = false;
	sleep_once(1);
	for (i = 0; i < READS; i++) {
		if (count_once(meter, sleep_once, 1, counts)) {
			give_error(verdict, &meter->err);
			return;
		}
		least = counts[0] < least ? counts[0] : least;
		most = counts[0] > most ? counts[0] : most;
	}
	if (!is_right(bench, most, least))
		give(verdict, CHECK_FAILED,
		     "sleeps have from %" PRIu64 " to %" PRIu64 " instructions",
		     least, most);
}

/* The kernel may forbid RDPMC to programs, as perf's attribute "rdpmc" does. */
static void give_unmapped(struct verdict *verdict, const struct vpmc_error *err)
{
	if (err->code == VPMC_E_UNSUPPORTED)
		give(verdict, CHECK_NOT_HERE, "%s", err->text);
	else
		give_error(verdict, err);
}

void check_reads(struct bench *bench, struct verdict *verdict)
{
	struct meter meter;

	if (!bench->machine.map) {
		give(verdict, CHECK_NOT_HERE,
		     "user mode cannot execute RDPMC here");
		return;
	}
	if (open_meter(&meter, &bench->instructions, 1, 0))
		give_error(verdict, &meter.err);
	else if (vpmc_map(meter.vpmc, &meter.err))
		give_unmapped(verdict, &meter.err);
	else if (check_difference(bench, verdict, &meter) &&
		 compare_reads(verdict, &meter))
		check_sleeps(bench, verdict, &meter);
	close_meter(&meter);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * switches WHAT PARTNER ELSEWHERE: measure switches, in both directions, between a process that
 * counts WHAT and a process that counts PARTNER. Another process counts ELSEWHERE, but does not
 * run. All three are words of count.h. PARTNER can also be "inherited": then the partner is a child
 * of the process that counts WHAT, and counts the same.
 *
 * A switch begins when one process calls sched_yield(2), and ends when this call of the
 * other process returns.
 */
#include <err.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "count.h"
#include "measure.h"

#define REPEAT 100
#define SKIP   2

/*
 * These are the snapshots of one process around its calls, and a flag that the process is ready
 * for the calls.
 */
struct side {
	volatile int ready;
	struct totals before[REPEAT];
	struct totals after[REPEAT];
};

/* A process may sleep when it starts to count, for example for the first event of perf_event. */
static void wait_for(const struct side *other)
{
	measured_set(SYS_sched_yield, 0, 0, 0);
	while (!other->ready)
		measured_call();
}

static void yield(struct side *side)
{
	int i;

	for (i = 0; i < REPEAT; i++)
		measure(measured_call, &side->before[i], &side->after[i]);
}

static void start_partner(enum count what, struct side *side,
			  const struct side *other)
{
	pid_t child = fork();

	if (child < 0)
		err(2, "fork");
	if (child)
		return;
	measure_touch(side, sizeof(*side));
	count_start(what);
	side->ready = 1;
	wait_for(other);
	yield(side);
	_exit(0);
}

/* The partner begins its loop during the first call of this process. */
static void print(const struct side *self, const struct side *partner)
{
	int i;

	for (i = SKIP; i < REPEAT - 1; i++) {
		cost_print("there", &self->before[i + 1], &partner->after[i]);
		cost_print("back", &partner->before[i], &self->after[i]);
	}
}

int main(int argc, char **argv)
{
	struct side *self, *partner;

	if (argc != 4)
		errx(2, "usage: switches WHAT PARTNER ELSEWHERE");
	self = measure_memory(sizeof(*self));
	partner = measure_memory(sizeof(*partner));
	measure_start();
	count_elsewhere(count_named(argv[3]));
	measure_align();
	if (!strcmp(argv[2], "inherited")) {
		count_start(count_named(argv[1]));
		start_partner(COUNT_NOTHING, partner, self);
	} else {
		start_partner(count_named(argv[2]), partner, self);
		count_start(count_named(argv[1]));
	}
	wait_for(partner);
	self->ready = 1;
	yield(self);
	print(self, partner);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_delay: a start on a process reaches a thread that is just being created
 * by one that had no counters, and that nobody sees yet.
 *
 * The creator is held in clone(2), behind the fork hook, while the test starts
 * the process.
 */
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* Where clone(2) makes the thread a number: it is in no list up to there. */
#define CREATION "alloc_pid"

/**
 * struct crew - a target that creates a thread
 * @t: its leader
 * @thread: the other one, which goes through @gate; @pair: see script_thread()
 * @least, @most: what both count, who may have been started early or late
 */
struct crew {
	struct target t;
	struct script thread;
	struct gate gate;
	uint32_t *pair;
	struct cost least, most;
};

static struct crew crew_new(void)
{
	struct crew c = {
		.t = target_new(),
		.thread = script_new(),
		.gate = gate_new(),
		.pair = shared(2 * sizeof(*c.pair)),
	};
	struct script *leader = &c.t.script;
	struct cost early;

	script_name_delayed(leader);
	target_gate(&c.t, false);
	/* They are started in this call, or the thread a little later. */
	leader->counts = true;
	script_thread(leader, &c.thread, c.pair);
	early = cost_add(leader->cost,
			 script_gate_then(&c.thread, c.gate.in, true));
	script_rounds(leader, ROUNDS);
	script_join(leader, c.pair);
	script_exit(leader, 0);
	script_rounds(&c.thread, ROUNDS);
	script_exit(&c.thread, 0);
	c.most = cost_add(leader->cost, c.thread.cost);
	c.least = (struct cost){ c.most.instructions - early.instructions,
				 c.most.branches - early.branches };
	return c;
}

static void check_crew(const struct crew *c, const struct vpmc_read *read,
		       const char *what)
{
	check(is_between(read, c->least, c->most) && !read->other_events &&
		      !read->revoked,
	      "%s: %llu %llu (%u other events) want %llu %llu to %llu %llu",
	      what, read->count[0], read->count[1], read->other_events,
	      (unsigned long long)c->least.instructions,
	      (unsigned long long)c->least.branches,
	      (unsigned long long)c->most.instructions,
	      (unsigned long long)c->most.branches);
}

static void test_creation(void)
{
	struct crew c = crew_new();
	struct vpmc_read read;
	int fd;

	target_create(&c.t);
	delay_at(CREATION);
	gate_open(&c.t.gate);
	until_delayed();
	fd = hold(c.t.pid, 0);
	must_start(fd, FIRST, 0);
	delay_end();
	while (!c.pair[1])
		usleep(1000);
	until_at_gate(c.pair[1], &c.gate);
	gate_open(&c.gate);
	target_reap(&c.t);
	delay_remove();
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_crew(&c, &read, "SELF");
	read = read_scope(open_device(), VPMC_SCOPE_CHILDREN);
	check_crew(&c, &read, "CHILDREN");
}

int main(void)
{
	run(test_creation);
	return check_status();
}

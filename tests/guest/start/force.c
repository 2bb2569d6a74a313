// SPDX-License-Identifier: GPL-2.0-only
/*
 * force: test that a thread that counts can start again, with the same or other events, by one call
 * with VPMC_START_FORCE. The new generation begins at zero. The parent gets the previous counts as
 * if the thread had been stopped.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

/* Let the script start again while it counts. Returns its previous counts. */
static struct cost start_anew(struct script *s, int fd, struct vpmc_start *arg)
{
	struct cost before;

	/* The old count ends with the instructions of the system call. */
	script_rounds(s, 1);
	before = cost_add(s->cost, (struct cost){ 8, 1 });
	script_start(s, fd, arg);
	return before;
}

static struct cost finish(struct script *s)
{
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

/* Test many starts one after the other. Each start begins at zero. */
static void test_again(void)
{
	enum { NR = 8 };
	struct vpmc_start *arg[NR];
	struct vpmc_read *read[NR];
	struct cost at[NR];
	struct script s = script_new();
	int fd = open_device(), i;

	for (i = 0; i < NR; i++) {
		arg[i] = start_arg(i % 2 ? OTHER : FIRST, VPMC_START_FORCE);
		read[i] = read_arg(i % 3 ? VPMC_SCOPE_SELF : VPMC_SCOPE_THREAD);
		script_start(&s, fd, arg[i]);
		script_rounds(&s, ROUNDS + (unsigned int)i);
		at[i] = script_read(&s, fd, read[i]);
	}
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	for (i = 0; i < NR; i++) {
		check_read(read[i], i % 2 ? swapped(at[i]) : at[i], 0,
			   "from its own zero");
		check(read[i]->generation == arg[i]->generation &&
			      read[i]->state == VPMC_STATE_RUNNING &&
			      (!i ||
			       arg[i]->generation > arg[i - 1]->generation),
		      "in a generation of its own");
	}
	check_held(fd, VPMC_SCOPE_SELF, swapped(s.cost), VPMC_STATE_STOPPED,
		   arg[NR - 1]->generation, "the last one's sum");
}

/*
 * Test starts that are refused, because the flag is missing or an argument is wrong. They must not
 * change the count.
 */
static void test_refused(void)
{
	struct vpmc_start *arg = start_arg(FIRST, 0);
	struct vpmc_start *again = start_arg(OTHER, 0);
	struct vpmc_start *wrong = start_arg(OTHER, VPMC_START_FORCE);
	struct vpmc_start *resume =
		start_arg(FIRST, VPMC_START_FORCE | VPMC_START_RESUME);
	uint32_t *result = shared(3 * sizeof(*result));
	struct script s = script_new();
	int fd = open_device();

	wrong->event[0].code = refused_here()->code;
	script_start(&s, fd, arg);
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_START, P(again));
	script_save(&s, &result[0]);
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_START, P(wrong));
	script_save(&s, &result[1]);
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_START, P(resume));
	script_save(&s, &result[2]);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check((int)result[0] == -EBUSY, "no FORCE: EBUSY");
	check((int)result[1] == -EINVAL, "no such event: EINVAL");
	check((int)result[2] == -EINVAL, "to go on and begin again: EINVAL");
	check_held(fd, VPMC_SCOPE_SELF, s.cost, VPMC_STATE_STOPPED,
		   arg->generation, "no refusal changes the count");
}

/* Test that the flag is also allowed for a process that has stopped or has never counted. */
static void test_needless(void)
{
	struct vpmc_start *arg = start_arg(FIRST, VPMC_START_FORCE);
	struct script s = script_new();
	int fd = open_device();

	script_start(&s, fd, start_arg(OTHER, VPMC_START_FORCE));
	script_stop(&s, fd, stop_arg());
	script_start(&s, fd, arg);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_held(fd, VPMC_SCOPE_SELF, s.cost, VPMC_STATE_STOPPED,
		   arg->generation, "after a stop");
}

/*
 * Test that a parent gets the previous counts of a child that starts again while the child counts.
 */
static void parents_share(enum events events, unsigned int missing)
{
	struct family f = family_new();
	struct script child = family_child(&f), grand = script_new();
	struct cost sum;

	script_fork(&child, &grand, SYS_fork);
	finish(&grand);
	script_wait(&child);
	sum = cost_add(grand.cost,
		       start_anew(&child, f.other,
				  start_arg(events, VPMC_START_FORCE)));
	finish(&child);
	script_wait(&f.parent);
	family_run(&f);
	family_check(&f, missing ? NOTHING : cost_add(sum, child.cost), missing,
		     "CHILDREN: before and after a start by force");
}

static void test_parent_same(void)
{
	parents_share(FIRST, 0);
}

static void test_parent_other(void)
{
	parents_share(OTHER, 3);
}

/* Test that CHILDREN of a process that starts again also begins at zero. */
static void test_children(void)
{
	struct family f = family_new();
	struct script one = family_child(&f), two;

	finish(&one);
	script_wait(&f.parent);
	start_anew(&f.parent, f.fd, start_arg(FIRST, VPMC_START_FORCE));
	two = family_child(&f);
	finish(&two);
	script_wait(&f.parent);
	family_run(&f);
	family_check(&f, two.cost, 0, "CHILDREN since the last start");
}

/*
 * Test a thread that starts again while another thread of its process counts. The new start joins
 * the process's counts. SELF must contain both the previous and the new counts of the thread.
 */
static void test_thread(void)
{
	struct script thread = script_new();
	struct family f = family_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct cost before;

	script_thread(&f.parent, &thread, tid);
	script_rounds(&thread, ROUNDS);
	before = start_anew(&thread, f.fd, start_arg(FIRST, VPMC_START_FORCE));
	finish(&thread);
	script_join(&f.parent, tid);
	script_stop(&f.parent, f.fd, f.stop);
	script_back(&f.parent);
	script_run(&f.parent);
	check_scope(f.fd, VPMC_SCOPE_SELF,
		    cost_add(f.parent.cost, cost_add(before, thread.cost)), 0,
		    "SELF has both counts of a thread");
}

/* Test that a start by force leaves a record. */
static void test_record(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);
	struct vpmc_record record = { .size = sizeof(record) };
	struct cost before;

	f.start->flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	before =
		start_anew(&child, f.other, start_arg(FIRST, VPMC_START_FORCE));
	finish(&child);
	script_wait(&f.parent);
	family_run(&f);
	check_scope(f.fd, VPMC_SCOPE_ALL,
		    cost_add(f.parent.cost, cost_add(before, child.cost)), 0,
		    "ALL has both");
	check(!request(f.fd, VPMC_RECORD, &record) &&
		      record.what == VPMC_RECORD_RESTARTED &&
		      record.count[0] == before.instructions &&
		      record.count[1] == before.branches,
	      "a record of what was before: what %#x, %llu %llu", record.what,
	      record.count[0], record.count[1]);
	record = (struct vpmc_record){ .size = sizeof(record) };
	check(!request(f.fd, VPMC_RECORD, &record) &&
		      record.what == VPMC_RECORD_LAST &&
		      record.count[0] == child.cost.instructions,
	      "and one of the last: what %#x, %llu", record.what,
	      record.count[0]);
}

/* Test a process that collects and starts itself again on the same handle. */
static void test_collector(void)
{
	unsigned int flags = VPMC_START_COLLECT | VPMC_START_FORCE;
	struct script s = script_new(), child = script_new();
	int fd = open_device();

	script_start(&s, fd, start_arg(FIRST, flags));
	script_rounds(&s, ROUNDS);
	script_start(&s, fd, start_arg(FIRST, flags));
	script_fork(&s, &child, SYS_fork);
	finish(&child);
	script_wait(&s);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_scope(fd, VPMC_SCOPE_ALL, cost_add(s.cost, child.cost), 0,
		    "ALL since the last start");
}

/* Test a thread that changes between counting and waiting for exec. */
static void test_armed(void)
{
	unsigned int flags = VPMC_START_FORCE | VPMC_START_AT_EXEC;
	struct target t = target_new();
	struct cost counted;
	int fd = open_device();

	script_start(&t.script, fd, start_arg(FIRST, flags));
	script_rounds(&t.script, ROUNDS);
	script_start(&t.script, fd, start_arg(FIRST, VPMC_START_FORCE));
	script_rounds(&t.script, ROUNDS);
	counted = cost_add(t.script.cost, (struct cost){ 8, 1 });
	script_start(&t.script, fd, start_arg(FIRST, flags));
	target_gate(&t, false);
	t.script.cost = NOTHING;
	script_exec_exactly(&t.script, "./exactly-1000", 1000);
	t.script.cost = (struct cost){ 1000, (1000 - 4) / 2 + 1 };
	target_create(&t);
	check(read_scope(fd, VPMC_SCOPE_SELF).state == VPMC_STATE_ARMED,
	      "armed while it counts");
	check_scope(fd, VPMC_SCOPE_SELF, NOTHING, 0, "nothing counts");
	target_end(&t);
	check_scope(fd, VPMC_SCOPE_SELF, t.script.cost, 0, "the program alone");
	target_reap(&t);
	check_children(cost_add(counted, t.script.cost), 0,
		       "the parent has what was before");
}

int main(void)
{
	run(test_again);
	run(test_refused);
	run(test_needless);
	run(test_parent_same);
	run(test_parent_other);
	run(test_children);
	run(test_thread);
	run(test_record);
	run(test_collector);
	run(test_armed);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_family: test the processes and threads that a target creates after another process has
 * started the target. They inherit, are folded and are collected as after a start by the target
 * itself.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

/*
 * Let the target fork a child. If @waits is set, the target waits for the child. Returns the
 * child's script.
 */
static struct script forks(struct target *t, bool waits)
{
	struct script child = script_new();

	script_fork(&t->script, &child, SYS_fork);
	if (waits)
		script_wait(&t->script);
	return child;
}

static struct cost finish(struct script *s, unsigned int rounds)
{
	script_rounds(s, rounds);
	script_exit(s, 0);
	return s->cost;
}

static void test_children(void)
{
	struct target t = target_new();
	struct script before, child, after;
	uint64_t generation;
	struct cost at, first, sum;
	int fd;

	before = forks(&t, true);
	finish(&before, ROUNDS);
	target_gate_start(&t);
	child = forks(&t, true);
	first = finish(&child, ROUNDS);
	at = target_gate(&t, false);
	after = forks(&t, true);
	finish(&after, ROUNDS);
	target_gate(&t, true);
	child = forks(&t, true);
	sum = cost_add(first, finish(&child, ROUNDS * 2));
	script_exit(&t.script, 0);
	target_create(&t);

	fd = hold(t.pid, 0);
	generation = must_start(fd, FIRST, 0);
	target_pass(&t);
	must_stop(fd);
	check_scope(fd, VPMC_SCOPE_SELF, at, 0, "SELF has no child");
	check_scope(fd, VPMC_SCOPE_CHILDREN, first, 0, "CHILDREN");
	target_pass(&t);
	must_start(fd, FIRST, VPMC_START_RESUME);
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   generation, "SELF");
	check_held(fd, VPMC_SCOPE_CHILDREN, sum, VPMC_STATE_EXITED, generation,
		   "CHILDREN: those forked while it counted");
	target_reap(&t);
	check_children(cost_add(t.script.cost, sum), 0, "the parent has all");
}

/*
 * Test a child that exists before the start. It is not started with its parent, but the test can
 * attach to the child.
 */
static void test_child_before(void)
{
	struct target t = target_new();
	struct script child = script_new();
	struct gate gate = gate_new();
	uint32_t *pid = shared(sizeof(*pid));
	int fd, of_child;

	script_fork(&t.script, &child, SYS_fork);
	script_save(&t.script, pid);
	target_gate_start(&t);
	script_wait(&t.script);
	script_exit(&t.script, 0);
	child.cost = NOTHING;
	script_gate_then(&child, gate.in, true);
	finish(&child, ROUNDS);
	target_create(&t);
	until_at_gate(*pid, &gate);

	fd = hold(t.pid, 0);
	of_child = hold((int)*pid, 0);
	must_start(fd, FIRST, 0);
	check(try_read(of_child, VPMC_SCOPE_SELF) == -ENODATA,
	      "a child from before does not count");
	must_start(of_child, FIRST, 0);
	gate_open(&t.gate);
	gate_open(&gate);
	waitid(P_PID, (id_t)t.pid, NULL, WEXITED | WNOWAIT);
	check_scope(of_child, VPMC_SCOPE_SELF, child.cost, 0,
		    "it counts when it is started itself");
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0,
		    "and is its parent's");
	check_scope(fd, VPMC_SCOPE_SELF, t.script.cost, 0, "SELF");
	target_reap(&t);
}

static void check_record(int fd, uint32_t pid, unsigned int what,
			 struct cost want)
{
	struct vpmc_record record = next_record(fd);

	check((uint32_t)record.pid == pid && (uint32_t)record.tid == pid &&
		      record.what == what && !record.lost,
	      "record of %u: %d, what %#x want %#x", pid, record.pid,
	      record.what, what);
	check(are_counts(record.count, record.nr_counts, want),
	      "its counts: %llu %llu want %llu %llu", record.count[0],
	      record.count[1], (unsigned long long)want.instructions,
	      (unsigned long long)want.branches);
}

/**
 * struct house - a target with three children, of which the first exits before the start
 * @t: the target
 * @child: the script of a child for which the target waits
 * @orphan: the script of a child for which it does not wait
 * @pid: the process IDs of @child and @orphan
 * @gate: the gate at which @orphan sleeps
 */
struct house {
	struct target t;
	struct script child, orphan;
	uint32_t *pid;
	struct gate gate;
};

static struct house house_create(void)
{
	struct house h = { .t = target_new(),
			   .orphan = script_new(),
			   .pid = shared(2 * sizeof(*h.pid)),
			   .gate = gate_new() };
	struct script before = forks(&h.t, true);

	finish(&before, ROUNDS);
	target_gate_start(&h.t);
	h.child = forks(&h.t, false);
	script_save(&h.t.script, &h.pid[0]);
	script_wait(&h.t.script);
	finish(&h.child, ROUNDS);
	script_fork(&h.t.script, &h.orphan, SYS_fork);
	script_save(&h.t.script, &h.pid[1]);
	script_gate(&h.orphan, h.gate.in);
	finish(&h.orphan, ROUNDS);
	script_exit(&h.t.script, 0);
	target_create(&h.t);
	return h;
}

/*
 * Test that a holder collects a target and all its descendants, whether the target waits for them
 * or not.
 */
static void test_collect(void)
{
	unsigned int flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	struct house h = house_create();
	int fd = hold(h.t.pid, 0), other = hold(h.t.pid, 0);
	struct cost waited_for = cost_add(h.t.script.cost, h.child.cost);
	struct vpmc_read all;

	must_start(fd, FIRST, flags);
	check(start(other, FIRST, VPMC_START_COLLECT | VPMC_START_FORCE,
		    NULL) == -EBUSY,
	      "another handle cannot collect it: EBUSY");
	check(try_read(other, VPMC_SCOPE_ALL) == -ENODATA, "nor read ALL");
	target_end(&h.t);
	until_at_gate(h.pid[1], &h.gate);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(all.running == 1 && all.state == VPMC_STATE_RUNNING,
	      "the orphan runs");
	gate_open(&h.gate);
	do {
		usleep(1000);
		all = read_scope(fd, VPMC_SCOPE_ALL);
	} while (all.running);
	check_read(&all, cost_add(waited_for, h.orphan.cost), 0,
		   "ALL has the target and all it created");
	check(all.state == VPMC_STATE_EXITED, "nobody is left");
	check_record(fd, h.pid[0], VPMC_RECORD_LAST, h.child.cost);
	check_record(fd, (uint32_t)h.t.pid, VPMC_RECORD_LAST, h.t.script.cost);
	check_record(fd, h.pid[1], VPMC_RECORD_LAST, h.orphan.cost);
	target_reap(&h.t);
	check_children(waited_for, 0, "CHILDREN has who was waited for");
}

/*
 * Test a start by force that collects. The counts from before the start are added to the parent,
 * and not to ALL.
 */
static void test_collect_by_force(void)
{
	unsigned int flags =
		VPMC_START_COLLECT | VPMC_START_RECORDS | VPMC_START_FORCE;
	struct target t = target_new();
	struct cost first;
	int fd, own = open_device();

	script_start(&t.script, own, start_arg(FIRST, 0));
	script_rounds(&t.script, ROUNDS);
	first = target_gate(&t, true);
	target_gate(&t, true);
	t.script.cost = (struct cost){ 1, 1 };
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, flags);
	check_scope(fd, VPMC_SCOPE_ALL, NOTHING, 0, "ALL begins at zero");
	target_pass(&t);
	/* The target has also counted RET, and the system call of the next gate. */
	first = cost_add(first, (struct cost){ 1 + 8, 1 + 1 });
	check_scope(fd, VPMC_SCOPE_ALL, (struct cost){ 9, 2 }, 0, "and counts");
	must_start(fd, FIRST, flags);
	target_end(&t);
	check_scope(fd, VPMC_SCOPE_ALL, t.script.cost, 0,
		    "a second start begins ALL at zero");
	check_record(fd, (uint32_t)t.pid, VPMC_RECORD_LAST, t.script.cost);
	target_reap(&t);
	check_children(cost_add(first, t.script.cost), 0, "CHILDREN");
}

/*
 * Test a start with VPMC_START_FOLD. The counts of the target and of its children are added to
 * their parents when they exit.
 */
static void test_fold(void)
{
	struct target t = target_new();
	struct script child;
	int fd;

	target_gate_start(&t);
	child = forks(&t, false);
	finish(&child, ROUNDS);
	script_gate(&t.script, t.gate.in);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	must_start(fd, FIRST, VPMC_START_FOLD);
	target_pass(&t);
	while (try_read(fd, VPMC_SCOPE_CHILDREN) ||
	       !read_scope(fd, VPMC_SCOPE_CHILDREN).count[0])
		usleep(1000);
	check_scope(fd, VPMC_SCOPE_CHILDREN, child.cost, 0,
		    "a child of the target, without a wait");
	target_end(&t);
	check_children(cost_add(child.cost, t.script.cost), 0,
		       "the target, a zombie");
	target_reap(&t);
	check_children(cost_add(child.cost, t.script.cost), 0,
		       "and not twice when it is reaped");
}

int main(void)
{
	run(test_children);
	run(test_child_before);
	run(test_collect);
	run(test_collect_by_force);
	run(test_fold);
	return check_status();
}

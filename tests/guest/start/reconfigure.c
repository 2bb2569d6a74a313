// SPDX-License-Identifier: GPL-2.0-only
/*
 * reconfigure: test processes that start again, with the same or other events. Their previous
 * counts must either be added to CHILDREN of their parent, or be reported there as missing.
 */
#include <errno.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })

/* Return the cost as OTHER events count it. */
static struct cost other(struct cost cost)
{
	return (struct cost){ cost.branches, cost.instructions };
}

static void reap_all(void)
{
	while (wait(NULL) > 0)
		;
	check(errno == ECHILD, "all children are reaped");
}

/* Start and stop at once, so that this process has these events and a new generation. */
static void restart(int fd, enum events events)
{
	struct vpmc_start *start = start_arg(events, 0);

	check(!request(fd, VPMC_START, start) &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "start and stop");
}

/* Complete the script of a simple child. Returns its cost. */
static struct cost finish(struct script *s)
{
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

/* Let the script stop and start again. Returns its previous counts. */
static struct cost start_anew(struct script *s, int fd, enum events events)
{
	struct cost before;

	script_stop(s, fd, stop_arg());
	before = s->cost;
	script_start(s, fd, start_arg(events, 0));
	return before;
}

static void test_parent_other(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	finish(&child);
	family_run(&f);
	restart(f.fd, OTHER);
	reap_all();
	family_check(&f, NOTHING, 1,
		     "parent with other events: the child is numbered");
	restart(f.fd, FIRST);
	family_check(&f, NOTHING, 0, "a start begins CHILDREN at zero");
}

static void test_parent_back(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	finish(&child);
	family_run(&f);
	restart(f.fd, OTHER);
	restart(f.fd, FIRST);
	reap_all();
	family_check(&f, child.cost, 0,
		     "parent back at the first events: the child is added");
}

/* Test a parent that starts again between the waits for two children. */
static void test_parent_between(void)
{
	struct family f = family_new();
	struct script one = family_child(&f), two;

	finish(&one);
	script_wait(&f.parent);
	start_anew(&f.parent, f.fd, FIRST);
	two = family_child(&f);
	script_rounds(&two, ROUNDS);
	finish(&two);
	script_wait(&f.parent);
	family_run(&f);
	family_check(&f, two.cost, 0, "CHILDREN since the last start");
}

static void test_parent_counts_other(void)
{
	struct family f = family_new();
	struct script first = family_child(&f), second;

	start_anew(&f.parent, f.fd, OTHER);
	second = family_child(&f);
	finish(&first);
	finish(&second);
	script_wait(&f.parent);
	script_wait(&f.parent);
	script_stop(&f.parent, f.fd, f.stop);
	script_back(&f.parent);
	script_run(&f.parent);
	check_scope(f.fd, VPMC_SCOPE_SELF, other(f.parent.cost), 0,
		    "SELF with other events");
	family_check(&f, other(second.cost), 1,
		     "one child has the parent's events, one had the first");
}

/* Test that CHILDREN goes on after the parent resumes. */
static void test_parent_resumes(void)
{
	struct family f = family_new();
	struct script one = family_child(&f), two;

	finish(&one);
	script_wait(&f.parent);
	script_stop(&f.parent, f.fd, stop_arg());
	script_start(&f.parent, f.fd, start_arg(FIRST, VPMC_START_RESUME));
	two = family_child(&f);
	finish(&two);
	script_wait(&f.parent);
	family_run(&f);
	family_check(&f, cost_add(one.cost, two.cost), 0,
		     "CHILDREN goes on after a resume");
}

/* Test a child that resumes at exec. It does not count between the start and the exec. */
static void test_child_resumes_at_exec(void)
{
	const unsigned int flags = VPMC_START_RESUME | VPMC_START_AT_EXEC;
	const struct cost exactly = { 1000, (1000 - 4) / 2 + 1 };
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	script_start(&child, f.other, start_arg(FIRST, flags));
	script_rounds(&child, ROUNDS);
	script_exec_exactly(&child, "exactly-1000", 1000);
	family_run(&f);
	reap_all();
	family_check(&f, cost_add(child.cost, exactly), 0,
		     "what is resumed at exec does not count before");
}

/* Test a parent that has never counted. It takes the events of its first child that counted. */
static void test_parent_without(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	enum events order[] = { OTHER, FIRST, OTHER };
	struct cost cost[3];
	struct vpmc_read read = { .size = sizeof(read) };
	int fd = open_device(), i;

	for (i = 0; i < 3; i++) {
		struct script child = script_new();
		struct script parent = script_new();

		script_fork(&parent, &child, SYS_fork);
		script_start(&child, open_device(), start_arg(order[i], 0));
		script_rounds(&child, ROUNDS + (unsigned int)i);
		cost[i] = finish(&child);
		script_wait(&parent);
		script_back(&parent);
		script_run(&parent);
	}
	check_scope(fd, VPMC_SCOPE_CHILDREN, other(cost_add(cost[0], cost[2])),
		    1, "the first and the third child, not the second");
	check_scope(fd, VPMC_SCOPE_SELF, NOTHING, 0, "nothing in SELF");
	check(request(fd, VPMC_READ, &read) == -ENODATA, "nothing in THREAD");
	check(!request(fd, VPMC_INFO, &info) && info.generation,
	      "there is a generation");
	restart(fd, FIRST);
	check_scope(fd, VPMC_SCOPE_CHILDREN, NOTHING, 0,
		    "its own start begins CHILDREN at zero");
}

/* Test a child that never counted. Its parent gets neither counts nor events from it. */
static void test_child_without(void)
{
	struct script parent = script_new(), child = script_new();
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };

	script_fork(&parent, &child, SYS_fork);
	finish(&child);
	script_wait(&parent);
	script_back(&parent);
	script_run(&parent);
	check(request(open_device(), VPMC_READ, &read) == -ENODATA,
	      "a child that does not count adds nothing and no events");
}

static void test_child_same(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);
	struct cost before;

	script_rounds(&child, ROUNDS);
	before = start_anew(&child, f.other, FIRST);
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, cost_add(before, child.cost), 0,
		     "a child that started again with the same events");
}

static void test_child_other(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, ROUNDS);
	start_anew(&child, f.other, OTHER);
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, NOTHING, 2,
		     "a child that changed its events: both counts numbered");
}

static void test_child_back(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, ROUNDS);
	start_anew(&child, f.other, OTHER);
	script_rounds(&child, ROUNDS);
	start_anew(&child, f.other, FIRST);
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, child.cost, 2,
		     "a child that changed them and back: the last is added");
}

/* Test a child that stops before it exits. The parent gets its counts up to the stop. */
static void test_child_stops(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, ROUNDS);
	script_stop(&child, f.other, stop_arg());
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, child.cost, 0, "a child that stopped");
}

/*
 * Test a child that waits for its own child, and then starts again. The parent gets the counts of
 * both, or reports them as missing.
 */
static void grandchild(enum events events, unsigned int missing)
{
	struct family f = family_new();
	struct script child = family_child(&f), grand = script_new();
	struct cost sum;

	script_fork(&child, &grand, SYS_fork);
	finish(&grand);
	script_wait(&child);
	sum = cost_add(grand.cost, start_anew(&child, f.other, events));
	finish(&child);
	sum = cost_add(sum, child.cost);
	family_run(&f);
	reap_all();
	family_check(&f, missing ? NOTHING : sum, missing,
		     "a grandchild from before a start");
}

static void test_grandchild_same(void)
{
	grandchild(FIRST, 0);
}

static void test_grandchild_other(void)
{
	grandchild(OTHER, 3);
}

/* Test a child that never counts itself. It passes on the counts of its own child. */
static void test_grandchild_alone(void)
{
	struct family f = family_new();
	struct script child, grand = script_new();

	script_stop(&f.parent, f.fd, stop_arg());
	child = family_child(&f);
	script_start(&f.parent, f.fd, start_arg(FIRST, VPMC_START_RESUME));
	script_fork(&child, &grand, SYS_fork);
	script_wait(&child);
	script_exit(&child, 0);
	script_start(&grand, f.other, start_arg(FIRST, 0));
	finish(&grand);
	family_run(&f);
	reap_all();
	family_check(&f, grand.cost, 0, "a child that had only reaped");
}

/* Test a thread that stops and starts again while another thread of its process counts. */
static void test_thread_anew(void)
{
	struct script thread = script_new();
	struct family f = family_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct cost before;

	script_thread(&f.parent, &thread, tid);
	script_rounds(&thread, ROUNDS);
	before = start_anew(&thread, f.fd, FIRST);
	finish(&thread);
	script_join(&f.parent, tid);
	script_stop(&f.parent, f.fd, f.stop);
	script_back(&f.parent);
	script_run(&f.parent);
	check_scope(f.fd, VPMC_SCOPE_SELF,
		    cost_add(f.parent.cost, cost_add(before, thread.cost)), 0,
		    "SELF has both counts of a thread that started again");
}

/* Let the script open a gate. */
static void open_gate_by(struct script *s, const struct gate *gate)
{
	script_call(s, SYS_write, (uint32_t)gate->out, P(shared(1)), 1);
}

/* Test that a thread cannot resume after its process has started again without it. */
static void test_thread_resumes_old(void)
{
	struct gate stopped = gate_new(), anew = gate_new();
	uint32_t *tid = shared(8), *result = shared(sizeof(*result));
	struct script thread = script_new();
	struct family f = family_new();

	script_thread(&f.parent, &thread, tid);
	script_stop(&thread, f.fd, stop_arg());
	open_gate_by(&thread, &stopped);
	script_gate(&thread, anew.in);
	script_call(&thread, SYS_ioctl, (uint32_t)f.fd, VPMC_START,
		    P(start_arg(FIRST, VPMC_START_RESUME)));
	script_save(&thread, result);
	script_exit(&thread, 0);
	script_gate(&f.parent, stopped.in);
	start_anew(&f.parent, f.fd, FIRST);
	open_gate_by(&f.parent, &anew);
	script_join(&f.parent, tid);
	family_run(&f);
	check((int)*result == -ENODATA, "resume of what is over: %d want %d",
	      (int)*result, -ENODATA);
}

/*
 * Test a thread that counts other events than its process. This count is missing in CHILDREN of the
 * parent.
 */
static void test_thread_other(void)
{
	struct script child, thread = script_new();
	struct family f = family_new();
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct cost before;

	child = family_child(&f);
	script_thread(&child, &thread, tid);
	script_rounds(&thread, ROUNDS);
	before = start_anew(&thread, f.other, OTHER);
	finish(&thread);
	script_join(&child, tid);
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, cost_add(child.cost, before), 1,
		     "a thread with other events is numbered");
}

/*
 * Test that the parent reports the missing count of each of three threads, and the previous count.
 */
static void test_threads_other(void)
{
	struct script child, thread[2] = { script_new(), script_new() };
	struct family f = family_new();
	uint32_t *tid[2] = { shared(8), shared(8) };
	int i;

	child = family_child(&f);
	start_anew(&child, f.other, OTHER);
	for (i = 0; i < 2; i++) {
		script_thread(&child, &thread[i], tid[i]);
		finish(&thread[i]);
	}
	for (i = 0; i < 2; i++)
		script_join(&child, tid[i]);
	finish(&child);
	family_run(&f);
	reap_all();
	family_check(&f, NOTHING, 4, "three threads and what was before");
}

int main(void)
{
	run(test_parent_other);
	run(test_parent_back);
	run(test_parent_between);
	run(test_parent_counts_other);
	run(test_parent_resumes);
	run(test_child_resumes_at_exec);
	run(test_parent_without);
	run(test_child_without);
	run(test_child_same);
	run(test_child_other);
	run(test_child_back);
	run(test_child_stops);
	run(test_grandchild_same);
	run(test_grandchild_other);
	run(test_grandchild_alone);
	run(test_thread_anew);
	run(test_thread_resumes_old);
	run(test_thread_other);
	run(test_threads_other);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold_wait: test a process that exits after its parent has been waited for and before the kernel
 * has released the parent. The process's counts must be added to the grandparent, and only once.
 *
 * The child is held after it has looked up its parent. The parent exits, and the
 * process that waits for the parent is held after it has taken the parent's counts.
 * Then the child continues.
 */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* These are the modules that hold the child and the waiter. */
enum held { CHILD, WAITER };

/* The child is held at this function, in which it looks at its parent. */
#define AT_PARENT "vpmc_look_at"

/* This is a process that sleeps at a gate and then exits. */
struct member {
	struct script script;
	struct gate gate;
	uint32_t *pid;
};

static struct member member_new(struct script *parent)
{
	struct member m = {
		.script = script_new(),
		.gate = gate_new(),
		.pid = shared(sizeof(uint32_t)),
	};

	script_fork(parent, &m.script, SYS_fork);
	script_save(parent, m.pid);
	return m;
}

static void member_finish(struct member *m)
{
	script_gate(&m->script, m->gate.in);
	script_rounds(&m->script, ROUNDS);
	script_exit(&m->script, 0);
}

/* Let the process start again with VPMC_START_FOLD. Returns its previous counts. */
static struct cost member_start(struct member *m)
{
	struct cost before;

	script_rounds(&m->script, 1);
	before = cost_add(m->script.cost,
			  m->script.counts ? (struct cost){ 8, 1 } : NOTHING);
	script_start(&m->script, open_device(),
		     start_arg(FIRST, VPMC_START_FORCE | VPMC_START_FOLD));
	return before;
}

/*
 * The waiter is held at the function @at_wait. If @all_count is false, only the child counts.
 */
static const char *at_wait;
static bool all_count;

static pid_t run_waiter(struct family *f)
{
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		script_run(&f->parent);
		_exit(0);
	}
	return pid;
}

static void until_there(const struct member *m)
{
	while (!*m->pid)
		usleep(1000);
	until_at_gate(*m->pid, &m->gate);
}

/* Reap the child, which becomes a child of this process when its parent has exited. */
static void reap(const struct member *m)
{
	while (waitpid((pid_t)*m->pid, NULL, 0) < 0)
		usleep(1000);
}

static void go_held(enum held who, const char *function,
		    const struct gate *gate)
{
	delay_use(who);
	delay_at(function);
	gate_open(gate);
	until_delayed();
}

static void go_on(enum held who)
{
	delay_use(who);
	delay_end();
}

static void no_more(enum held who)
{
	delay_use(who);
	delay_remove();
}

/*
 * Run the sequence that the first comment describes, and check CHILDREN of the waiter, while the
 * waiter sleeps at gate @last and after its exit.
 */
static void check_waiter(pid_t waiter, struct member *parent,
			 struct member *child, const struct gate *last,
			 struct cost sum)
{
	int fd = hold(waiter, 0);

	until_there(parent);
	until_there(child);
	go_held(CHILD, AT_PARENT, &child->gate);
	go_held(WAITER, at_wait, &parent->gate);
	go_on(CHILD);
	reap(child);
	go_on(WAITER);
	until_at_gate((uint32_t)waiter, last);
	check_scope(fd, VPMC_SCOPE_CHILDREN, sum, 0, at_wait);
	gate_open(last);
	waitpid(waiter, NULL, 0);
	check_scope(fd, VPMC_SCOPE_CHILDREN, sum, 0, "and when it is gone");
	no_more(WAITER);
	no_more(CHILD);
}

static void test(void)
{
	struct family f = family_new();
	struct gate last = gate_new();
	struct member parent, child;
	struct cost sum;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (!all_count)
		f.parent = script_new();
	delay_use(WAITER);
	script_name_delayed(&f.parent);
	parent = member_new(&f.parent);
	delay_use(CHILD);
	script_name_delayed(&parent.script);
	child = member_new(&parent.script);
	sum = member_start(&child);
	member_finish(&child);
	member_finish(&parent);
	script_wait(&f.parent);
	if (all_count)
		script_stop(&f.parent, f.fd, f.stop);
	script_gate(&f.parent, last.in);
	script_exit(&f.parent, 0);
	sum = cost_add(sum, cost_add(child.script.cost, parent.script.cost));
	check_waiter(run_waiter(&f), &parent, &child, &last, sum);
}

int main(void)
{
	static const char *const points[] = { "thread_group_cputime_adjusted",
					      "release_task" };
	unsigned int i;

	for (i = 0; i < 2; i++) {
		at_wait = points[i];
		all_count = true;
		run(test);
		all_count = false;
		run(test);
	}
	return check_status();
}

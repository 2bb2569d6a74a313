// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold_delay: test that the counts of a process are added to the right parent at its exit. The
 * kernel may release ancestors while the process looks for its parent.
 *
 * The process is held in its exit while its ancestors exit. No process waits for the ancestors.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* This is a process that sleeps at a gate and then exits. */
struct member {
	struct script script;
	struct gate gate;
	uint32_t *pid;
};

static struct member member_new(void)
{
	return (struct member){
		.script = script_new(),
		.gate = gate_new(),
		.pid = shared(sizeof(uint32_t)),
	};
}

static void member_fork(struct script *parent, struct member *m)
{
	script_fork(parent, &m->script, SYS_fork);
	script_save(parent, m->pid);
}

static void member_finish(struct member *m)
{
	script_gate(&m->script, m->gate.in);
	script_rounds(&m->script, ROUNDS);
	script_exit(&m->script, 0);
}

/* Like member_finish(), for the process that is to be held. */
static void member_finish_delayed(struct member *m)
{
	script_name_delayed(&m->script);
	member_finish(m);
}

/* Let the member exit, and wait until the kernel has released it. */
static void member_end(const struct member *m)
{
	gate_open(&m->gate);
	while (state_of(*m->pid))
		usleep(1000);
}

/* Return a family that starts with VPMC_START_FOLD and in which no process waits for children. */
static struct family unwaited(void)
{
	struct family f = family_new();

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGCHLD, SIG_IGN);
	f.start->flags = VPMC_START_FOLD;
	return f;
}

/* Run the family until its youngest member @last is held at the function. */
static void run_until_delayed(struct family *f, const struct member *last,
			      const char *function)
{
	delay_at(function);
	family_run(f);
	while (!*last->pid)
		usleep(1000);
	until_at_gate(*last->pid, &last->gate);
	gate_open(&last->gate);
	until_delayed();
}

/* Let the held process continue, and check that all processes have been folded. */
static void check_all(const struct family *f, struct cost want,
		      const char *what)
{
	delay_end();
	check(wait(NULL) < 0 && errno == ECHILD, "nobody is left");
	delay_remove();
	family_check(f, want, 0, what);
}

/* Test a parent that is released after the process has found it, and before the process uses it. */
static void test_parent(void)
{
	struct family f = unwaited();
	struct member child = member_new(), grand = member_new();

	member_fork(&f.parent, &child);
	member_fork(&child.script, &grand);
	member_finish(&child);
	member_finish_delayed(&grand);
	run_until_delayed(&f, &grand, "vpmc_look_at");
	member_end(&child);
	check_all(&f, cost_add(child.script.cost, grand.script.cost),
		  "the orphan is the new parent's");
}

/*
 * Test a process that has found its parent. Before the counts are added to the parent, the parent
 * and the grandparent are folded and released. So the process must look for the next ancestor from
 * the released parent.
 */
static void test_both(void)
{
	struct family f = unwaited();
	struct member child = member_new(), grand = member_new();
	struct member great = member_new();
	struct cost sum;

	member_fork(&f.parent, &child);
	member_fork(&child.script, &grand);
	member_fork(&grand.script, &great);
	member_finish(&child);
	member_finish(&grand);
	member_finish_delayed(&great);
	run_until_delayed(&f, &great, "fold_add_child");
	member_end(&grand);
	member_end(&child);
	sum = cost_add(child.script.cost, grand.script.cost);
	check_all(&f, cost_add(sum, great.script.cost),
		  "the last of the line is the new parent's");
}

int main(void)
{
	run(test_parent);
	run(test_both);
	return check_status();
}

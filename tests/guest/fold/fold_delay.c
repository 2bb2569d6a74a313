// SPDX-License-Identifier: GPL-2.0-only
/*
 * fold_delay: test that a process whose counts are added to its parent at exit finds
 * the right parent, even if processes above it are released while it looks for it.
 *
 * The process is held at a point of its exit while the processes above it exit. No
 * process waits for these.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/* A process that goes through a gate and exits. */
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

/* Like member_finish(), for the process that is held. */
static void member_finish_delayed(struct member *m)
{
	script_name_delayed(&m->script);
	member_finish(m);
}

/* Let the member end. Return when it has been released. */
static void member_end(const struct member *m)
{
	gate_open(&m->gate);
	while (state_of(*m->pid))
		usleep(1000);
}

/* Create a family that counts with the flag and in which no process is waited for. */
static struct family unwaited(void)
{
	struct family f = family_new();

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	signal(SIGCHLD, SIG_IGN);
	f.start->flags = VPMC_START_FOLD;
	return f;
}

/* Run them until the last one of the line is held at the function. */
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

/* Check that all have been folded after the last one was released. */
static void check_all(const struct family *f, struct cost want,
		      const char *what)
{
	delay_end();
	check(wait(NULL) < 0 && errno == ECHILD, "nobody is left");
	delay_remove();
	family_check(f, want, 0, what);
}

/* The parent is released after it has been found and before it is used. */
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
 * The parent is found, but has been folded when the counts are to be added. The way up leads
 * from a released process, and its former parent has also been released.
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file has the operations of "sweep" in which processes and threads are created, run and exit.
 */
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sweep.h"

/* This is the number of rounds that a child executes before its exit. */
#define ROUNDS 10

/*
 * Add the life of a child as an operation. @call creates the child, and @finish completes its
 * script. The sweep's script waits for the child.
 */
static void add_child(struct sweep *s, const script_word call[7],
		      void (*finish)(struct sweep *s, struct script *child))
{
	struct script child = script_new();

	sweep_begin(s, &s->script);
	script_fork_(&s->script, &child, call);
	finish(s, &child);
	script_wait(&s->script);
	sweep_end(s);
	sweep_children(s, child.cost);
}

static const script_word fork_call[7] = { SYS_fork };
static const script_word vfork_call[7] = { SYS_vfork };

static void finish_exit(struct sweep *s, struct script *child)
{
	(void)s;
	script_rounds(child, ROUNDS);
	script_exit(child, 0);
}

static void add_fork(struct sweep *s)
{
	sweep_start(s, 0);
	add_child(s, fork_call, finish_exit);
}

static void add_vfork(struct sweep *s)
{
	sweep_start(s, 0);
	add_child(s, vfork_call, finish_exit);
}

static void add_fork_collected(struct sweep *s)
{
	sweep_start(s, VPMC_START_COLLECT | VPMC_START_RECORDS);
	add_child(s, fork_call, finish_exit);
}

static void add_fork_folded(struct sweep *s)
{
	sweep_start(s, VPMC_START_FOLD);
	add_child(s, fork_call, finish_exit);
}

static void add_fork_mapped(struct sweep *s)
{
	struct vpmc_map *map = shared(sizeof(*map));

	map->size = sizeof(*map);
	sweep_start(s, 0);
	sweep_ioctl(s, &s->script, s->fd, VPMC_MAP, map);
	add_child(s, fork_call, finish_exit);
}

static void finish_exec(struct sweep *s, struct script *child)
{
	(void)s;
	script_exec_exactly(child, "exactly-1000", 1000);
}

static void add_exec(struct sweep *s)
{
	sweep_start(s, 0);
	add_child(s, vfork_call, finish_exec);
}

static void finish_killed(struct sweep *s, struct script *child)
{
	(void)s;
	script_kill(child, SIGKILL);
}

static void add_kill(struct sweep *s)
{
	sweep_start(s, 0);
	add_child(s, fork_call, finish_killed);
}

static void finish_signalled(struct sweep *s, struct script *child)
{
	sweep_ioctl(s, child, s->other, VPMC_SIGNAL, signal_arg(0));
	sweep_called(s, CHILDS_SIGNAL);
	sweep_ioctl(s, child, s->other, VPMC_SIGNAL, signal_arg(1));
	sweep_called(s, CHILDS_SIGNAL);
	script_rounds(child, ROUNDS);
	script_exit(child, 0);
}

/* Add a child that exits while signals are due to it. */
static void add_exit_signalled(struct sweep *s)
{
	sweep_start(s, 0);
	add_child(s, fork_call, finish_signalled);
}

/* Add the life of a thread as an operation. */
static void add_thread_that(struct sweep *s,
			    void (*finish)(struct sweep *s, struct script *))
{
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));

	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	script_thread(&s->script, &thread, pair);
	finish(s, &thread);
	script_join(&s->script, pair);
	/* The thread may not have run its exit hook yet, so let it run. */
	script_call(&s->script, SYS_sched_yield);
	script_call(&s->script, SYS_sched_yield);
	sweep_end(s);
	s->others = thread.cost;
	s->thread = &pair[1];
}

static void add_thread(struct sweep *s)
{
	add_thread_that(s, finish_exit);
}

/* Add a thread that exits while signals are due to it. */
static void add_thread_signalled(struct sweep *s)
{
	add_thread_that(s, finish_signalled);
}

/* Create a process that counts and yields all the time, until this process exits. */
static void create_partner(void)
{
	/* Allocate this before the fork, so that both processes share it. */
	struct vpmc_start *start = start_arg(OTHER, 0);

	if (fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	request(open_device(), VPMC_START, start);
	for (;;)
		sched_yield();
}

static void add_yield(struct sweep *s)
{
	create_partner();
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	script_call(&s->script, SYS_sched_yield);
	sweep_end(s);
}

static void add_handler(struct sweep *s)
{
	script_handle(SIGUSR1);
	sweep_start(s, 0);
	sweep_begin(s, &s->script);
	script_raise_handled(&s->script, SIGUSR1);
	sweep_result(s, &s->script, 0);
	sweep_end(s);
}

/* Add a write to a page that is not present, which causes a page fault. */
static void add_fault(struct sweep *s)
{
	enum { SIZE = 4096 };
	void *page = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	sweep_start(s, 0);
	sweep_call(s, &s->script, 0, SYS_madvise, P(page), SIZE, MADV_DONTNEED);
	sweep_begin(s, &s->script);
	script_save(&s->script, page);
	sweep_end(s);
}

const struct operation sweep_lives[] = {
	{ "yield", add_yield, 50 },
	{ "fault", add_fault, 0 },
	{ "handler", add_handler, 0 },
	{ "thread", add_thread, 600 },
	{ "thread-signalled", add_thread_signalled, 600 },
	{ "fork", add_fork, 600 },
	{ "vfork", add_vfork, 600 },
	{ "fork-collected", add_fork_collected, 600 },
	{ "fork-folded", add_fork_folded, 600 },
	{ "fork-mapped", add_fork_mapped, 600 },
	{ "exit-signalled", add_exit_signalled, 600 },
	{ "kill", add_kill, 600 },
	{ "exec", add_exec, 600 },
};

const unsigned int nr_sweep_lives =
	sizeof(sweep_lives) / sizeof(sweep_lives[0]);

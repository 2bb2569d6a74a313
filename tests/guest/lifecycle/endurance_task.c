// SPDX-License-Identifier: GPL-2.0-only
/* This file implements the tasks of endurance.c. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "endurance.h"

/* This is the number of the handle in all scripts. */
#define HANDLE 100

#define YIELDS 200
#define PERIOD 300

/*
 * Return the start of a role. With TURNS, the third event equals the second event, and shares its
 * counter.
 */
static struct vpmc_start *role_start(enum role role)
{
	struct vpmc_start *start = start_arg(
		FIRST,
		VPMC_START_FORCE | (role == TURNS ? VPMC_START_MULTIPLEX : 0));

	if (role == TURNS) {
		start->nr_events = 3;
		start->event[2] = start->event[1];
	}
	return start;
}

/* Add rounds, and let other tasks run between them. */
static void script_work(struct script *s, unsigned int rounds,
			unsigned int yields)
{
	while (yields--) {
		script_rounds(s, rounds);
		script_call(s, SYS_sched_yield);
	}
}

static void script_ask_for_signals(struct script *s)
{
	struct vpmc_signal *arg = shared(sizeof(*arg));

	*arg = (struct vpmc_signal){ .size = sizeof(*arg),
				     .signo = (uint32_t)SIGRTMIN,
				     .period = PERIOD };
	script_call(s, SYS_ioctl, HANDLE, VPMC_SIGNAL, P(arg));
}

struct task task_new(enum role role, unsigned int seed)
{
	struct task task = {
		.role = role,
		.rounds = 1 + seed * 37 % 211,
		.fd = HANDLE,
		.script = script_new(),
		.pair = shared(2 * sizeof(*task.pair)),
		.done = shared(sizeof(*task.done)),
	};
	struct script child = script_new(), thread = script_new();
	struct script *s = &task.script;

	if (role != IS_QUIET)
		script_start(s, HANDLE, role_start(role));
	if (role == SIGNALLED)
		script_ask_for_signals(s);
	script_work(s, task.rounds, YIELDS);
	script_fork(s, &child, SYS_fork);
	script_work(&child, task.rounds, YIELDS / 4);
	script_exit(&child, 0);
	script_thread(s, &thread, task.pair);
	script_work(&thread, task.rounds, YIELDS / 4);
	script_exit(&thread, 0);
	script_work(s, task.rounds, YIELDS / 2);
	/* Signals would interrupt these system calls, which the kernel would then repeat. */
	if (role != SIGNALLED) {
		script_join(s, task.pair);
		script_wait(s);
	}
	/* Execute some more instructions. The counter is not read again before the stop. */
	script_rounds(s, task.rounds);
	if (role != IS_QUIET && role != HAS_PAGE)
		script_stop(s, HANDLE, stop_arg());
	script_back(s);
	task.child = child.cost;
	task.whole = cost_add(s->cost, thread.cost);
	return task;
}

/*
 * Return whether the counts are exact. If there are two branch events, they share a counter, and
 * their counts add up.
 */
static bool is_exact(const struct vpmc_read *read, struct cost want)
{
	bool turns = read->nr_counts == 3;

	if (turns && read->time[1] + read->time[2] != read->tsc)
		return false;
	return read->count[0] == want.instructions &&
	       read->count[1] + (turns ? read->count[2] : 0) == want.branches &&
	       !read->other_events && !read->revoked;
}

static void complain(const struct task *task, const char *what,
		     const struct vpmc_read *read, struct cost want)
{
	check(false,
	      "task with %u rounds, role %d, %s: %llu %llu+%llu want %llu %llu, time %llu+%llu of %llu, state %u, %u other, %u revoked",
	      task->rounds, (int)task->role, what, read->count[0],
	      read->count[1], read->count[2],
	      (unsigned long long)want.instructions,
	      (unsigned long long)want.branches, read->time[1], read->time[2],
	      read->tsc, read->state, read->other_events, read->revoked);
}

static void check_scope_of(const struct task *task, unsigned int scope,
			   struct cost want, const char *what)
{
	struct vpmc_read read = read_scope(task->fd, scope);

	if (!is_exact(&read, want))
		complain(task, what, &read, want);
}

/* Check that the last signal after the stop is for the last multiple. */
static void check_signal(const struct task *task)
{
	const struct timespec none = { 0, 0 };
	struct vpmc_siginfo told;
	siginfo_t info;
	sigset_t set;
	uint64_t count;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	if (sigtimedwait(&set, &info, &none) != SIGRTMIN) {
		check(false, "no signal is pending");
		return;
	}
	__builtin_memcpy(&told, &info.si_addr, sizeof(told));
	count = (uint64_t)told.count[1] << 32 | told.count[0];
	if (told.event ||
	    count / PERIOD != task->script.cost.instructions / PERIOD)
		check(false, "signal of event %u: %llu want %llu", told.event,
		      (unsigned long long)count,
		      (unsigned long long)task->script.cost.instructions);
}

/* Read a count like vpmc_count(); see struct vpmc_page_count. */
static int64_t read_page(const volatile struct vpmc_page *page)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc"
			     : "=a"(low), "=d"(high)
			     : "c"(page->count[0].counter));
	return (int64_t)(page->count[0].high[!(low >> 31)] | low);
}

/* Check that the count of the page lies between the counts of two system calls. Then stop. */
static void check_page(const struct task *task,
		       const volatile struct vpmc_page *page)
{
	struct vpmc_read before = read_scope(task->fd, VPMC_SCOPE_THREAD);
	int64_t count = read_page(page);
	struct vpmc_read after = read_scope(task->fd, VPMC_SCOPE_THREAD);

	must_stop(task->fd);
	if (count < (int64_t)before.count[0] || count > (int64_t)after.count[0])
		check(false, "the page shows %lld between %llu and %llu",
		      (long long)count, before.count[0], after.count[0]);
}

static volatile struct vpmc_page *map_page(int fd)
{
	struct vpmc_map map = { .size = sizeof(map) };

	if (request(fd, VPMC_MAP, &map))
		check(false, "map");
	return pointer_to(map.address);
}

static bool open_handle(void)
{
	int fd = open(VPMC_DEVICE, O_RDONLY);

	if (fd < 0 && errno != ENOENT && errno != ENODEV && errno != ENXIO)
		err(2, VPMC_DEVICE);
	if (fd < 0)
		return false;
	if (dup2(fd, HANDLE) < 0)
		err(2, "dup2");
	close(fd);
	return true;
}

/*
 * Check SELF and CHILDREN. Do not check SELF of a task with a page, because the C code that reads
 * the page was counted too.
 */
static void check_counts(const struct task *task)
{
	if (task->role != HAS_PAGE)
		check_scope_of(task, VPMC_SCOPE_SELF, task->whole, "SELF");
	check_scope_of(task, VPMC_SCOPE_CHILDREN, task->child, "CHILDREN");
}

/*
 * Wait until the thread has been released, and the child reaped if the script has not waited for
 * them. A thread that has been joined may still count, and a new start would join its generation
 * then.
 */
static void wait_for_both(const struct task *task)
{
	until_threads((uint32_t)getpid(), 1);
	if (task->role == SIGNALLED && wait(NULL) < 0)
		err(2, "wait");
}

bool task_count(struct task *task)
{
	volatile struct vpmc_page *page = NULL;

	if (task->role != IS_QUIET && !open_handle())
		return false;
	if (task->role == HAS_PAGE)
		page = map_page(HANDLE);
	script_run(&task->script);
	if (page)
		check_page(task, page);
	if (task->role == SIGNALLED)
		check_signal(task);
	wait_for_both(task);
	if (task->role != IS_QUIET) {
		check_counts(task);
		close(HANDLE);
	}
	if (page)
		munmap((void *)page, 4096);
	++*task->done;
	return true;
}

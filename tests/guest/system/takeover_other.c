// SPDX-License-Identifier: GPL-2.0-only
/*
 * takeover_other: test that threads can count their own events again after system mode has taken
 * the counters for other events and given them back. Test also threads with a page and threads
 * whose events share counters, from which system mode takes the counters too. A process that
 * collects them can see this.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })
#define FOREVER UINT32_C(2000000000)

static unsigned int processors;

/*
 * Test a thread that takes its own counters away by system mode and starts again. Each count must
 * be of the events of its own start.
 */
static void take_from_self(enum events own, enum events taken)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	int fd = open_device(), system = open_device();
	struct script s = script_new();
	struct cost cost;

	script_start(&s, fd, start_arg(own, 0));
	script_rounds(&s, ROUNDS);
	script_system_start(&s, system, start_arg(taken, VPMC_START_FORCE));
	script_rounds(&s, 2 * ROUNDS);
	cost = script_system_read(&s, system, read);
	script_call(&s, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_STOP,
		    P(stop_arg()));
	script_start(&s, fd, start_arg(own, 0));
	script_rounds(&s, 3 * ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	until_quiet();
	script_run(&s);
	check_system(read, taken == FIRST ? cost : swapped(cost),
		     "system mode's own counts");
	check_scope(fd, VPMC_SCOPE_SELF,
		    own == FIRST ? s.cost : swapped(s.cost), 0,
		    "the thread that starts again");
}

static void test_self(void)
{
	take_from_self(FIRST, OTHER);
	take_from_self(OTHER, FIRST);
	take_from_self(FIRST, FIRST);
}

/* Create a child that counts and spins on the last processor. */
static pid_t spin(int fd, enum events events)
{
	struct script parent = script_new(), child = script_new();
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };
	uint32_t *pid = shared(sizeof(*pid));

	script_fork(&parent, &child, SYS_fork);
	script_save(&parent, pid);
	script_back(&parent);
	script_stay_on(&child, processors - 1);
	script_start(&child, fd, start_arg(events, 0));
	script_rounds(&child, FOREVER);
	script_exit(&child, 0);
	script_run(&parent);
	while (request(fd, VPMC_READ, &read) || !read.count[0])
		usleep(1000);
	return (pid_t)*pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "wait");
}

/* Check counts of a loop, in which each second instruction is a branch. */
static void check_loop(uint64_t instructions, uint64_t branches,
		       const char *what)
{
	check(branches > 1000000 && instructions >= 2 * branches &&
		      instructions < 2 * branches + branches / 100,
	      "%s: %llu instructions, %llu branches", what,
	      (unsigned long long)instructions, (unsigned long long)branches);
}

/*
 * Test a thread that stays in a loop while the driver changes the control register of its
 * processor.
 */
static void test_spinning(void)
{
	int fd = open_device(), system = open_device();
	struct vpmc_system_read read = { .size = sizeof(read),
					 .cpu = (int)processors - 1 };
	struct vpmc_read own;
	pid_t pid;

	stay_on(0);
	pid = spin(fd, FIRST);
	if (request(system, VPMC_SYSTEM_START,
		    start_arg(OTHER, VPMC_START_FORCE)))
		check(false, "system mode by force");
	while (request(system, VPMC_SYSTEM_READ, &read) ||
	       read.count[0] < 5000000)
		usleep(1000);
	check_loop(read.count[1], read.count[0], "system mode");
	if (request(system, VPMC_SYSTEM_STOP, stop_arg()))
		check(false, "the end of system mode");
	own = read_scope(fd, VPMC_SCOPE_SELF);
	check_read(&own, NOTHING, REVOKED, "the loop has lost its counters");
	end(pid);
}

/* Test a process that is collected. */
static void test_collected(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	int fd = open_device(), system = open_device();
	struct script s = script_new();
	struct vpmc_read all, self;

	script_start(&s, fd, start);
	script_rounds(&s, ROUNDS);
	script_call(&s, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_START,
		    P(start_arg(OTHER, VPMC_START_FORCE)));
	script_rounds(&s, ROUNDS);
	script_back(&s);
	script_run(&s);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	self = read_scope(fd, VPMC_SCOPE_SELF);
	check_read(&all, NOTHING, REVOKED, "ALL");
	check(all.generation != start->generation &&
		      all.generation == self.generation &&
		      all.state == VPMC_STATE_REVOKED,
	      "ALL has the new generation of SELF, state %u", all.state);
	if (request(system, VPMC_SYSTEM_STOP, stop_arg()))
		check(false, "the end of system mode");
	check(read_scope(fd, VPMC_SCOPE_ALL).generation == all.generation,
	      "and keeps it");
}

/*
 * Test the page of a thread from which system mode takes the counters. It does not show counts any
 * more.
 */
static void test_page(void)
{
	struct vpmc_map *map = shared(sizeof(*map));
	int fd = open_device(), system = open_device();
	const struct vpmc_page *page;
	const void *address;
	struct vpmc_start *again = start_arg(OTHER, 0);

	map->size = sizeof(*map);
	if (request(fd, VPMC_START, start_arg(FIRST, 0)) ||
	    request(fd, VPMC_MAP, map))
		errx(2, "VPMC_MAP");
	memcpy(&address, &map->address, sizeof(address));
	page = address;
	check(page->state == VPMC_STATE_RUNNING &&
		      page->count[0].high[1] != VPMC_PAGE_INVALID,
	      "the page shows counts");
	if (request(system, VPMC_SYSTEM_START,
		    start_arg(OTHER, VPMC_START_FORCE)))
		check(false, "system mode by force");
	check(page->state == VPMC_STATE_STOPPED &&
		      page->count[0].high[0] == VPMC_PAGE_INVALID &&
		      page->count[0].high[1] == VPMC_PAGE_INVALID &&
		      page->count[1].high[0] == VPMC_PAGE_INVALID,
	      "system mode: it shows none");
	sched_yield();
	usleep(10000);
	check(page->state == VPMC_STATE_STOPPED &&
		      page->count[0].high[0] == VPMC_PAGE_INVALID,
	      "nor after a switch");
	if (request(system, VPMC_SYSTEM_STOP, stop_arg()))
		check(false, "the end of system mode");
	usleep(10000);
	check(page->state == VPMC_STATE_STOPPED &&
		      page->count[0].high[0] == VPMC_PAGE_INVALID,
	      "nor when the counters are free again");
	check(!request(fd, VPMC_START, again) &&
		      page->state == VPMC_STATE_RUNNING &&
		      page->start == again->start &&
		      page->count[0].high[1] != VPMC_PAGE_INVALID,
	      "it shows those of another start");
}

/*
 * Test four events that share counters. System mode takes the counters, and a new start counts
 * again.
 */
static void test_shared_counters(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_MULTIPLEX);
	int fd = open_device(), system = open_device();
	struct vpmc_read read;

	start->nr_events = 4;
	start->event[2] = start->event[0];
	start->event[3] = start->event[1];
	if (request(fd, VPMC_START, start) ||
	    request(system, VPMC_SYSTEM_START,
		    start_arg(OTHER, VPMC_START_FORCE)) ||
	    request(system, VPMC_SYSTEM_STOP, stop_arg()))
		errx(2, "system mode by force");
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check(read.nr_counts == 4 && read.revoked == 1 && !read.count[0] &&
		      !read.count[3] && !read.tsc && !read.time[0] &&
		      read.state == VPMC_STATE_REVOKED,
	      "revoked, and nothing is left of it");
	if (request(fd, VPMC_START, start))
		check(false, "a start after it");
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check(!read.revoked && read.state == VPMC_STATE_RUNNING && read.tsc,
	      "it counts again");
}

/*
 * Test a child from which system mode has taken the counters, while its parent counts other events.
 */
static void test_missing_child(void)
{
	int fd = open_device(), own = open_device(), system = open_device();
	struct script parent = script_new(), child = script_new();
	struct gate lost = gate_new();

	script_fork(&parent, &child, SYS_fork);
	script_start(&child, own, start_arg(OTHER, 0));
	script_system_start(&child, system, start_arg(OTHER, VPMC_START_FORCE));
	script_call(&child, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_STOP,
		    P(stop_arg()));
	script_call(&child, SYS_write, (uint32_t)lost.out, P(shared(1)), 1);
	script_exit(&child, 0);
	script_gate(&parent, lost.in);
	script_start(&parent, fd, start_arg(FIRST, 0));
	script_wait(&parent);
	script_stop(&parent, fd, stop_arg());
	script_back(&parent);
	script_run(&parent);
	check_scope(fd, VPMC_SCOPE_CHILDREN, NOTHING, REVOKED,
		    "a child that lost the counters is numbered as such");
}

int main(void)
{
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	run(test_self);
	run(test_spinning);
	run(test_collected);
	run(test_page);
	run(test_shared_counters);
	run(test_missing_child);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/* This file has the operations of "faults" that are calls of the driver. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"
#include "faults.h"

static int fd, other;

static void prepare_handles(void)
{
	fd = open_device();
	other = open_device();
	watched[0] = fd;
	watched[1] = other;
}

static int act_open(void)
{
	int opened;

	fault_arm();
	opened = open(VPMC_DEVICE, O_RDONLY);
	fault_disarm();
	return opened < 0 ? -errno : 0;
}

static int act_request(unsigned long what, void *arg)
{
	int result;

	fault_arm();
	result = request(fd, what, arg);
	fault_disarm();
	return result;
}

/*
 * Return a start of two events that no process counts, so that the driver cannot reuse an existing
 * set of events. On a Pentium, any counter can count the events 4 to 15.
 */
static struct vpmc_start new_start(unsigned int flags)
{
	struct vpmc_start start = *start_arg(FIRST, flags);
	unsigned int serial = fault_serial();

	start.event[0].code = any_code_here(4 + serial % 12);
	start.event[1].code = any_code_here(4 + serial / 12 % 12);
	return start;
}

static int act_start_flags(unsigned int flags)
{
	struct vpmc_start start = new_start(flags);

	return act_request(VPMC_START, &start);
}

static int act_start(void)
{
	return act_start_flags(0);
}

static int act_start_at_exec(void)
{
	return act_start_flags(VPMC_START_AT_EXEC);
}

static int act_start_fold(void)
{
	return act_start_flags(VPMC_START_FOLD);
}

static int act_start_force(void)
{
	return act_start_flags(VPMC_START_FORCE);
}

static int act_start_collect(void)
{
	return act_start_flags(VPMC_START_COLLECT);
}

static int act_start_records(void)
{
	return act_start_flags(VPMC_START_COLLECT | VPMC_START_RECORDS |
			       VPMC_START_FORCE);
}

static int act_start_again(void)
{
	struct vpmc_start start = *start_arg(FIRST, 0);

	return act_request(VPMC_START, &start);
}

static int act_resume(void)
{
	struct vpmc_start start = *start_arg(FIRST, VPMC_START_RESUME);

	return act_request(VPMC_START, &start);
}

struct vpmc_start *turns_arg(unsigned int flags)
{
	struct vpmc_start *start =
		start_arg(FIRST, flags | VPMC_START_MULTIPLEX);

	start->nr_events = 4;
	start->event[2] = start->event[1];
	start->event[2].counter = counter_here(0);
	start->event[3] = start->event[0];
	start->event[3].counter = counter_here(1);
	return start;
}

static int act_start_turns(void)
{
	struct vpmc_start start = *turns_arg(VPMC_START_FORCE);

	return act_request(VPMC_START, &start);
}

static void prepare_started(void)
{
	prepare_handles();
	must_start(fd, FIRST, 0);
}

static void prepare_stopped(void)
{
	prepare_started();
	must_stop(fd);
}

static void prepare_recording(void)
{
	prepare_handles();
	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
}

static void *sleep_for_ever(void *unused)
{
	pause_forever();
	return unused;
}

static void add_thread(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleep_for_ever, NULL))
		errx(2, "pthread_create");
}

static void prepare_threads(void)
{
	prepare_handles();
	add_thread();
}

static pid_t target;

static _Noreturn void be_target(const struct gate *ready)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	add_thread();
	gate_open(ready);
	pause_forever();
}

/* Make a process with two threads. */
static void prepare_target(void)
{
	struct gate ready = gate_new();

	prepare_handles();
	target = child_fork();
	if (!target)
		be_target(&ready);
	gate_wait(&ready);
}

/* Make a process whose child has left a record of events that share counters. */
static void prepare_turns_record(void)
{
	struct vpmc_start start =
		*turns_arg(VPMC_START_COLLECT | VPMC_START_RECORDS);
	pid_t child;

	prepare_handles();
	if (request(fd, VPMC_START, &start))
		check(false, "start of turns");
	child = child_fork();
	if (!child)
		_exit(0);
	if (waitpid(child, NULL, 0) != child)
		err(2, "waitpid");
	must_stop(fd);
}

static void prepare_held(void)
{
	prepare_target();
	if (attach(fd, target, 0, NULL))
		check(false, "attach");
}

static void prepare_held_recording(void)
{
	prepare_held();
	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
}

static void prepare_held_stopped(void)
{
	prepare_held();
	must_start(fd, FIRST, 0);
	must_stop(fd);
}

static int act_attach(void)
{
	struct vpmc_attach arg = { .size = sizeof(arg), .id = target };

	return act_request(VPMC_ATTACH, &arg);
}

static int act_attach_thread(void)
{
	struct vpmc_attach arg = { .size = sizeof(arg),
				   .flags = VPMC_ATTACH_THREAD,
				   .id = target };

	return act_request(VPMC_ATTACH, &arg);
}

static int act_signal(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = SIGUSR1,
				   .period = UINT64_C(1) << 40 };

	return act_request(VPMC_SIGNAL, &arg);
}

static int act_map(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };

	return act_request(VPMC_MAP, &arg);
}

/* Make a handle that collects, without counting this process. */
static void prepare_collector(void)
{
	prepare_handles();
	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_AT_EXEC);
}

static int act_cgroup(void)
{
	struct vpmc_cgroup arg = { .size = sizeof(arg),
				   .fd = groups.directory };

	return act_request(VPMC_CGROUP, &arg);
}

static int act_system_start(void)
{
	struct vpmc_start start = new_start(0);

	return act_request(VPMC_SYSTEM_START, &start);
}

/*
 * Read counts. The driver allocates memory for this only if events share counters. Otherwise it
 * uses its stack.
 */
static int act_read(void)
{
	struct vpmc_read arg = { .size = sizeof(arg),
				 .scope = VPMC_SCOPE_SELF };

	return act_request(VPMC_READ, &arg);
}

static int act_query(void)
{
	struct vpmc_query arg = { .size = sizeof(arg),
				  .scope = VPMC_SCOPE_ALL };

	return act_request(VPMC_QUERY, &arg);
}

static int act_record(void)
{
	struct vpmc_record arg = { .size = sizeof(arg) };

	return act_request(VPMC_RECORD, &arg) == -ENODATA ? 0 : -EINVAL;
}

/*
 * Take a record. A record with turns is too large for the driver's stack. After a failed allocation
 * the driver keeps the record.
 */
static int act_record_turns(void)
{
	struct vpmc_record arg = { .size = sizeof(arg) };
	int result = act_request(VPMC_RECORD, &arg);

	if (!result && (arg.nr_counts != 4 || arg.nr_turns != 4))
		check(false, "a record of turns: %u counts, %u turns",
		      arg.nr_counts, arg.nr_turns);
	return result;
}

static int act_stop(void)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };

	return act_request(VPMC_STOP, &arg);
}

/*
 * The numbers are those of the driver's objects. The driver allocates an object for
 *
 * - a process, its thread and a set of events, if they are new,
 * - a session,
 * - the record of each thread,
 * - the description of a page,
 * - the description of a cgroup.
 *
 * If events share counters, it also allocates a sum for the session, three sums for the process, an
 * object for each thread, and a whole answer.
 */
const struct operation call_operations[] = {
	{ "open", prepare_handles, act_open, 1, NULL },
	{ "start", prepare_handles, act_start, 2, NULL },
	{ "start at exec", prepare_handles, act_start_at_exec, 2, NULL },
	{ "start again", prepare_stopped, act_start_again, 0, NULL },
	{ "start by force", prepare_started, act_start_force, 1, NULL },
	{ "start, fold, two threads", prepare_threads, act_start_fold, 3,
	  NULL },
	{ "start, collect", prepare_handles, act_start_collect, 3, NULL },
	{ "start, records", prepare_recording, act_start_records, 2, NULL },
	{ "start, turns", prepare_handles, act_start_turns, 8, NULL },
	{ "start, turns, by force", prepare_started, act_start_turns, 7, NULL },
	{ "start, turns, records", prepare_recording, act_start_turns, 8,
	  NULL },
	{ "resume", prepare_stopped, act_resume, 0, NULL },
	{ "stop", prepare_started, act_stop, 0, NULL },
	{ "read", prepare_stopped, act_read, 0, NULL },
	{ "read, turns", prepare_turns_record, act_read, 1, NULL },
	{ "query", prepare_recording, act_query, 0, NULL },
	{ "record", prepare_recording, act_record, 0, NULL },
	{ "record, turns", prepare_turns_record, act_record_turns, 1, NULL },
	{ "signal", prepare_started, act_signal, 1, NULL },
	{ "map", prepare_handles, act_map, 2, NULL },
	{ "map, started", prepare_started, act_map, 1, NULL },
	{ "attach", prepare_target, act_attach, 2, NULL },
	{ "attach to a thread", prepare_target, act_attach_thread, 2, NULL },
	{ "attached: start", prepare_held, act_start, 1, NULL },
	{ "attached: turns", prepare_held, act_start_turns, 8, NULL },
	{ "attached: records", prepare_held_recording, act_start_records, 3,
	  NULL },
	{ "attached: start again", prepare_held_stopped, act_start_again, 0,
	  NULL },
	{ "attached: resume", prepare_held_stopped, act_resume, 0, NULL },
	{ "cgroup", prepare_collector, act_cgroup, 1, NULL },
	{ "system start", prepare_handles, act_system_start, 1, NULL },
};

const unsigned int nr_call_operations =
	sizeof(call_operations) / sizeof(call_operations[0]);

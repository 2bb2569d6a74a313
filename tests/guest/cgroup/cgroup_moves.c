// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_moves: test that a process that is moved into a collected cgroup, within it or out of it
 * is started once or missing once. It may sleep or exit while it is moved. The driver keeps no
 * memory for moves. Counts that other tasks may still see are left to them. A stop and threads that
 * do not count are reported.
 */
#include <err.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"

#define MOVES 50

static void check_no_record(int fd, const char *what)
{
	struct vpmc_record record = { .size = sizeof(record) };

	check(request(fd, VPMC_RECORD, &record) == -ENODATA, "%s: no record",
	      what);
}

/* This is the number of threads that are missing, each with a record. */
static void check_missing(int fd, unsigned int want, const char *what)
{
	const struct vpmc_read all = read_scope(fd, VPMC_SCOPE_ALL);
	unsigned int i;

	check(all.other_events == want, "%s: %u are missing", what,
	      all.other_events);
	for (i = 0; i < want; i++)
		check(next_record(fd).what == VPMC_RECORD_MISSING,
		      "%s: a record", what);
	check_no_record(fd, what);
}

/* Hold a thread at its exit with ptrace(2) until @procs has its process. */
static void move_exiting(const struct target *t, pid_t tid,
			 const struct gate *gate, int procs)
{
	if (ptrace(PTRACE_SEIZE, tid, NULL, PTRACE_O_TRACEEXIT))
		err(2, "PTRACE_SEIZE");
	gate_open(gate);
	if (waitpid(tid, NULL, __WALL) != tid)
		err(2, "waitpid");
	group_move(t->pid, procs);
	if (ptrace(PTRACE_DETACH, tid, NULL, NULL))
		err(2, "PTRACE_DETACH");
	until_threads((uint32_t)t->pid, 1);
}

/* The task work of an exiting thread runs after the thread has released its mm. */
static void test_exits(void)
{
	const int fd = group_collector();
	uint32_t *pair = shared(2 * sizeof(*pair));
	const struct gate gate = gate_new();
	struct script thread = script_new();
	struct target t = target_new();

	script_thread(&t.script, &thread, pair);
	target_gate_start(&t);
	script_work(&t.script);
	script_gate(&thread, gate.in);
	script_exit(&thread, 0);
	target_create(&t);
	move_exiting(&t, (pid_t)pair[0], &gate, groups.inner);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 0, "with a thread that exited");
	close(fd);
}

/* Each thread and each open file holds the driver. */
static unsigned long references(void)
{
	return number_in("/sys/module/vpmc/refcnt", "");
}

/*
 * Another process moves a sleeping process back and forth, and then a process that already counts
 * within the cgroup.
 */
static void test_sleeps(void)
{
	const int fd = group_collector();
	struct target t = target_new();
	unsigned long before;
	int i;

	target_gate_start(&t);
	target_gate(&t, true);
	script_work(&t.script);
	target_create(&t);
	before = references();
	for (i = 0; i < MOVES; i++) {
		group_move(t.pid, groups.inner);
		group_move(t.pid, groups.middle);
		group_move(t.pid, groups.outside);
	}
	group_move(t.pid, groups.inner);
	check(references() == before,
	      "what waits does not hold the driver: %lu",
	      references() - before);
	target_pass(&t);
	before = references();
	for (i = 0; i < MOVES; i++) {
		group_move(t.pid, groups.middle);
		group_move(t.pid, groups.inner);
	}
	check(references() == before, "none waits for a move within: %lu",
	      references() - before);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 0, "one that is moved often");
	close(fd);
}

/*
 * Handles are opened and closed while a process with a thread sleeps in their cgroup. No memory
 * or reference of the handles remains.
 */
static void test_closed(void)
{
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct target t = target_new();
	struct script thread = script_new();
	unsigned long before;
	int fd, i;

	script_move(&t.script, groups.inner);
	script_thread(&t.script, &thread, pair);
	target_gate_start(&t);
	script_work(&t.script);
	script_gate_then(&thread, t.gate.in, true);
	script_work(&thread);
	target_create(&t);
	until_at_gate(pair[0], &t.gate);
	close(group_collector());
	before = references();
	for (i = 0; i < MOVES; i++)
		close(group_collector());
	check(references() == before,
	      "closed handles do not hold the driver: %lu",
	      references() - before);
	fd = group_collector();
	gate_open(&t.gate);
	target_end(&t);
	target_reap(&t);
	group_check(fd, cost_add(t.script.cost, thread.cost), 0,
		    "one that slept while handles came and went");
	close(fd);
}

/* A thread that was started holds the driver until it exits, also after the handle is closed. */
static void test_holds(void)
{
	struct target t = target_new();
	unsigned long before;
	int fd;

	target_enter(&t);
	script_work(&t.script);
	/* This thread also gets counters. */
	close(group_handle());
	before = references();
	target_create(&t);
	fd = group_collector();
	target_pass(&t);
	close(fd);
	check(references() == before + 1,
	      "a thread holds the driver: %lu references more",
	      references() - before);
	target_end(&t);
	target_reap(&t);
	check(references() == before, "and not when it has exited: %lu more",
	      references() - before);
}

static void check_stopped(int fd, unsigned int want, const char *what)
{
	const struct vpmc_read all = read_scope(fd, VPMC_SCOPE_ALL);

	check(all.stopped == want, "%s: stopped %u times", what, all.stopped);
}

/*
 * Check the gaps of a process that changes its own count by @own, during its life and after its
 * exit.
 */
static void check_gaps(int fd, int own, struct target *t, unsigned int want,
		       const char *what)
{
	target_create(t);
	check_stopped(fd, want, what);
	target_end(t);
	target_reap(t);
	check_stopped(fd, want, "when it has exited");
	close(own);
	close(fd);
}

/* Test a process that stops itself. The stop is recorded immediately, and only once. */
static void test_stops(void)
{
	const int fd = group_collector(), own = open_device();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	script_stop(&t.script, own, stop_arg());
	target_gate(&t, false);
	script_work(&t.script);
	target_create(&t);
	check_stopped(fd, 1, "one that stopped itself");
	must_stop(fd);
	check_stopped(fd, 1, "and not the one that stopped the handle");
	target_end(&t);
	target_reap(&t);
	check_stopped(fd, 1, "one that stopped itself and exited");
	group_check(fd, t.script.cost, 0, "until then");
	close(own);
	close(fd);
}

/* System mode takes the counters from all counting threads, and ends. */
static void take_counters(void)
{
	const int fd = open_device();

	check(!request(fd, VPMC_SYSTEM_START,
		       start_arg(FIRST, VPMC_START_FORCE)) &&
		      !request(fd, VPMC_SYSTEM_STOP, stop_arg()),
	      "system mode");
	close(fd);
}

/* System mode takes the counters from the other thread of a process that stopped itself. */
static void test_stops_revoked(void)
{
	const int fd = group_collector(), own = open_device();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct script thread = script_new();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	script_thread(&t.script, &thread, pair);
	script_stop(&t.script, own, stop_arg());
	target_gate(&t, false);
	script_exit(&t.script, 0);
	script_gate(&thread, t.gate.in);
	script_exit(&thread, 0);
	target_create(&t);
	until_at_gate(pair[0], &t.gate);
	take_counters();
	check_stopped(fd, 1, "one whose other thread was revoked");
	gate_open(&t.gate);
	target_end(&t);
	target_reap(&t);
	close(own);
	close(fd);
}

/*
 * The handle's own process stays stopped while system mode takes the counters from another
 * process.
 */
static void test_starter_stops_revoked(void)
{
	const int fd = group_collector();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	target_gate(&t, true);
	script_exit(&t.script, 0);
	target_create(&t);
	must_stop(fd);
	take_counters();
	check_stopped(fd, 0, "the one that stopped the handle before");
	target_end(&t);
	target_reap(&t);
	close(fd);
}

/* A process that starts itself by force continues to count, so the start is not a gap. */
static void test_restarts(void)
{
	const int fd = group_collector(), own = open_device();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	script_start(&t.script, own, start_arg(FIRST, VPMC_START_FORCE));
	target_gate(&t, true);
	script_work(&t.script);
	check_gaps(fd, own, &t, 0, "one that started itself");
}

/* A process that arms itself does not count until it executes another program, which is a gap. */
static void test_arms(void)
{
	const int fd = group_collector(), own = open_device();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	script_start(&t.script, own,
		     start_arg(FIRST, VPMC_START_FORCE | VPMC_START_AT_EXEC));
	target_gate(&t, false);
	script_work(&t.script);
	check_gaps(fd, own, &t, 1, "one that armed itself");
}

/* Test a process that stops itself and starts itself later. */
static void test_pauses(void)
{
	const int fd = group_collector(), own = open_device();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	script_stop(&t.script, own, stop_arg());
	script_start(&t.script, own, start_arg(FIRST, 0));
	target_gate(&t, true);
	script_work(&t.script);
	check_gaps(fd, own, &t, 1, "one that paused");
}

/* A handle was started for one thread. Its process's other thread is missing. */
static void test_starter(void)
{
	struct target t = target_new();
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	int fd;

	script_move(&t.script, groups.inner);
	script_thread(&t.script, &thread, pair);
	target_gate_start(&t);
	script_work(&t.script);
	script_gate(&thread, t.gate.in);
	script_work(&thread);
	target_create(&t);
	fd = hold(t.pid, VPMC_ATTACH_THREAD);
	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	check(!group_watch(fd, groups.directory), "the cgroup is collected");
	gate_open(&t.gate);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 1, "with a thread that did not start");
	close(fd);
}

/* A process that cannot be collected enters again and again. */
static void test_missing(void)
{
	const int fd = group_collector(), own = open_device();
	struct vpmc_start *args = start_arg(FIRST, 0);
	struct target t = target_new();
	int i;

	script_start(&t.script, own, args);
	for (i = 0; i < 3; i++) {
		script_move(&t.script, groups.inner);
		script_move(&t.script, groups.middle);
		script_move(&t.script, groups.outside);
	}
	script_move(&t.script, groups.inner);
	target_gate(&t, true);
	script_work(&t.script);
	target_create(&t);
	check_missing(fd, 1, "it is missing once");
	check(!group_start(fd, FIRST), "another start");
	target_end(&t);
	target_reap(&t);
	check_missing(fd, 1, "it is missing in that, too");
	close(own);
	close(fd);
}

/* In system mode, a collected process is not missing, even if it is moved. */
static void test_system(void)
{
	const int fd = group_collector(), other = open_device();
	struct target t = target_new();

	script_move_in(&t.script, groups.inner);
	target_gate(&t, true);
	script_move(&t.script, groups.outside);
	script_move(&t.script, groups.inner);
	target_gate(&t, true);
	script_work(&t.script);
	target_create(&t);
	check(!request(other, VPMC_SYSTEM_START, start_arg(FIRST, 0)),
	      "system mode");
	target_pass(&t);
	check_missing(fd, 0, "one that is collected in system mode");
	check(!request(other, VPMC_SYSTEM_STOP, stop_arg()), "its end");
	target_end(&t);
	target_reap(&t);
	close(other);
	close(fd);
}

/*
 * A process that has started itself reads itself by another handle, although the handle of the
 * start is closed.
 */
static void test_own(void)
{
	const int fd = group_collector(), own = open_device();
	struct vpmc_start *args = start_arg(FIRST, VPMC_START_COLLECT);
	struct vpmc_read *read = read_arg(VPMC_SCOPE_SELF);
	const int other = open_device();
	struct target t = target_new();
	struct cost cost;

	script_start(&t.script, own, args);
	script_call(&t.script, SYS_close, (uint32_t)own);
	target_gate(&t, true);
	script_move(&t.script, groups.inner);
	cost = script_read(&t.script, other, read);
	script_work(&t.script);
	target_create(&t);
	close(own);
	target_end(&t);
	target_reap(&t);
	check_read(read, cost, 0, "one that has started itself");
	check_missing(fd, 1, "and is missing");
	close(other);
	close(fd);
}

/* Test a process to which another process will attach. */
static void test_kept(void)
{
	const int fd = group_collector();
	struct target t = target_new();
	uint64_t generation;
	struct cost cost;
	int own;

	target_gate_start(&t);
	script_move(&t.script, groups.inner);
	cost = target_gate(&t, true);
	script_work(&t.script);
	target_create(&t);
	own = hold(t.pid, 0);
	generation =
		must_start(own, FIRST, VPMC_START_COLLECT | VPMC_START_KEEP);
	close(own);
	target_pass(&t);
	own = hold(t.pid, 0);
	check_held(own, VPMC_SCOPE_SELF, cost, VPMC_STATE_RUNNING, generation,
		   "one that is kept");
	close(own);
	target_end(&t);
	target_reap(&t);
	check_missing(fd, 1, "and is missing");
	close(fd);
}

/*
 * A stopped process does not count for any handle. So it is started, although it has started
 * itself, and although another handle has collected it.
 */
static void test_stopped(void)
{
	const int own = open_device();
	struct target t = target_new();
	int fd;

	script_move(&t.script, groups.inner);
	target_gate(&t, false);
	script_start(&t.script, own, start_arg(FIRST, VPMC_START_FORCE));
	script_stop(&t.script, own, stop_arg());
	target_gate_start(&t);
	script_work(&t.script);
	fd = target_left(&t);
	target_end(&t);
	target_reap(&t);
	group_check(fd, t.script.cost, 0, "one that is stopped");
	close(own);
	close(fd);
}

int main(void)
{
	groups_make();
	run(test_exits);
	run(test_sleeps);
	run(test_closed);
	run(test_holds);
	run(test_stops);
	run(test_stops_revoked);
	run(test_starter_stops_revoked);
	run(test_restarts);
	run(test_arms);
	run(test_pauses);
	run(test_starter);
	run(test_missing);
	run(test_system);
	run(test_own);
	run(test_kept);
	run(test_stopped);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * oom_kill: test the counts of processes that the OOM killer ends, because the memory of their
 * cgroup is used up. The parent's sum of its children and the sum of a handle that collects the
 * processes must be exact. After their end, the processes hold neither the driver nor the counters.
 */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"
#include "perf_event.h"

#define FULL   GROUPS_ROOT "/test"
#define LIMIT  "8388608"
#define BEYOND (32U << 20)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* This memory is larger than the limit of the cgroup. Each process has its own copy. */
static void *beyond;

/* Add the last system call, in which the kernel writes to all of this memory. */
static void script_use_up(struct script *s)
{
	script_last(s, SYS_madvise, P(beyond), BEYOND, MADV_POPULATE_WRITE);
}

static void make_beyond(void)
{
	beyond = mmap(NULL, BEYOND, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (beyond == MAP_FAILED)
		err(2, "mmap");
}

static unsigned long kills(void)
{
	return number_in(FULL "/memory.events", "oom_kill ");
}

static void check_killed(unsigned long before, const char *what)
{
	check(kills() == before + 1, "%s: %lu are killed", what,
	      kills() - before);
}

/* A child is killed while it counts. Its parent has all that the child has executed. */
static void test_folded(void)
{
	const unsigned long before = kills();
	struct family f = family_new();
	struct script child = family_child(&f);

	script_move(&child, groups.inner);
	script_rounds(&child, 1000);
	script_use_up(&child);
	script_wait(&f.parent);
	family_run(&f);
	check_killed(before, "a child");
	family_check(&f, child.cost, 0, "a child that was killed");
}

/* Check the records of both threads, which exit in any order. */
static void check_records(int fd, pid_t pid, struct cost main,
			  struct cost other)
{
	struct vpmc_record record;
	pid_t first = 0;
	int i;

	for (i = 0; i < 2; i++) {
		record = next_record(fd);
		check(record.pid == pid && record.tid != first &&
			      record.what == (i ? VPMC_RECORD_LAST : 0) &&
			      are_counts(record.count, record.nr_counts,
					 record.tid == pid ? main : other),
		      "a record of %d, what %#x", record.tid, record.what);
		first = record.tid;
	}
}

/* A process with two threads is killed. One uses up the memory, and the other one sleeps. */
static void test_collected(void)
{
	const unsigned long before = kills();
	const int fd = group_collector();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct script thread = script_new();
	struct target t = target_new();
	struct cost sleeps;

	script_move_in(&t.script, groups.inner);
	script_thread(&t.script, &thread, pair);
	target_gate(&t, true);
	script_use_up(&t.script);
	sleeps = script_gate_then(&thread, gate_new().in, true);
	script_exit(&thread, 0);
	target_create(&t);
	until_asleep(pair[0]);
	target_end(&t);
	check_killed(before, "a process");
	target_reap(&t);
	group_check(fd, cost_add(t.script.cost, sleeps), 0, "its threads");
	check_records(fd, t.pid, t.script.cost, sleeps);
	close(fd);
}

/* The processes above have ended, and this one counts nothing. */
static void test_given_back(void)
{
	const int perf = perf_await();

	check(perf >= 0, "perf_event has the counters: %d", perf);
	check(!number_in("/sys/module/vpmc/refcnt", ""),
	      "no thread holds the driver");
	close(perf);
}

int main(void)
{
	groups_make();
	set_file(GROUPS_ROOT "/cgroup.subtree_control", "+memory");
	set_file(FULL "/memory.max", LIMIT);
	make_beyond();
	run(test_folded);
	run(test_collected);
	run(test_given_back);
	return check_status();
}

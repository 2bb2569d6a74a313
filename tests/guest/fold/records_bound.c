// SPDX-License-Identifier: GPL-2.0-only
/*
 * records_bound: test that a handle keeps at most VPMC_MAX_RECORDS records that no process takes.
 * The driver drops more records and counts them as lost. When the handle is closed, all records and
 * their memory must be freed.
 */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"
#include "memory.h"

#define THREADS	  20000
#define PROCESSES 500
#define AT_ONCE	  100

/*
 * This is the largest size of a record of two events, in bytes. A record must not keep other
 * objects allocated, for example the struct pid of its thread.
 */
#define RECORD_BYTES 128

/* Run many equal threads one after the other. */
static void run_threads(void)
{
	struct script s = script_new(), thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	unsigned int i;

	for (i = 0; i < AT_ONCE; i++) {
		script_thread(&s, &thread, pair);
		script_join(&s, pair);
	}
	script_exit(&thread, 0);
	script_back(&s);
	for (i = 0; i < THREADS / AT_ONCE; i++)
		script_run(&s);
}

/* Take all records, and check that the driver reports @want lost records. */
static void check_records(int fd, unsigned int want)
{
	struct vpmc_record record;
	unsigned int taken = 0, lost = 0, empty = 0;
	int result;

	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		result = request(fd, VPMC_RECORD, &record);
		if (result)
			break;
		lost += record.lost;
		taken += record.nr_counts > 0;
		empty += !record.nr_counts;
	}
	check(result == -ENODATA && taken == VPMC_MAX_RECORDS && empty <= 1,
	      "%u records are taken, want %u", taken, VPMC_MAX_RECORDS);
	check(lost == want, "%u are lost, want %u", lost, want);
}

static void start_recording(int fd, unsigned int flags)
{
	struct vpmc_start *start = start_arg(
		FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS | flags);

	start->nr_events = 2;
	if (request(fd, VPMC_START, start))
		check(false, "start");
}

static void fill(int fd)
{
	start_recording(fd, 0);
	run_threads();
	child_run(PROCESSES);
	/* A thread that has been joined may not have been released yet. */
	until_threads((uint32_t)getpid(), 1);
}

/* Return the reference count of the driver's module. */
static unsigned long references(void)
{
	return number_in("/sys/module/vpmc/refcnt", "");
}

static void test(void)
{
	struct vpmc_record record = { .size = sizeof(record) };
	unsigned long users = references();
	struct vpmc_read all;
	long before, full, after;
	int fd, result;

	memory_become_nobody();
	/*
	 * Run threads and processes once before the measurement, because the first threads and
	 * processes allocate memory that the kernel keeps.
	 */
	run_threads();
	child_run(PROCESSES);
	/* A thread that has been joined may not have been released yet. */
	until_threads((uint32_t)getpid(), 1);
	before = memory_objects();
	fd = open_device();
	fill(fd);
	full = memory_objects();
	check(full - before <
		      VPMC_MAX_RECORDS / 1024 * RECORD_BYTES + MEMORY_NOISE,
	      "%ld KB for records that nobody takes", full - before);
	/* When a record has been taken, there is room for another record. */
	result = request(fd, VPMC_RECORD, &record);
	check(!result && record.lost == THREADS + PROCESSES - VPMC_MAX_RECORDS,
	      "%u are lost, want %u", record.lost,
	      THREADS + PROCESSES - VPMC_MAX_RECORDS);
	child_run(2);
	must_stop(fd);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check_records(fd, 1);
	check(read_scope(fd, VPMC_SCOPE_ALL).count[0] == all.count[0],
	      "ALL has the lost ones, too");
	close(fd);
	fd = open_device();
	fill(fd);
	start_recording(fd, VPMC_START_FORCE);
	record = (struct vpmc_record){ .size = sizeof(record) };
	result = request(fd, VPMC_RECORD, &record);
	check(result == -ENODATA,
	      "a start forgets what was lost before: result %d, %u are lost",
	      result, record.lost);
	must_stop(fd);
	close(fd);
	after = memory_objects();
	check(after - before < MEMORY_NOISE,
	      "%ld KB are left when the handle is closed", after - before);
	/* One reference may remain, because this thread still has counters. */
	check(references() <= users + 1, "%lu hold the driver", references());
}

/*
 * Test records that are lost while an earlier loss is being reported. The next record must report
 * them.
 */
static void test_meanwhile(void)
{
	const unsigned int more = 3;
	struct vpmc_record record;
	int fd = open_device(), status;
	pid_t pid;

	fill(fd);
	delay_at("vpmc_session_drop");
	pid = fork();
	if (!pid) {
		name_delayed();
		next_record(fd);
		_exit(0);
	}
	until_delayed();
	child_run(more);
	delay_end();
	check(waitpid(pid, &status, 0) == pid && !status, "a record is taken");
	delay_remove();
	record = next_record(fd);
	check(record.lost == more, "%u were lost meanwhile, want %u",
	      record.lost, more);
}

int main(void)
{
	run(test);
	run(test_meanwhile);
	return check_status();
}

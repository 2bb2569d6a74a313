// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex --interval and --for with a command or a process, over a fake
 * driver.
 */
#include "unit.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run/present_rusage.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

/*
 * Check the blocks. The first block has the first count. Each further block has the growth since
 * the previous block.
 */
static void check_blocks(unsigned int least)
{
	unsigned int times = take_times(stderr_text);
	const char *line = stderr_text;

	assert_true(times >= least);
	assert_int_equal(strtoull(line, NULL, 10), 1000);
	while (--times) {
		line = strchr(line, '\n') + 1;
		assert_int_equal(strtoull(line, NULL, 10), 100);
	}
	assert_string_equal(strchr(line, '\n'), "\n");
}

static void a_command_has_a_report_of_each_interval(void **state)
{
	fake->self_step = 100;
	PERFEX_EXITS(0, "--interval", "0.001", "sleep", "0.1");
	check_blocks(2);
}

static void a_process_has_a_report_of_each_interval(void **state)
{
	char number[16];

	fake->self_step = 100;
	snprintf(number, sizeof(number), "%d", (int)getppid());
	PERFEX_EXITS(0, "-p", number, "--interval", "0.001", "--for", "0.1");
	check_blocks(2);
}

/* The lines at the end are for the whole time. */
static void instructions_per_cycle_are_of_all_intervals(void **state)
{
	fake->read.count[0] = 3000;
	fake->read.count[1] = 1000;
	PERFEX_EXITS(0, "-n", "--times", "-e", "instructions,cycles",
		     "--interval=0.01", "sleep", "0.1");
	check_says(stderr_text, "3.000  -      instructions_per_cycle\n");
}

static void the_last_interval_ends_with_the_command(void **state)
{
	PERFEX_EXITS(1, "--interval=1000", "false");
	assert_int_equal(take_times(stderr_text), 1);
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* Let another process remove the counts of a thread from the sum later. */
static pid_t lose_later(void)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	usleep(500000);
	fake->all.revoked = 1;
	fake->all.count[0] = 300;
	_exit(0);
}

static void a_sum_that_has_shrunk_makes_no_number(void **state)
{
	pid_t pid = lose_later();
	char *line;

	PERFEX_EXITS(0, "-a", "--interval=0.1", "sleep", "1");
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	line = strstr(stderr_text, "                   -  0x16   "
				   "instructions_executed:u  # not known: ");
	assert_non_null(line);
	assert_null(strstr(strchr(line, '\n'), "# not known: "));
	/* This number would be 2^64 - 700. */
	assert_null(strstr(stderr_text, "18446744073709550916"));
}

/* The command continues to its end, although it is not counted any more. */
static void lost_counts_end_the_reports(void **state)
{
	fake->read.generation = 8;
	PERFEX_EXITS(PERFEX_INVALID, "--interval", "0.001", "sh", "-c",
		     "sleep 0.1; echo done");
	assert_string_equal(stdout_text, "done\n");
	assert_int_equal(take_times(stderr_text), 0);
}

static void a_command_is_ended_when_its_time_is_over(void **state)
{
	PERFEX_EXITS(PERFEX_SIGNAL_BASE + SIGTERM, "--for", "0.01", "sleep",
		     "1000");
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* perfex sends SIGTERM once. The command may continue. */
static void a_command_may_take_longer(void **state)
{
	static const char script[] =
		"trap 'echo told' TERM; sleep 2; echo done";

	PERFEX_EXITS(0, "--for", "1", "sh", "-c", script);
	assert_string_equal(stdout_text, "told\ndone\n");
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* perfex has ended this run itself, so further runs follow. */
static void a_run_whose_time_is_over_is_not_the_last(void **state)
{
	PERFEX_EXITS(PERFEX_SIGNAL_BASE + SIGTERM, "-n", "--for=0.01", "--runs",
		     "-e", "0x16,0x12,0x00", "sleep", "1000");
	assert_null(strstr(stderr_text, "did not take place"));
	PERFEX_EXITS(PERFEX_SIGNAL_BASE + SIGTERM, "-n", "--for=0.01", "-r3",
		     "--warmup=1", "sleep", "1000");
	check_says(stderr_text, "in all 3 runs");
}

static void each_run_has_its_time(void **state)
{
	PERFEX_EXITS(0, "--for", "1000", "-r", "2", "true");
	check_says(stderr_text, "in all 2 runs");
}

static const struct {
	const char *option;
	const char *other;
} refused[] = {
	{ "--interval=1", "-m" },	 { "--interval=1", "-mp" },
	{ "--interval=1", "--regions" }, { "--interval=1", "-r2" },
	{ "--interval=1", "-l" },	 { "--faults", "--for=1" },
};

static void what_has_one_report_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		PERFEX_EXITS(PERFEX_USAGE, refused[i].option, refused[i].other,
			     "true");
		check_says(stderr_text, "--interval");
	}
}

static const char *const refused_faults[][2] = {
	{ "--live", "true" },
	{ "--times", "true" },
	{ "--system", "true" },
	{ "-p1", NULL },
};

static void faults_are_of_a_command_and_its_intervals(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refused_faults); i++) {
		PERFEX_EXITS(PERFEX_USAGE, "--interval=1", "--faults",
			     refused_faults[i][0], refused_faults[i][1]);
		check_says(stderr_text, "--faults");
	}
}

/* These are the page faults of a process and of its children, as the kernel reports them. */
struct faults {
	uint64_t own;
	uint64_t children;
};

static uint64_t minor_faults_of(int who)
{
	struct rusage usage;

	return getrusage(who, &usage) ? 0 : (uint64_t)usage.ru_minflt;
}

/*
 * This process executes one step at a time on request. The test itself cannot execute the steps,
 * because allocations of a sanitizer or of valgrind would add page faults.
 */
struct worker {
	pid_t pid;
	int go[2];
	int done[2];
};

static _Noreturn void work(const struct worker *worker, void (*step)(void))
{
	struct faults faults;
	char byte;

	while (read(worker->go[0], &byte, 1) == 1) {
		step();
		faults.own = minor_faults_of(RUSAGE_SELF);
		faults.children = minor_faults_of(RUSAGE_CHILDREN);
		if (write(worker->done[1], &faults, sizeof(faults)) < 0)
			break;
	}
	_exit(1);
}

static void start_worker(struct worker *worker, void (*step)(void))
{
	assert_int_equal(pipe(worker->go), 0);
	assert_int_equal(pipe(worker->done), 0);
	worker->pid = fork();
	if (!worker->pid)
		work(worker, step);
	close(worker->done[1]);
}

static struct faults let_work(const struct worker *worker)
{
	struct faults faults = { .own = 0 };

	assert_int_equal(write(worker->go[1], "", 1), 1);
	assert_int_equal(read(worker->done[0], &faults, sizeof(faults)),
			 sizeof(faults));
	return faults;
}

static void end_worker(const struct worker *worker)
{
	kill(worker->pid, SIGKILL);
	waitpid(worker->pid, NULL, 0);
	close(worker->go[0]);
	close(worker->go[1]);
	close(worker->done[0]);
}

#define PAGES ((size_t)37)

/* Touch new pages in one of three steps, each page twice. */
static void touch_at_times(void)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	static unsigned char *pages;
	static unsigned int steps;
	size_t i;

	if (!pages)
		pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED || madvise(pages, PAGES * size, MADV_DONTNEED))
		_exit(1);
	for (i = 0; i < (steps % 3 == 1 ? 2 * PAGES : 0); i++)
		*(volatile unsigned char *)(pages + i % PAGES * size) = 1;
	steps++;
}

/* Check the second pass only: by then, the code and its memory are present. */
static void new_pages_are_in_the_block_in_which_they_are_touched(void **state)
{
	struct present_usage usage = { .nr = 0 };
	uint64_t block[3] = { 0 };
	struct worker worker;
	size_t i;

	start_worker(&worker, touch_at_times);
	for (i = 0; i < 6; i++) {
		let_work(&worker);
		read_present_usage(&usage, worker.pid);
		begin_usage_block(&usage);
		block[i % 3] = usage.block[MINOR_FAULTS];
	}
	free_present_usage(&usage);
	end_worker(&worker);
	assert_int_equal(block[0], 0);
	assert_int_equal(block[1], PAGES);
	assert_int_equal(block[2], 0);
}

static void have_a_child_once(void)
{
	static bool done;
	pid_t pid;

	if (done)
		return;
	done = true;
	pid = fork();
	if (!pid)
		_exit(0);
	if (waitpid(pid, NULL, 0) != pid)
		_exit(1);
}

/* Check the second call only: by then, the parent has all its pages. */
static void faults_of_a_child_are_there_when_it_was_waited_for(void **state)
{
	struct present_usage usage = { .nr = 0 };
	struct faults faults;
	struct worker worker;

	start_worker(&worker, have_a_child_once);
	let_work(&worker);
	faults = let_work(&worker);
	read_present_usage(&usage, worker.pid);
	end_worker(&worker);
	assert_true(faults.children > 0);
	assert_int_equal(usage.count[MINOR_FAULTS],
			 faults.own + faults.children);
	free_present_usage(&usage);
}

/* A thread sleeps, and then waits until another thread has looked at its usage. */
struct sleeper {
	pthread_barrier_t slept;
	pthread_barrier_t seen;
};

static void *sleep_often(void *arg)
{
	const struct timespec time = { .tv_nsec = 1000000 };
	struct sleeper *sleeper = arg;
	unsigned int i;

	for (i = 0; i < 20; i++)
		nanosleep(&time, NULL);
	pthread_barrier_wait(&sleeper->slept);
	pthread_barrier_wait(&sleeper->seen);
	return NULL;
}

static void switches_of_a_thread_that_has_ended_stay(void **state)
{
	struct present_usage usage = { .nr = 0 };
	struct sleeper sleeper;
	uint64_t before, seen;
	pthread_t thread;

	pthread_barrier_init(&sleeper.slept, NULL, 2);
	pthread_barrier_init(&sleeper.seen, NULL, 2);
	read_present_usage(&usage, getpid());
	before = usage.count[VOLUNTARY_SWITCHES];
	assert_int_equal(pthread_create(&thread, NULL, sleep_often, &sleeper),
			 0);
	pthread_barrier_wait(&sleeper.slept);
	read_present_usage(&usage, getpid());
	seen = usage.count[VOLUNTARY_SWITCHES];
	assert_int_equal(usage.nr, 2);
	assert_true(seen >= before + 20);
	pthread_barrier_wait(&sleeper.seen);
	pthread_join(thread, NULL);
	/* pthread_join() may return before the kernel has removed the thread. */
	do
		read_present_usage(&usage, getpid());
	while (usage.nr > 1);
	assert_true(usage.ended[0] >= 20);
	assert_true(usage.count[VOLUNTARY_SWITCHES] >= seen);
	free_present_usage(&usage);
	pthread_barrier_destroy(&sleeper.slept);
	pthread_barrier_destroy(&sleeper.seen);
}

/* Switch more often than the first thread does, and then execute a program. */
static void *sleep_and_execute(void *arg)
{
	const struct timespec time = { .tv_nsec = 1000000 };
	const struct worker *worker = arg;
	unsigned int i;
	char byte;

	for (i = 0; i < 20; i++)
		nanosleep(&time, NULL);
	if (write(worker->done[1], "", 1) == 1 &&
	    read(worker->go[0], &byte, 1) == 1)
		execl("/bin/sleep", "sleep", "1000", (char *)NULL);
	_exit(1);
}

static _Noreturn void execute_by_thread(struct worker *worker)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, sleep_and_execute, worker))
		pthread_join(thread, NULL);
	_exit(1);
}

/* This is the file of the thread that is to execute a program, and the process that has it. */
static struct {
	char path[64];
	struct worker worker;
} reading;

/* Let the thread execute a program just before its own numbers are read. */
static void execute_before_read(const char *path)
{
	if (strcmp(path, reading.path) != 0)
		return;
	fake_before_fopen = NULL;
	assert_int_equal(write(reading.worker.go[1], "", 1), 1);
	while (!access(path, F_OK))
		usleep(1000);
}

/* Start a process whose second thread has switched, and read its numbers. */
static void start_executor(struct worker *worker, struct present_usage *usage)
{
	char byte;

	assert_int_equal(pipe(worker->go), 0);
	assert_int_equal(pipe(worker->done), 0);
	worker->pid = fork();
	if (!worker->pid)
		execute_by_thread(worker);
	assert_int_equal(read(worker->done[0], &byte, 1), 1);
	read_present_usage(usage, worker->pid);
	assert_int_equal(usage->nr, 2);
	assert_true(usage->count[VOLUNTARY_SWITCHES] >= 20);
}

/* End the process. Its switches must not be more than those that the kernel reports. */
static void check_counted_once(struct worker *worker,
			       struct present_usage *usage)
{
	struct rusage all;

	kill(worker->pid, SIGKILL);
	assert_int_equal(wait4(worker->pid, NULL, 0, &all), worker->pid);
	assert_in_range(usage->count[VOLUNTARY_SWITCHES], 20,
			(uint64_t)all.ru_nvcsw);
	free_present_usage(usage);
	close(worker->done[1]);
	close(worker->go[0]);
	close(worker->go[1]);
	close(worker->done[0]);
}

/* The thread gets the process's id, and its own id disappears. */
static void a_thread_that_executes_a_program_is_counted_once(void **state)
{
	struct present_usage usage = { .nr = 0 };
	struct worker worker;

	start_executor(&worker, &usage);
	assert_int_equal(write(worker.go[1], "", 1), 1);
	do
		read_present_usage(&usage, worker.pid);
	while (usage.nr > 1);
	check_counted_once(&worker, &usage);
}

static void so_is_a_thread_that_does_so_while_it_is_read(void **state)
{
	struct present_usage usage = { .nr = 0 };

	start_executor(&reading.worker, &usage);
	snprintf(reading.path, sizeof(reading.path), "/proc/%d/task/%d/status",
		 (int)reading.worker.pid, (int)usage.thread[1].tid);
	fake_before_fopen = execute_before_read;
	read_present_usage(&usage, reading.worker.pid);
	assert_null(fake_before_fopen);
	read_present_usage(&usage, reading.worker.pid);
	check_counted_once(&reading.worker, &usage);
}

/* The kernel reports these numbers to the parent; they include those of children. */
static void all_blocks_together_are_what_the_kernel_says(void **state)
{
	struct present_usage usage = { .nr = 0 };
	const struct rusage all = { .ru_minflt = 3000000000,
				    .ru_majflt = 1000,
				    .ru_nvcsw = 2000000,
				    .ru_nivcsw = 3000000 };
	uint64_t sum[NR_PRESENT] = { 0 };
	unsigned int i, j;

	for (i = 0; i < 3; i++) {
		if (i < 2)
			read_present_usage(&usage, getpid());
		else
			end_present_usage(&usage, &all);
		begin_usage_block(&usage);
		for (j = 0; j < NR_PRESENT; j++)
			sum[j] += usage.block[j];
	}
	free_present_usage(&usage);
	assert_int_equal(sum[MINOR_FAULTS], 3000000000);
	assert_int_equal(sum[MAJOR_FAULTS], 1000);
	assert_int_equal(sum[VOLUNTARY_SWITCHES], 2000000);
	assert_int_equal(sum[INVOLUNTARY_SWITCHES], 3000000);
}

static const char *const names[] = { "minor_faults", "major_faults",
				     "voluntary_switches",
				     "involuntary_switches" };

static void check_names(const char *before, const char *after)
{
	char text[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(text, sizeof(text), "%s%s%s", before, names[i], after);
		check_says(stderr_text, text);
	}
}

static void each_form_of_report_has_faults_and_switches(void **state)
{
	PERFEX_EXITS(0, "--interval=1000", "--faults", "true");
	check_names("  -      ", "\n");
	PERFEX_EXITS(0, "--interval=1000", "--faults", "--csv", "true");
	check_names(",,,,", ",,,");
	check_says(stderr_text, "\nresource,0.");
	PERFEX_EXITS(0, "--interval=1000", "--faults", "--json", "true");
	check_names("{\"name\":\"", "\",\"value\":");
	PERFEX_EXITS(0, "--interval=1000", "--faults", "--openmetrics", "true");
	check_says(stderr_text, "\nvpmc_page_faults_total{"
				"kind=\"minor\",command=\"true\"}");
	check_says(stderr_text, "\nvpmc_switches_total{"
				"kind=\"voluntary\",");
	PERFEX_EXITS(0, "--interval=1000", "--openmetrics", "true");
	assert_null(strstr(stderr_text, "vpmc_page_faults"));
}

#define TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	TEST(a_command_has_a_report_of_each_interval),
	TEST(a_process_has_a_report_of_each_interval),
	TEST(instructions_per_cycle_are_of_all_intervals),
	TEST(the_last_interval_ends_with_the_command),
	TEST(a_sum_that_has_shrunk_makes_no_number),
	TEST(lost_counts_end_the_reports),
	TEST(a_command_is_ended_when_its_time_is_over),
	TEST(a_command_may_take_longer),
	TEST(a_run_whose_time_is_over_is_not_the_last),
	TEST(each_run_has_its_time),
	TEST(what_has_one_report_is_refused),
	TEST(faults_are_of_a_command_and_its_intervals),
	TEST(new_pages_are_in_the_block_in_which_they_are_touched),
	TEST(faults_of_a_child_are_there_when_it_was_waited_for),
	TEST(switches_of_a_thread_that_has_ended_stay),
	TEST(a_thread_that_executes_a_program_is_counted_once),
	TEST(so_is_a_thread_that_does_so_while_it_is_read),
	TEST(all_blocks_together_are_what_the_kernel_says),
	TEST(each_form_of_report_has_faults_and_switches),
};

UNIT_MAIN(tests)

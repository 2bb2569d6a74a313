// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the lines that a process with regions leaves in perfex's file, whatever it does
 * before it exits. Each of these processes is new and has had no regions.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_says.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "regions/region_file.h"
#include "run_files.h"
#include "single_step.h"

/* This is the text that was read last. */
static const char *text;

static int setup(void **state)
{
	if (file_setup(state))
		return -1;
	fill(other, "");
	return regions_setup(state);
}

static int teardown(void **state)
{
	vpmc_close(regions_vpmc);
	return file_teardown(state);
}

/* If this is not 0, programs start without standard files, and have descriptors below this number. */
static rlim_t few_descriptors;

static void close_descriptors(void)
{
	const struct rlimit limit = { few_descriptors, few_descriptors };
	int fd;

	for (fd = 0; fd <= STDERR_FILENO; fd++)
		close(fd);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

/* Let a process execute a function, and read the file that it leaves. */
static pid_t leave(void (*does)(void))
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setenv("VPMC_REGIONS_FILE", path, 1);
		if (few_descriptors)
			close_descriptors();
		/* This is the state at the start of a program. */
		vpmcint_region_file_open();
		regions_start(1);
		does();
		_exit(99);
	}
	check_status(pid, 0);
	text = content(path);
	return pid;
}

static void exit_now(void)
{
	exit(0);
}

static void one_region(void)
{
	vpmc_region_begin("region");
	regions_work(20);
	vpmc_region_end("region");
}

#define START "\nstart %d test_region_pro\n"
#define ONE_REGION                                     \
	"\nprocess %d 1 0 0 0 0 0 0 test_region_pro\n" \
	"event 22 0 1\n"                               \
	"region - 1 20 20 20 20 region\n"              \
	"end %d 1\n"

static void check_one_region(pid_t pid)
{
	char want[1000];

	snprintf(want, sizeof(want), START ONE_REGION, pid, pid, pid);
	assert_string_equal(text, want);
}

static void with_names(void)
{
	vpmc_region_begin("outer");
	regions_work(1);
	vpmc_region_begin("in\nner");
	regions_work(20);
	vpmc_region_end("in\nner");
	vpmc_region_end("outer");
	exit(0);
}

static void a_process_leaves_its_regions_at_exit(void **state)
{
	pid_t pid = leave(with_names);
	char want[1000];

	snprintf(want, sizeof(want),
		 START "\nprocess %d 1 0 0 0 0 0 0 test_region_pro\n"
		       "event 22 0 1\n"
		       "region - 1 21 1 21 1 outer\n"
		       "region - 1 20 20 20 20 in?ner\n"
		       "end %d 2\n",
		 pid, pid, pid);
	assert_string_equal(text, want);
}

static void without_regions(void)
{
	assert_int_equal(vpmc_regions_open(NULL), 0);
	_exit(0);
}

static void with_underscore(void)
{
	one_region();
	_exit(0);
}

static void a_process_that_leaves_none_has_said_that_it_has_some(void **state)
{
	char want[100];
	pid_t pid;

	leave(without_regions);
	assert_string_equal(text, "");
	pid = leave(with_underscore);
	snprintf(want, sizeof(want), START, pid);
	assert_string_equal(text, want);
}

/* The file has another path in another root directory, and some users may not open it. */
static void without_path(void)
{
	assert_int_equal(rename(path, other), 0);
	/* Now this path leads to another file. */
	close(open(path, O_RDWR | O_CREAT, 0600));
	one_region();
	exit(0);
}

static void the_file_is_opened_at_the_start(void **state)
{
	pid_t pid;

	pid = leave(without_path);
	text = content(other);
	check_one_region(pid);
}

/* Close all descriptors, like a daemon. Their numbers are then used by another file. */
static void without_descriptors(void)
{
	int fd;

	one_region();
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	do
		fd = open(other, O_WRONLY | O_APPEND);
	while (fd >= 0 && fd < 300);
	one_region();
	exit(0);
}

/* After closing the descriptors, regions cannot open the device again. */
static void without_device(void)
{
	one_region();
	fake->open_errno = EACCES;
	without_descriptors();
}

static void check_regions(pid_t pid, unsigned int nr)
{
	char want[1000];

	snprintf(want, sizeof(want),
		 START "\nprocess %d 1 0 0 0 0 0 0 test_region_pro\n"
		       "event 22 0 1\n"
		       "region - %u %u0 %u0 %u0 %u0 region\n"
		       "end %d 1\n",
		 pid, pid, nr, 2 * nr, 2 * nr, 2 * nr, 2 * nr, pid);
	assert_string_equal(text, want);
	text = content(other);
	assert_string_equal(text, "");
	assert_int_equal(truncate(path, 0), 0);
}

static void descriptors_may_be_closed(void **state)
{
	check_regions(leave(without_descriptors), 2);
	check_regions(leave(without_device), 3);
	fake->open_errno = 0;
	fake->map_errno = EOPNOTSUPP;
	check_regions(leave(without_descriptors), 2);
}

/* The low descriptors must stay free for the program. */
static void write_to_none(void)
{
	assert_int_equal(write(STDOUT_FILENO, "x", 1), -1);
	assert_int_equal(open("/dev/null", O_RDONLY), STDIN_FILENO);
	one_region();
	exit(0);
}

static void the_file_has_no_descriptor_of_the_program(void **state)
{
	few_descriptors = 100;
	check_one_region(leave(write_to_none));
	assert_int_equal(truncate(path, 0), 0);
	/* All descriptors are the program's, so the file is opened for each line. */
	few_descriptors = 6;
	check_one_region(leave(write_to_none));
	few_descriptors = 0;
}

static bool late;

__attribute__((destructor)) static void destroy(void)
{
	if (late)
		one_region();
}

static void begin_late(void)
{
	assert_int_equal(vpmc_regions_open(NULL), 0);
	late = true;
	exit(0);
}

static void destructors_may_have_regions(void **state)
{
	check_one_region(leave(begin_late));
}

static void *in_thread(void *unused)
{
	one_region();
	return unused;
}

/* The thread has exited before the fork. */
static void fork_without_handlers(void)
{
	pthread_t id;
	pid_t pid;

	assert_int_equal(pthread_create(&id, NULL, in_thread, NULL), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	one_region();
	pid = _Fork();
	if (!pid)
		exit(0);
	check_status(pid, 0);
	exit(0);
}

static void a_child_of__Fork_leaves_nothing_of_its_parent(void **state)
{
	char want[1000];
	pid_t pid;

	fake->map_errno = EOPNOTSUPP;
	pid = leave(fork_without_handlers);
	snprintf(want, sizeof(want),
		 START "\nprocess %d 1 0 0 0 0 0 0 test_region_pro\n"
		       "event 22 0 1\n"
		       "region - 2 40 40 40 40 region\n"
		       "end %d 1\n",
		 pid, pid, pid);
	assert_string_equal(text, want);
}

static int begin_another(void *unused)
{
	vpmc_region_begin("another");
	vpmc_region_end("another");
	_exit(0);
}

/* Create a process that shares the memory, like vfork(2). */
static void share_memory(void)
{
	static char stack[65536];
	pid_t pid;

	one_region();
	pid = clone(begin_another, stack + sizeof(stack),
		    CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	check_status(pid, 0);
	one_region();
	exit(0);
}

static void a_child_that_has_its_parents_memory_leaves_it_alone(void **state)
{
	char want[100];
	pid_t pid;

	pid = leave(share_memory);
	snprintf(want, sizeof(want), START "\nprocess %d ", pid, pid);
	assert_memory_equal(text, want, strlen(want));
	check_says(text, "\nregion - 2 40 40 40 40 region\n");
}

static void without_driver(void)
{
	struct vpmc_regions *regions;
	struct vpmc_error err;
	unsigned int i;

	fake->open_errno = ENOENT;
	fake->opens = 0;
	for (i = 0; i < 3; i++)
		one_region();
	assert_int_equal(fake->opens, 1);
	assert_int_equal(vpmc_regions_open(&err), VPMC_E_NO_DEVICE);
	one_region();
	assert_int_equal(fake->opens, 2);
	fake->open_errno = 0;
	assert_int_equal(vpmc_regions_open(&err), 0);
	one_region();
	assert_int_equal(vpmc_regions_read(&regions, VPMC_SELF, 0, &err), 0);
	assert_int_equal(regions->nr, 1);
	vpmc_regions_free(regions);
	_exit(0);
}

static void the_device_is_tried_once(void **state)
{
	leave(without_driver);
}

/* Hold the lock, like a thread that begins its first region. */
static void announced_within_itself(void)
{
	unsigned int n;

	for (n = 1; n < 40; n++) {
		vpmcint_region_file_forget();
		assert_int_equal(truncate(path, 0), 0);
		assert_int_equal(single_step(vpmcint_region_file_announce, n,
					     vpmcint_region_file_announce),
				 n);
		text = content(path);
		if (strstr(text + 2, "start"))
			_exit(1);
	}
	_exit(0);
}

static void a_process_is_announced_once(void **state)
{
	leave(announced_within_itself);
}

/* This is the number of the instruction of the exit that a signal handler interrupts. */
static unsigned int handled_at;

static void exit_with_handler(void)
{
	one_region();
	/* If the exit waits for a lock that the same thread holds, the alarm ends it. */
	alarm(60);
	single_step(exit_now, handled_at, one_region);
}

/* From begin to end there are a few thousand instructions, so test 200 places. */
static void a_handler_may_interrupt_the_exit(void **state)
{
	char want[100];
	pid_t pid;

	for (handled_at = 1; handled_at < 6000; handled_at += 30) {
		assert_int_equal(truncate(path, 0), 0);
		pid = leave(exit_with_handler);
		snprintf(want, sizeof(want), "end %d 1\n", pid);
		check_says(text, want);
		assert_true(strstr(text, "region - 1 20 20 20 20 region\n") ||
			    strstr(text, "region - 2 40 40 40 40 region\n"));
	}
}

/* This destructor runs after the library's destructors. rounds counts its calls. */
static pthread_key_t later;
static unsigned int rounds;

/* Run three times. Sanitizers need the fourth round of destructors for themselves. */
static void run_thrice(void *value)
{
	if (++rounds < 3)
		pthread_setspecific(later, value);
	else
		single_step_off();
}

static void *be_handled_at_exit(void *value)
{
	one_region();
	pthread_setspecific(later, &later);
	single_step_on(handled_at, one_region);
	return value;
}

/* The library has created its keys in the first region. */
static _Noreturn void run_thread(void *(*does)(void *value),
				 void (*destructor)(void *value))
{
	pthread_t id;

	fake->map_errno = EOPNOTSUPP;
	one_region();
	assert_int_equal(pthread_key_create(&later, destructor), 0);
	assert_int_equal(pthread_create(&id, NULL, does, NULL), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	exit(0);
}

static void handle_exit_of_thread(void)
{
	alarm(60);
	run_thread(be_handled_at_exit, run_thrice);
}

/* Return the number that follows this number of blanks in a line. */
static unsigned int number(const char *line, unsigned int blanks)
{
	while (blanks-- > 0) {
		line = strchr(line, ' ');
		assert_non_null(line);
		line++;
	}
	return (unsigned int)strtoul(line, NULL, 10);
}

/* Read how many calls were counted, and how many regions were lost. No thread may be running. */
static void read_regions(unsigned int *calls, unsigned int *lost)
{
	const char *process = strstr(text, "\nprocess ");
	const char *region = strstr(text, "\nregion - ");

	assert_non_null(process);
	assert_int_equal(number(process, 3), 0);
	*lost = number(process, 7);
	assert_non_null(region);
	*calls = number(region, 2);
}

/*
 * The main thread and this thread have one region each. The region of the handler is listed, or
 * reported as missing.
 */
static void a_handler_may_interrupt_the_exit_of_a_thread(void **state)
{
	unsigned int calls = 3, lost = 0, missing = 0;

	for (handled_at = 1; calls + lost == 3; handled_at += 90) {
		assert_int_equal(truncate(path, 0), 0);
		leave(handle_exit_of_thread);
		read_regions(&calls, &lost);
		missing += lost;
	}
	assert_int_equal(calls, 2);
	assert_true(handled_at > 1000);
	assert_true(missing > 0);
}

/*
 * Begin regions until the library has freed the regions of the thread. The thread does not notice
 * this.
 */
static void begin_in_each_round(void *value)
{
	one_region();
	if (++rounds < 4)
		pthread_setspecific(later, value);
}

static void *begin_at_exit(void *value)
{
	one_region();
	pthread_setspecific(later, &later);
	return value;
}

static void exit_with_destructor(void)
{
	run_thread(begin_at_exit, begin_in_each_round);
}

static void destructors_of_a_thread_may_have_regions(void **state)
{
	unsigned int calls, lost;

	leave(exit_with_destructor);
	read_regions(&calls, &lost);
	assert_int_equal(calls, 3);
	assert_int_equal(lost, 3);
}

/*
 * Count the descriptors of perfex's file in this process, and the descriptors that stay open at
 * an exec.
 */
static void count_descriptors(unsigned int *on_file, unsigned int *inherited)
{
	struct stat file, status;
	int fd;

	*on_file = 0;
	*inherited = 0;
	assert_int_equal(stat(path, &file), 0);
	for (fd = 3; fd < 1024; fd++) {
		if (fstat(fd, &status) || status.st_dev != file.st_dev ||
		    status.st_ino != file.st_ino)
			continue;
		++*on_file;
		*inherited += !(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	}
}

static void look_at_descriptors(void)
{
	unsigned int on_file, inherited;

	count_descriptors(&on_file, &inherited);
	if (on_file != 1 || inherited)
		_exit(1);
	_exit(0);
}

/* The process that is counted executes programs. */
static void programs_do_not_inherit_the_file(void **state)
{
	leave(look_at_descriptors);
}

/* The child has only one thread, and this thread is not exiting. */
static void begin_in_child_of_exiting(void)
{
	struct vpmc_regions *regions;

	one_region();
	if (vpmc_regions_read(&regions, VPMC_SELF, 0, NULL))
		_exit(1);
	if (regions->lost || regions->nr != 1)
		_exit(2);
	_exit(regions->region[0].inclusive[0] != 20);
}

/* Run in the second round, after the library has collected the thread's regions. */
static void fork_at_exit(void *value)
{
	int status;
	pid_t pid;

	if (++rounds < 2) {
		pthread_setspecific(later, value);
		return;
	}
	pid = fork();
	if (!pid)
		begin_in_child_of_exiting();
	if (waitpid(pid, &status, 0) != pid || status)
		_exit(1);
	/* The library does not collect this region any more, so it is lost. */
	one_region();
}

static void exit_with_fork(void)
{
	run_thread(begin_at_exit, fork_at_exit);
}

static void a_child_of_a_thread_that_exits_has_regions(void **state)
{
	unsigned int calls, lost;

	leave(exit_with_fork);
	read_regions(&calls, &lost);
	assert_int_equal(calls, 2);
	assert_int_equal(lost, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_process_leaves_its_regions_at_exit),
	TEST(a_process_that_leaves_none_has_said_that_it_has_some),
	TEST(the_file_is_opened_at_the_start),
	TEST(descriptors_may_be_closed),
	TEST(the_file_has_no_descriptor_of_the_program),
	TEST(destructors_may_have_regions),
	TEST(a_child_of__Fork_leaves_nothing_of_its_parent),
	TEST(a_child_that_has_its_parents_memory_leaves_it_alone),
	TEST(a_process_is_announced_once),
	TEST(a_handler_may_interrupt_the_exit),
	TEST(a_handler_may_interrupt_the_exit_of_a_thread),
	TEST(destructors_of_a_thread_may_have_regions),
	TEST(a_child_of_a_thread_that_exits_has_regions),
	TEST(programs_do_not_inherit_the_file),
	TEST(the_device_is_tried_once),
};

UNIT_MAIN(tests)

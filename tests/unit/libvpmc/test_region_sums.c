// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the file in which a process counts regions for perfex. Each test uses a new
 * process that has not had regions before.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc_region_sums.h>

#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "regions/region_file.h"
#include "regions/region_sums.h"
#include "regions/regions_sums.h"
#include "run_files.h"
#include "single_step.h"
#include "util/perfex.h"

static struct regions_left left;
static struct events events;
static char *text;

/* Write a file of sums that has no sums yet. */
static void fill_file(void)
{
	const struct vpmc_sums_file head = { .magic = VPMC_SUMS_MAGIC,
					     .pages = 1 };
	char page[VPMC_SUMS_PAGE] = "";

	memcpy(page, &head, sizeof(head));
	fill_bytes(other, page, sizeof(page));
}

static int setup(void **state)
{
	if (file_setup(state))
		return -1;
	fill_file();
	events.nr = 1;
	events.sel[0] = regions_events[0];
	return regions_setup(state);
}

static int teardown(void **state)
{
	vpmc_close(regions_vpmc);
	return file_teardown(state);
}

static void print(FILE *out, const struct region_line *line, void *arg)
{
	fprintf(out, "%s %" PRIu64, line->name, line->calls);
	if (line->has_inclusive)
		fprintf(out, " %" PRIu64, line->raw[0][0]);
	if (line->has_exclusive)
		fprintf(out, " %" PRIu64, line->raw[0][1]);
	fputc('\n', out);
}

/*
 * Let a process call a function. Check the sums that perfex reads of the process and its
 * children.
 */
static void check(void (*does)(void), int expected_status, const char *expected)
{
	int lines, sums;
	size_t size;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setenv("VPMC_REGIONS_FILE", path, 1);
		setenv(VPMC_SUMS_VARIABLE, other, 1);
		/* Initialize the library as at the start of a program. */
		vpmcint_region_file_open();
		vpmcint_sums_open();
		regions_start(1);
		does();
		_exit(99);
	}
	check_status(pid, expected_status);
	lines = open(path, O_RDONLY | O_CLOEXEC);
	sums = open(other, O_RDONLY | O_CLOEXEC);
	free(text);
	left = (struct regions_left){ .events = &events, .print = print };
	left.out = open_memstream(&text, &size);
	assert_int_equal(parse_regions(&left, lines), 0);
	assert_int_equal(add_sums(&left, sums), 0);
	fclose(left.out);
	close(lines);
	close(sums);
	if (expected)
		assert_string_equal(text, expected);
}

static void region(void)
{
	vpmc_region_begin("region");
	regions_work(20);
	vpmc_region_end("region");
}

static void leave_at_once(void)
{
	region();
	region();
	_exit(0);
}

static void die(void)
{
	region();
	region();
	kill(getpid(), SIGKILL);
}

static void leave_properly(void)
{
	region();
	region();
	exit(0);
}

static void it_has_the_same_however_it_ends(void **state)
{
	check(leave_at_once, 0, "region 2 40 40\n");
	assert_true(left.first->left);
	free_regions(&left);
}

static void also_if_it_is_killed(void **state)
{
	check(die, SIGKILL, "region 2 40 40\n");
	free_regions(&left);
}

static void it_is_there_once(void **state)
{
	check(leave_properly, 0, "region 2 40 40\n");
	free_regions(&left);
}

/* A process that has left all its regions does not need its pages any more. */
static void its_space_is_given_back(void **state)
{
	const struct vpmc_sums_page nothing = { .process = 0 };
	struct vpmc_sums_page page;
	int number, fd;

	check(leave_properly, 0, "region 2 40 40\n");
	free_regions(&left);
	fd = open(other, O_RDONLY | O_CLOEXEC);
	for (number = 1; number <= 2; number++) {
		assert_int_equal(pread(fd, &page, sizeof(page),
				       number * (off_t)VPMC_SUMS_PAGE),
				 sizeof(page));
		assert_memory_equal(&page, &nothing, sizeof(page));
	}
	close(fd);
}

static void more_than_fit(void)
{
	static char names[20000][8];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(names[i], sizeof(names[i]), "%zu", i);
		vpmc_region_begin(names[i]);
		vpmc_region_end(names[i]);
	}
	_exit(0);
}

static void it_may_not_have_too_many(void **state)
{
	check(more_than_fit, 0, NULL);
	assert_true(left.sum.lost > 0);
	free_regions(&left);
}

static void many(void)
{
	static char names[100][300];
	size_t i;

	for (i = 0; i < 100; i++) {
		/* Each name is two characters longer than the previous name. */
		snprintf(names[i], sizeof(names[i]), "%0*zu", (int)(2 * i + 3),
			 i);
		vpmc_region_begin(names[i]);
		regions_work(1);
	}
	for (i = 100; i--;)
		vpmc_region_end(names[i]);
	_exit(0);
}

/* Each region lies within the previous region. */
static void it_may_have_many(void **state)
{
	char expected[20000];
	size_t i, length = 0;

	for (i = 0; i < 100; i++)
		length += (size_t)sprintf(expected + length, "%0*zu 1 %zu 1\n",
					  (int)(2 * i + 3), i, 100 - i);
	check(many, 0, expected);
	free_regions(&left);
}

static void open_at_the_end(void)
{
	regions_work(1);
	vpmc_region_begin("outer");
	region();
	_exit(0);
}

static void what_is_open_has_no_counts(void **state)
{
	check(open_at_the_end, 0, "outer 1\nregion 1 20 20\n");
	assert_int_equal(left.sum.unread, 1);
	free_regions(&left);
}

static void *in_thread(void *unused)
{
	regions_start(1);
	region();
	return unused;
}

static void with_thread(void)
{
	pthread_t id;

	assert_int_equal(pthread_create(&id, NULL, in_thread, NULL), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	_exit(0);
}

static void a_thread_may_have_exited(void **state)
{
	fake->map_errno = EOPNOTSUPP;
	check(with_thread, 0, "region 1 20 20\n");
	free_regions(&left);
}

/* The child begins its first region where the parent has begun one. */
static void in_child(pid_t pid)
{
	int status;

	if (!pid) {
		region();
		region();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	_exit(status != 0);
}

static void with_fork(void)
{
	region();
	in_child(fork());
}

static void with_raw_fork(void)
{
	region();
	in_child(_Fork());
}

static void end_in_child(void)
{
	int status;
	pid_t pid;

	region();
	vpmc_region_begin("outer");
	pid = _Fork();
	if (!pid) {
		vpmc_region_end("outer");
		region();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	vpmc_region_end("outer");
	_exit(status != 0);
}

static void a_child_has_its_own(void **state)
{
	check(with_fork, 0, "region 1 20 20\nregion 2 40 40\n");
	free_regions(&left);
}

static void so_has_one_that_the_library_is_not_told_of(void **state)
{
	check(with_raw_fork, 0, "region 1 20 20\nregion 2 40 40\n");
	free_regions(&left);
}

static void it_may_end_what_its_parent_has_begun(void **state)
{
	check(end_in_child, 0, "region 1 20 20\nouter 1 0 0\nregion 1 20 20\n");
	free_regions(&left);
}

static void start_again(void)
{
	region();
	regions_start(1);
	region();
	region();
	_exit(0);
}

static void another_start_has_others(void **state)
{
	check(start_again, 0, "region 2 40 40\n");
	free_regions(&left);
}

static void close_all(void)
{
	int fd;

	region();
	for (fd = 3; fd < 1024; fd++)
		close(fd);
	/* perfex has removed its files by now. */
	vpmc_region_begin("another");
	vpmc_region_end("another");
	_exit(0);
}

static void descriptors_may_be_closed(void **state)
{
	check(close_all, 0, "region 1 20 20\nanother 1 0 0\n");
	free_regions(&left);
}

static rlim_t most;

/* The default action of SIGXFSZ would end this process. */
static void without_space(void)
{
	const struct rlimit limit = { most, most };

	setrlimit(RLIMIT_FSIZE, &limit);
	region();
	region();
	exit(0);
}

static void a_file_that_cannot_grow_does_no_harm(void **state)
{
	most = 2UL * VPMC_SUMS_PAGE;
	check(without_space, 0, "region 2 40 40\n");
	assert_int_equal(left.missing, 0);
	free_regions(&left);
}

/* A process that cannot even write its start is reported as missing. */
static void a_process_that_may_not_write_is_missing(void **state)
{
	most = 0;
	check(without_space, 0, "");
	assert_int_equal(left.missing, 1);
	free_regions(&left);
}

/* This is the number of the instruction at which a signal handler forks. */
static unsigned int fork_at;

static void nested(void)
{
	vpmc_region_begin("region");
	regions_work(20);
	vpmc_region_begin("inner");
	regions_work(3);
	vpmc_region_end("inner");
	vpmc_region_end("region");
}

static void fork_in_region(void)
{
	nested();
	nested();
	single_step(nested, fork_at, single_step_fork);
	vpmc_region_begin("last");
	nested();
	vpmc_region_end("last");
	exit(single_step_child_failed);
}

/*
 * Each line has the regions of a child. The fork comes later in each line. The regions that were
 * open at the fork are missing.
 */
static const char *const of_child[] = {
	"region 2 46 40\ninner 2 6 6\nlast 1 23 0\n",
	"inner 2 6 6\nlast 1 23 0\nregion 1 23 20\n",
	"last 1 23 0\nregion 1 23 20\ninner 1 3 3\n",
	"",
};

#define PARENT "region 4 92 80\ninner 4 12 12\nlast 1 23 0\n"

/* The child has its own regions, and does not count in the regions of its parent. */
static void a_child_of_a_handler_has_its_own(void **state)
{
	const size_t last = ARRAY_SIZE(of_child) - 1;
	size_t now = 0, length;

	for (fork_at = 1; now < last; fork_at++) {
		assert_int_equal(truncate(path, 0), 0);
		fill_file();
		check(fork_in_region, 0, NULL);
		free_regions(&left);
		length = strlen(of_child[now]);
		while (now < last && strncmp(text, of_child[now], length) != 0)
			length = strlen(of_child[++now]);
		assert_string_equal(text + length, PARENT);
	}
	assert_true(fork_at > 50);
}

static void with_another_file(void)
{
	region();
	region();
	exit(0);
}

static void another_file_is_left_alone(void **state)
{
	char page[VPMC_SUMS_PAGE] = "";

	fill_bytes(other, page, sizeof(page));
	check(with_another_file, 0, "region 2 40 40\n");
	free_regions(&left);
	fill(other, "short");
	check(with_another_file, 0, "region 2 40 40\nregion 2 40 40\n");
	free_regions(&left);
}

#define PROCESS_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	PROCESS_TEST(it_has_the_same_however_it_ends),
	PROCESS_TEST(also_if_it_is_killed),
	PROCESS_TEST(it_is_there_once),
	PROCESS_TEST(its_space_is_given_back),
	PROCESS_TEST(it_may_have_many),
	PROCESS_TEST(it_may_not_have_too_many),
	PROCESS_TEST(what_is_open_has_no_counts),
	PROCESS_TEST(a_thread_may_have_exited),
	PROCESS_TEST(a_child_has_its_own),
	PROCESS_TEST(so_has_one_that_the_library_is_not_told_of),
	PROCESS_TEST(it_may_end_what_its_parent_has_begun),
	PROCESS_TEST(another_start_has_others),
	PROCESS_TEST(descriptors_may_be_closed),
	PROCESS_TEST(a_file_that_cannot_grow_does_no_harm),
	PROCESS_TEST(a_process_that_may_not_write_is_missing),
	PROCESS_TEST(a_child_of_a_handler_has_its_own),
	PROCESS_TEST(another_file_is_left_alone),
};

UNIT_MAIN(tests)

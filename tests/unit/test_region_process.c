// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions: what a process leaves in perfex's file, whatever it does before. Each of
 * these processes is new and has had no regions.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../libvpmc/region_file.h"
#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "run_files.h"
#include "single_step.h"

/* What has been read last. */
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

/* Let a process do something, and read what it leaves in its file. */
static pid_t leave(void (*does)(void))
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setenv("VPMC_REGIONS_FILE", path, 1);
		/* As when a program starts. */
		vpmcint_region_file_open();
		regions_start(1);
		does();
		_exit(99);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	text = content(path);
	return pid;
}

static void one_region(void)
{
	vpmc_region_begin("region");
	regions_work(20);
	vpmc_region_end("region");
}

#define START "\nstart %d test_region_pro\n"
#define ONE_REGION                                   \
	"\nprocess %d 1 0 0 0 0 0 test_region_pro\n" \
	"event 22 0 1\n"                             \
	"region - 1 20 20 20 20 region\n"            \
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

	(void)state;
	snprintf(want, sizeof(want),
		 START "\nprocess %d 1 0 0 0 0 0 test_region_pro\n"
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

	(void)state;
	leave(without_regions);
	assert_string_equal(text, "");
	pid = leave(with_underscore);
	snprintf(want, sizeof(want), START, pid);
	assert_string_equal(text, want);
}

/* As in another root, or for a user who may not open it. */
static void without_path(void)
{
	assert_int_equal(rename(path, other), 0);
	/* Something else is there now. */
	close(open(path, O_RDWR | O_CREAT, 0600));
	one_region();
	exit(0);
}

static void the_file_is_opened_at_the_start(void **state)
{
	pid_t pid;

	(void)state;
	pid = leave(without_path);
	text = content(other);
	check_one_region(pid);
}

/* As daemons do. Another file has the numbers then. */
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

/* And they cannot open the device again. */
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
		 START "\nprocess %d 1 0 0 0 0 0 test_region_pro\n"
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
	(void)state;
	check_regions(leave(without_descriptors), 2);
	check_regions(leave(without_device), 3);
	fake->open_errno = 0;
	fake->map_errno = EOPNOTSUPP;
	check_regions(leave(without_descriptors), 2);
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
	(void)state;
	check_one_region(leave(begin_late));
}

static void *in_thread(void *unused)
{
	one_region();
	return unused;
}

/* Its thread has exited before. */
static void fork_without_handlers(void)
{
	pthread_t id;
	int status;
	pid_t pid;

	assert_int_equal(pthread_create(&id, NULL, in_thread, NULL), 0);
	assert_int_equal(pthread_join(id, NULL), 0);
	one_region();
	pid = _Fork();
	if (!pid)
		exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	exit(0);
}

static void a_child_of__Fork_leaves_nothing_of_its_parent(void **state)
{
	char want[1000];
	pid_t pid;

	(void)state;
	fake->map_errno = EOPNOTSUPP;
	pid = leave(fork_without_handlers);
	snprintf(want, sizeof(want),
		 START "\nprocess %d 1 0 0 0 0 0 test_region_pro\n"
		       "event 22 0 1\n"
		       "region - 2 40 40 40 40 region\n"
		       "end %d 1\n",
		 pid, pid, pid);
	assert_string_equal(text, want);
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
	(void)state;
	leave(without_driver);
}

/* As a thread does that begins its first region at the same time. */
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
	(void)state;
	leave(announced_within_itself);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TEST(a_process_leaves_its_regions_at_exit),
	TEST(a_process_that_leaves_none_has_said_that_it_has_some),
	TEST(the_file_is_opened_at_the_start),
	TEST(descriptors_may_be_closed),
	TEST(destructors_may_have_regions),
	TEST(a_child_of__Fork_leaves_nothing_of_its_parent),
	TEST(a_process_is_announced_once),
	TEST(the_device_is_tried_once),
};

UNIT_MAIN(tests)

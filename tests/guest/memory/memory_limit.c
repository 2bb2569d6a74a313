// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory_limit [pages|files]: test that records are charged to the user who collects them, up to
 * RLIMIT_MEMLOCK. With "pages", test pages of exited threads, which are charged to the user of
 * their process. With "files", test large sums that only files keep, because their process has
 * ended. Records beyond the limit are lost and counted. Other requests beyond the limit are
 * refused. When the memory is freed, the charge must end.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "memory.h"

#define PAGE 4096

/* These are the users of this test. */
enum { ONE = 1001, TWO = 1002 };

/*
 * These are the sizes of an allocated record of two events, and of one of 32 events that share
 * counters.
 */
static const struct size {
	unsigned int events, room;
} sizes[] = { { 2, 96 }, { 32, 2048 } };

#define SMALL (&sizes[0])

/* This is the number of records that the tests leave beyond the limit. */
#define MORE 5

/* Return the number of records that fit into @pages pages. */
static unsigned int fitting(unsigned int pages, const struct size *size)
{
	return pages * PAGE / size->room;
}

static void set_limit(unsigned int pages)
{
	const rlim_t bytes = (rlim_t)pages * PAGE;
	const struct rlimit limit = { bytes, bytes };

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		err(2, "RLIMIT_MEMLOCK");
}

static void be(unsigned int user, unsigned int pages)
{
	set_limit(pages);
	if (user)
		memory_become_user(user);
}

static int start_sized(int fd, const struct size *size, unsigned int flags)
{
	struct vpmc_start arg = { .size = sizeof(arg),
				  .flags = VPMC_START_MULTIPLEX | flags,
				  .nr_events = size->events };
	unsigned int i;

	for (i = 0; i < size->events; i++)
		arg.event[i] = (struct vpmc_event)EVENT(
			code_here(i % 2 ? BRANCHES : INSTRUCTIONS),
			counter_here(i % 2), VPMC_MODE_USER);
	return request(fd, VPMC_START, &arg);
}

static void start_recording(int fd, const struct size *size, unsigned int flags)
{
	int result = start_sized(
		fd, size, VPMC_START_COLLECT | VPMC_START_RECORDS | flags);

	if (result)
		check(false, "start: errno %d", -result);
}

/*
 * Take all records, and check the numbers of kept and of lost records. If records were lost, the
 * driver must report that the limit is the reason.
 */
static void check_taken(int fd, unsigned int want, unsigned int want_lost,
			const char *what)
{
	unsigned int kept = 0, lost = 0;
	struct vpmc_record record;
	bool limited = false, sized = true;

	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		if (request(fd, VPMC_RECORD, &record))
			break;
		sized &= record.size == sizeof(record);
		kept += record.nr_counts > 0;
		lost += record.lost;
		limited |= record.what & VPMC_RECORD_LIMITED;
	}
	check(kept == want && lost == want_lost && limited == (want_lost > 0) &&
		      sized,
	      "%s: %u records are kept, %u lost, limited: %d; want %u, %u",
	      what, kept, lost, limited, want, want_lost);
}

/* Let a process of @user leave @nr records at @fd: one of each of its children, and its own. */
static void leave_records(int fd, unsigned int user, unsigned int pages,
			  const struct size *size, unsigned int nr)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		be(user, pages);
		start_recording(fd, size, 0);
		child_run(nr - 1);
		_exit(check_failures > 0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "who leaves records: status %#x",
		      (unsigned int)status);
}

/* Test a user who is not charged yet, and close the file at the end. The charge must end then. */
static void check_user(unsigned int user, unsigned int pages,
		       const struct size *size, const char *what)
{
	unsigned int fit = fitting(pages, size);
	int fd = open_device();

	leave_records(fd, user, pages, size, fit + MORE);
	check_taken(fd, fit, MORE, what);
	close(fd);
}

static void test_sizes(void)
{
	unsigned int pages, i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (pages = 0; pages < 3; pages++) {
			check_user(ONE, pages, &sizes[i], "at first");
			check_user(ONE, pages, &sizes[i], "when it is back");
		}
}

/* Test that the sums are complete although records are lost. */
static void test_sums(void)
{
	int fd = open_device();
	struct vpmc_read all;

	be(ONE, 0);
	start_recording(fd, SMALL, 0);
	child_run(MORE);
	must_stop(fd);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(all.count[0] > read_scope(fd, VPMC_SCOPE_SELF).count[0] &&
		      !all.other_events && !all.revoked,
	      "ALL has the children whose records are lost");
	check_taken(fd, 0, MORE, "without any room");
}

/* Test that records that were taken make room for other records. */
static void test_taken(void)
{
	unsigned int fit = fitting(1, SMALL), i;
	int fd = open_device();

	be(ONE, 1);
	start_recording(fd, SMALL, 0);
	for (i = 0; i < 3; i++) {
		child_run(fit + MORE);
		check_taken(fd, fit, MORE, "what was taken makes room");
	}
	child_run(MORE);
	check_taken(fd, MORE, 0, "there is room at last");
	child_run(fit + MORE);
	start_recording(fd, SMALL, VPMC_START_FORCE);
	child_run(fit + MORE);
	check_taken(fd, fit, MORE, "a start drops what there was");
}

/* Test that the limit applies to all files of one user together. */
static void test_together(void)
{
	unsigned int one = fitting(1, SMALL);
	int first = open_device(), second = open_device();
	int third = open_device();

	leave_records(first, ONE, 2, SMALL, 1);
	leave_records(second, ONE, 2, SMALL, one + MORE);
	check_taken(second, one, MORE, "a page is another file's");
	check_user(TWO, 2, SMALL, "another user meanwhile");
	/* The user's account keeps one page. */
	close(first);
	leave_records(third, ONE, 3, SMALL, fitting(2, SMALL) + MORE);
	check_taken(third, fitting(2, SMALL), MORE, "when one is closed");
	close(second);
	close(third);
	check_user(ONE, 2, SMALL, "when all are");
}

/* Test that a file whose records have been taken keeps one page for the next records. */
static void test_idle(void)
{
	int first = open_device(), second = open_device();

	leave_records(first, ONE, 3, SMALL, fitting(3, SMALL));
	check_taken(first, fitting(3, SMALL), 0, "all that there may be");
	leave_records(second, ONE, 3, SMALL, fitting(2, SMALL) + MORE);
	check_taken(second, fitting(2, SMALL), MORE, "another file then");
	close(first);
	close(second);
}

static void test_exempt(void)
{
	int fd = open_device();

	leave_records(fd, 0, 0, SMALL, fitting(3, SMALL));
	check_taken(fd, fitting(3, SMALL), 0, "with CAP_IPC_LOCK");
}

/* Test that the user at the start is charged, even if the process changes its user later. */
static void test_setuid(void)
{
	unsigned int fit = fitting(1, SMALL);
	int fd = open_device(), other = open_device();
	pid_t pid = fork();

	if (!pid) {
		set_limit(1);
		/* Keep root as the saved user, so that the process can become root again. */
		if (setresuid(ONE, ONE, 0))
			err(2, "setresuid");
		start_recording(fd, SMALL, 0);
		if (setresuid(0, 0, 0) || setresuid(TWO, TWO, TWO))
			err(2, "setresuid");
		child_run(fit);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	leave_records(other, ONE, 1, SMALL, MORE);
	check_taken(other, 0, MORE, "who has started is charged");
	check_user(TWO, 1, SMALL, "whom it has become is not");
	check_taken(fd, fit, 1, "who changes the user");
	close(fd);
	close(other);
	check_user(ONE, 1, SMALL, "when both are closed");
}

/* Test that the charge of a file ends when its process is killed. */
static void test_killed(void)
{
	pid_t pid = fork();
	int fd;

	if (!pid) {
		fd = open_device();
		be(ONE, 1);
		start_recording(fd, SMALL, 0);
		child_run(MORE);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	check_user(ONE, 1, SMALL, "when who was charged is killed");
}

/* Test a file that is closed while its processes continue. */
static void test_closed(void)
{
	struct gate ready = gate_new();
	pid_t pid = fork();
	int fd;

	if (!pid) {
		fd = open_device();
		be(ONE, 1);
		start_recording(fd, SMALL, 0);
		child_run(MORE);
		close(fd);
		gate_open(&ready);
		pause_forever();
	}
	gate_wait(&ready);
	check_user(ONE, 1, SMALL, "when the file alone is closed");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/**
 * struct mapper - a thread that maps its page
 * @fd: its handle
 * @result: result of the call
 * @page: address of the page
 * @stay: the thread does not exit while this is true
 */
struct mapper {
	int fd, result;
	void *page;
	volatile bool stay;
};

static void *be_mapper(void *arg)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct mapper *m = arg;

	m->result = request(m->fd, VPMC_MAP, &map);
	m->page = m->result ? NULL : pointer_to(map.address);
	while (m->stay)
		usleep(1000);
	return NULL;
}

/* Create a thread that maps its page and exits. The page stays mapped. */
static struct mapper map_and_exit(int fd)
{
	struct mapper m = { .fd = fd };
	pthread_t id;

	if (pthread_create(&id, NULL, be_mapper, &m))
		errx(2, "no thread");
	pthread_join(id, NULL);
	/* Wait until the thread has been released. */
	until_threads((uint32_t)getpid(), 1);
	return m;
}

static void check_map(int fd, int want, const char *what)
{
	struct mapper m = map_and_exit(fd);

	check(m.result == want, "%s: errno %d, want %d", what, -m.result,
	      -want);
	if (m.page)
		munmap(m.page, PAGE);
}

static void test_pages_within(unsigned int pages)
{
	int fd = open_device();
	struct mapper kept;
	unsigned int i;

	be(ONE, pages);
	for (i = 0; i <= pages; i++) {
		kept = map_and_exit(fd);
		check(!kept.result, "page %u of %u: errno %d", i, pages,
		      -kept.result);
	}
	check_map(fd, -ENOMEM, "one more than the limit");
	munmap(kept.page, PAGE);
	check_map(fd, 0, "when one is unmapped");
	check_map(fd, 0, "and once more");
	kept = map_and_exit(fd);
	check(!kept.result, "it is used up again: errno %d", -kept.result);
	check_map(fd, -ENOMEM, "one more than the limit again");
}

static void test_no_page(void)
{
	test_pages_within(0);
}

static void test_one_page(void)
{
	test_pages_within(1);
}

/* Test that pages of living threads are not charged. The number of threads limits them. */
static void test_living_pages(void)
{
	struct mapper m[4];
	pthread_t id[4];
	int fd = open_device();
	unsigned int i;

	be(ONE, 0);
	for (i = 0; i < 4; i++) {
		m[i] = (struct mapper){ .fd = fd, .result = 1, .stay = true };
		if (pthread_create(&id[i], NULL, be_mapper, &m[i]))
			errx(2, "no thread");
		while (*(volatile int *)&m[i].result > 0)
			usleep(1000);
		check(!m[i].result, "thread %u that lives: errno %d", i,
		      -m[i].result);
	}
	for (i = 0; i < 4; i++) {
		m[i].stay = false;
		pthread_join(id[i], NULL);
	}
	until_threads((uint32_t)getpid(), 1);
	check_map(fd, -ENOMEM, "when they have left their pages");
}

/* Test that a fork keeps pages of exited threads, because it copies their mappings. */
static void test_copied_pages(void)
{
	int fd = open_device();
	struct mapper m;
	pid_t pid;

	be(ONE, 0);
	m = map_and_exit(fd);
	pid = fork();
	if (!pid)
		pause_forever();
	munmap(m.page, PAGE);
	check_map(fd, -ENOMEM, "a child has a copy");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check_map(fd, 0, "when that has gone");
}

static void test_exempt_pages(void)
{
	int fd = open_device();

	set_limit(0);
	map_and_exit(fd);
	map_and_exit(fd);
	check_map(fd, 0, "pages with CAP_IPC_LOCK");
}

static int map_and_execute(void *arg)
{
	be_mapper(arg);
	execl("/proc/self/exe", "memory_limit", "nothing", NULL);
	return 2;
}

/*
 * Test a child that shares the memory of this process. It leaves its page there, and executes a
 * program that has CAP_IPC_LOCK. The page must be charged to its old user.
 */
static void test_raised_pages(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	struct mapper m = { .fd = open_device() };
	int status;
	pid_t pid;

	if (chmod("memory_limit", 04755))
		err(2, "chmod");
	be(ONE, 0);
	pid = clone(map_and_execute, stack + sizeof(stack), CLONE_VM | SIGCHLD,
		    &m);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(2, "clone");
	check(!status && !m.result, "status %#x, errno %d",
	      (unsigned int)status, -m.result);
	check_map(m.fd, -ENOMEM, "its program has got CAP_IPC_LOCK");
	munmap(m.page, PAGE);
	check_map(m.fd, 0, "when the page is unmapped");
}

/* Test that pages and records are charged to the same account. */
static void test_both(void)
{
	int fd = open_device();

	be(ONE, 1);
	map_and_exit(fd);
	start_recording(fd, SMALL, 0);
	child_run(MORE);
	check_taken(fd, 0, MORE, "a page leaves no room for records");
}

/* The sums of a process with LARGE events are charged as this number of pages. */
#define SUMS  3
#define LARGE (&sizes[1])

/* Let a process start and exit, so that @fd alone keeps its sums. */
static void check_sums(int fd, const struct size *size, int want,
		       const char *what)
{
	int status;
	pid_t pid;

	pid = child_fork();
	if (!pid)
		_exit(-start_sized(fd, size, 0));
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WIFEXITED(status) && WEXITSTATUS(status) == -want,
	      "%s: status %#x, want errno %d", what, (unsigned int)status,
	      -want);
}

/* Create a process that counts until it is killed. */
static pid_t counting(const struct size *size)
{
	struct gate ready = gate_new();
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		if (start_sized(open_device(), size, 0))
			errx(2, "start");
		gate_open(&ready);
		pause_forever();
	}
	gate_wait(&ready);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

/*
 * Sums that only a process or a zombie keeps are not charged, because the number of processes is
 * limited.
 */
static void test_files(void)
{
	int first, second, third;
	pid_t large, small;

	be(ONE, SUMS);
	/* These processes must not have the files. */
	large = counting(LARGE);
	small = counting(SMALL);
	first = open_device();
	second = open_device();
	third = open_device();
	check_sums(first, LARGE, 0, "a process");
	check_sums(second, LARGE, 0, "one that exceeds the limit");
	check_sums(third, LARGE, -ENOMEM, "one more");
	check(attach(third, large, 0, NULL) == -ENOMEM,
	      "a file of one that lives");
	check_sums(third, SMALL, 0, "a process with small sums");
	close(third);
	third = open_device();
	check(!attach(third, small, 0, NULL),
	      "a file of one that lives and has such");
	close(third);
	close(first);
	third = open_device();
	check(!attach(third, large, 0, NULL), "a file when one is closed");
	end(large);
	check_sums(open_device(), LARGE, -ENOMEM,
		   "a process when this file alone keeps another");
	close(second);
	close(third);
	check_sums(open_device(), LARGE, 0, "when all are closed");
	end(small);
}

/* Attach the first file to a zombie. The attach is refused, or the file is charged. */
static void test_zombies(void)
{
	pid_t pid;
	int fd;

	be(ONE, 0);
	fd = open_device();
	pid = counting(LARGE);
	kill(pid, SIGKILL);
	if (waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT))
		err(2, "waitid");
	if (attach(fd, pid, 0, NULL)) {
		check(true, "a zombie gets no file");
	} else {
		waitpid(pid, NULL, 0);
		check_sums(open_device(), LARGE, -ENOMEM,
			   "a file keeps a zombie");
	}
}

static void test_exempt_files(void)
{
	int first = open_device(), second = open_device();

	set_limit(0);
	check_sums(first, LARGE, 0, "with CAP_IPC_LOCK");
	check_sums(second, LARGE, 0, "another one");
}

static void test_all_files(void)
{
	run(test_files);
	run(test_zombies);
	run(test_exempt_files);
	/* Repeat the first test, because the charges of all files must have ended. */
	run(test_files);
}

static void test_all_pages(void)
{
	run(test_no_page);
	run(test_one_page);
	run(test_living_pages);
	run(test_copied_pages);
	run(test_exempt_pages);
	run(test_raised_pages);
	run(test_both);
	/* Repeat the first test, because all charges must have ended with their processes. */
	run(test_no_page);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "pages")) {
		test_all_pages();
		return check_status();
	}
	if (argc == 2 && !strcmp(argv[1], "files")) {
		test_all_files();
		return check_status();
	}
	if (argc == 2 && !strcmp(argv[1], "nothing"))
		return 0;
	run(test_sizes);
	run(test_sums);
	run(test_taken);
	run(test_together);
	run(test_idle);
	run(test_exempt);
	run(test_setuid);
	run(test_killed);
	run(test_closed);
	return check_status();
}

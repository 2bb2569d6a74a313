// SPDX-License-Identifier: GPL-2.0-only
/*
 * reserve: test that either the driver or perf_event has the counters, and never both. Neither of
 * them gets the counters while the other one has them. Both must count exactly when they have them.
 * The test runs on processors that perf_event supports.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "follow.h"
#include "perf_event.h"

/* This is the number of races for the counters. */
#define RACES 10

static int start(int fd, unsigned int flags)
{
	return request(fd, VPMC_START, start_arg(FIRST, flags));
}

static void expect(int got, int want, const char *what)
{
	check(got == want, "%s: %d, want %d", what, got, want);
}

/*
 * Test that the loaded driver and an open handle do not take the counters. Only a process that
 * counts takes them.
 */
static void test_idle(void)
{
	int fd = open_device(), perf = perf_open();

	check(perf >= 0, "perf_event has the counters: %d", perf);
	expect(start(fd, 0), -EADDRINUSE, "a start");
	expect(start(fd, VPMC_START_AT_EXEC), -EADDRINUSE, "one at exec");
	expect(request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), -EADDRINUSE,
	       "system mode");
	expect(request(fd, VPMC_READ, read_arg(VPMC_SCOPE_SELF)), -ENODATA,
	       "nothing was started");
	check(perf_read(perf) > 0, "perf_event counts on");
	close(perf);
	expect(start(fd, 0), 0, "a start when perf_event has gone");
	expect(perf_open(), -EBUSY, "perf_event meanwhile");
	expect(request(fd, VPMC_STOP, stop_arg()), 0, "stop");
	expect(perf_open(), -EBUSY, "at once after it");
}

static void test_given_back(void)
{
	int perf = perf_await();

	check(perf >= 0, "they are given back when the process has gone: %d",
	      perf);
	close(perf);
}

/* A process executes more instructions, and more branches, than this. */
#define MUCH 10000000

/* The largest number of counters that perf_event uses at the same time. */
#define PERF_EVENTS 4

static void perf_use(void)
{
	int perf[PERF_EVENTS], i;

	for (i = 0; i < PERF_EVENTS; i++)
		perf[i] = perf_open();
	sched_yield();
	for (i = 0; i < PERF_EVENTS; i++)
		close(perf[i]);
}

/* A process executes at least this number of branches between its start and its first page. */
#define SOME 10000

/*
 * Test counters that perf_event has used. perf_event sets them to zero when a process is first
 * allowed to execute RDPMC. This must happen before the driver counts with them.
 */
static void test_wiped(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	struct vpmc_read now;
	unsigned int i, wrong = 0;
	int fd = open_device();
	volatile unsigned int round;

	perf_use();
	expect(start(fd, 0), 0, "a start behind perf_event");
	for (round = 0; round < SOME; round++)
		;
	expect(request(fd, VPMC_MAP, &map), 0, "the first page");
	now = read_scope(fd, VPMC_SCOPE_THREAD);
	for (i = 0; i < now.nr_counts; i++)
		wrong += now.count[i] < SOME || now.count[i] > 100ULL * SOME;
	check(!wrong, "%u of %u counts jump when perf_event wipes its counters",
	      wrong, now.nr_counts);
}

/* This is the address of a mapped page. */
static void *kept;

#define PARANOID  "/proc/sys/kernel/perf_event_paranoid"
#define ATTRIBUTE "/sys/bus/event_source/devices/cpu/rdpmc"

static int try_start(int fd)
{
	return start(fd, 0);
}

static int try_map(int fd)
{
	struct vpmc_map map = { .size = sizeof(map) };

	return request(fd, VPMC_MAP, &map);
}

static int try_attach(int fd)
{
	struct vpmc_attach arg = { .size = sizeof(arg), .id = (int)getpid() };

	return request(fd, VPMC_ATTACH, &arg);
}

/*
 * Let an unprivileged process call @try and then sleep. Check that perf_event can still get the
 * counters.
 */
static void check_denied(int (*try)(int fd), int want, const char *what)
{
	int result[2], got = 1, perf;
	pid_t pid;

	if (pipe(result))
		err(2, "pipe");
	pid = fork();
	if (!pid) {
		if (setresuid(1000, 1000, 1000))
			_exit(1);
		got = try(open_device());
		if (write(result[1], &got, sizeof(got)) != sizeof(got))
			_exit(1);
		pause();
	}
	if (read(result[0], &got, sizeof(got)) != sizeof(got))
		err(2, "read");
	expect(got, want, what);
	perf = perf_open();
	check(perf >= 0, "perf_event has the counters beside that: %d", perf);
	close(perf);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * Test calls of a process that may not count. They must not take the counters. The process may not
 * execute RDPMC either.
 */
static void test_forbidden(void)
{
	set_file(PARANOID, "3");
	check_denied(try_start, -EPERM, "a start by who may not count");
	check_denied(try_map, -EPERM, "a page of who may not count");
	check_denied(try_attach, 0, "a handle of who may not count");
	set_file(PARANOID, "2");
}

/* Test that an attached handle does not take the counters before it starts a count. */
static void test_attached(void)
{
	int fd = open_device();

	expect(try_attach(fd), 0, "a handle");
	close(perf_await());
	expect(request(fd, VPMC_START, start_arg(FIRST, VPMC_START_RESUME)),
	       -ENODATA, "a start that fails");
	close(perf_await());
	expect(start(fd, 0), 0, "a start");
	expect(perf_open(), -EBUSY, "perf_event beside that");
}

/* Read a count like vpmc_count(); see struct vpmc_page_count. */
static int64_t read_page(const volatile struct vpmc_page *page)
{
	uint32_t low = (uint32_t)__rdpmc((int)page->count[0].counter);

	return (int64_t)(page->count[0].high[!(low >> 31)] | low);
}

/*
 * Forbid RDPMC by perf's attribute "rdpmc" while a page shows counts. The page must then show no
 * counts, also after the thread has been switched in again.
 */
static void check_attribute(unsigned int modes)
{
	struct vpmc_start *arg = start_arg(FIRST, 0);
	struct vpmc_map map = { .size = sizeof(map) };
	int64_t count, later = -1;
	unsigned int i;

	for (i = 0; i < arg->nr_events; i++)
		arg->event[i].modes = (uint16_t)modes;
	expect(request(open_device(), VPMC_START, arg), 0, "a start");
	expect(request(open_device(), VPMC_MAP, &map), 0, "a page");
	memcpy(&kept, &map.address, sizeof(kept));
	check(read_page(kept) > 0, "a count without a system call");
	set_file(ATTRIBUTE, "0");
	count = read_page(kept);
	for (i = 0; i < 10 && later < 0; i++) {
		usleep(1000);
		later = read_page(kept);
	}
	check(count < 0 && later < 0,
	      "modes %u: none where RDPMC is forbidden: %lld, %lld", modes,
	      (long long)count, (long long)later);
	set_file(ATTRIBUTE, "1");
}

static void test_attribute(void)
{
	check_attribute(VPMC_MODE_USER);
}

static void test_attribute_kernel(void)
{
	check_attribute(VPMC_MODE_USER | VPMC_MODE_KERNEL);
}

/*
 * Test a VPMC_MAP that the attribute forbids. It must not leave a mapped page, which the next call
 * would return.
 */
static void test_forbidden_page(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	int fd = open_device();

	set_file(ATTRIBUTE, "0");
	expect(request(fd, VPMC_MAP, &map), -EOPNOTSUPP,
	       "a page without RDPMC");
	expect(request(fd, VPMC_MAP, &map), -EOPNOTSUPP, "and another try");
	set_file(ATTRIBUTE, "1");
	expect(request(fd, VPMC_MAP, &map), 0, "a page with RDPMC");
}

static int map_and_exit(void *unused)
{
	struct vpmc_map map = { .size = sizeof(map) };

	(void)unused;
	if (request(open_device(), VPMC_MAP, &map))
		_exit(1);
	memcpy(&kept, &map.address, sizeof(kept));
	_exit(0);
}

/*
 * Test a page whose process has exited. The page keeps the counters. It permits RDPMC, which would
 * otherwise show counts of perf_event.
 */
static void test_kept_by_page(void)
{
	static char stack[65536];
	pid_t pid = clone(map_and_exit, stack + sizeof(stack),
			  CLONE_VM | SIGCHLD, NULL);
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(2, "clone");
	expect(status, 0, "a page of a process that is gone");
	usleep(2000000);
	expect(perf_open(), -EBUSY, "perf_event while there is a page");
	munmap(kept, 1);
}

static _Noreturn void count_much(void)
{
	volatile unsigned int i;

	if (start(open_device(), 0))
		_exit(1);
	for (i = 0; i < MUCH; i++)
		;
	_exit(0);
}

/* Test that counters that perf_event gets do not contain counts of the driver's processes. */
static void test_nothing_left(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	const struct perf_event_mmap_page *page;
	unsigned int i, bad = 0, own;
	int perf, status;
	pid_t pid = fork();

	if (!pid)
		count_much();
	waitpid(pid, &status, 0);
	expect(status, 0, "a process that counts");
	expect(request(open_device(), VPMC_INFO, &info), 0, "VPMC_INFO");
	perf = perf_await();
	page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
		    perf, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
	own = page->index - 1;
	for (i = 0; i < info.nr_counters; i++)
		bad += i != own && __rdpmc((int)i) > MUCH;
	check(!bad, "%u of %u counters show what others counted", bad,
	      info.nr_counters);
	close(perf);
}

/* Test that scripts count exactly. */
static void test_counts(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, 1000);
	script_exit(&child, 0);
	script_wait(&f.parent);
	family_run(&f);
	check_scope(f.fd, VPMC_SCOPE_THREAD, f.parent.cost, 0, "THREAD");
	check_scope(f.fd, VPMC_SCOPE_CHILDREN, child.cost, 0, "CHILDREN");
}

static void test_system(void)
{
	int fd = open_device(), perf;

	expect(request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), 0,
	       "system mode");
	expect(perf_open(), -EBUSY, "perf_event meanwhile");
	expect(request(fd, VPMC_SYSTEM_START, start_arg(OTHER, 0)), 0,
	       "system mode again");
	expect(request(fd, VPMC_SYSTEM_STOP, stop_arg()), 0, "its end");
	perf = perf_await();
	check(perf >= 0, "they are given back when system mode ends: %d", perf);
	expect(request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), -EADDRINUSE,
	       "system mode beside perf_event");
	close(perf);
}

/*
 * Test a start of system mode that is refused because a process counts. It must not keep the
 * counters.
 */
static void test_system_busy(void)
{
	expect(start(open_device(), 0), 0, "a start");
	expect(request(open_device(), VPMC_SYSTEM_START, start_arg(FIRST, 0)),
	       -EBUSY, "system mode beside that");
}

/* Make starts all the time, which must be refused while perf_event counts. */
static void refused_starts(void)
{
	int fd = open_device();

	for (;;) {
		if (start(fd, 0) != -EADDRINUSE)
			_exit(1);
	}
}

static void test_untouched(void)
{
	uint64_t before, after, least = UINT64_MAX, most = 0;
	int perf = perf_open(), i, status;
	pid_t pid = fork();

	if (!pid)
		refused_starts();
	for (i = 0; i < 100; i++) {
		before = perf_read(perf);
		sched_yield();
		after = perf_read(perf) - before;
		least = after < least ? after : least;
		most = after > most ? after : most;
	}
	check(least && least == most,
	      "perf_event counts the same each time: %llu to %llu",
	      (unsigned long long)least, (unsigned long long)most);
	check(!waitpid(pid, &status, WNOHANG), "all starts were refused");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(perf);
}

/* Compete with perf_event for the counters. Exits with the result. */
static void race(void)
{
	struct vpmc_read now;
	int fd = open_device(), got = start(fd, 0);

	if (got == -EADDRINUSE)
		_exit(1);
	if (got)
		_exit(2);
	now = read_scope(fd, VPMC_SCOPE_THREAD);
	_exit(now.count[0] && now.count[1] ? 0 : 3);
}

static void test_races(void)
{
	unsigned int won = 0, lost = 0, wrong = 0, i;
	int perf, status;
	pid_t pid;

	for (i = 0; i < RACES; i++) {
		close(perf_await());
		pid = fork();
		if (!pid)
			race();
		perf = perf_open();
		waitpid(pid, &status, 0);
		if (status && WEXITSTATUS(status) != 1)
			wrong++;
		else if (perf < 0)
			won++;
		else
			lost++;
		if (perf >= 0)
			close(perf);
	}
	check(!wrong && won + lost == RACES, "%u races: %u won, %u lost", i,
	      won, lost);
}

int main(void)
{
	run(test_idle);
	run(test_given_back);
	run(test_forbidden);
	run(test_attached);
	run(test_given_back);
	run(test_attribute);
	run(test_given_back);
	run(test_attribute_kernel);
	run(test_given_back);
	run(test_forbidden_page);
	run(test_given_back);
	run(test_wiped);
	run(test_given_back);
	run(test_nothing_left);
	run(test_kept_by_page);
	run(test_given_back);
	run(test_counts);
	run(test_given_back);
	run(test_system);
	run(test_system_busy);
	run(test_given_back);
	run(test_untouched);
	run(test_races);
	run(test_given_back);
	return check_status();
}

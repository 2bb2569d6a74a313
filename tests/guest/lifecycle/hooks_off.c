// SPDX-License-Identifier: GPL-2.0-only
/*
 * hooks_off SITES: test that the driver's hooks are no-ops again after the last task that counts
 * has exited. The process that has reaped it may still run, and can still read the counts that it
 * has received.
 *
 * SITES has the addresses of the jumps that the module "jumps" of delay/ checks.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

/*
 * This is a timeout in milliseconds. The hooks are switched off a second or two after the last
 * exit, and the machine may be slow.
 */
#define LONGEST 15000

static unsigned long jumps(void)
{
	return number_in("/sys/module/jumps/parameters/jumps", "");
}

static bool check_off(const char *what)
{
	unsigned int i;

	for (i = 0; jumps() && i < LONGEST; i += 100)
		usleep(100000);
	return check(!jumps(), "%s: the hooks are no-ops", what);
}

static void check_on(const char *what)
{
	check(jumps() > 0, "%s: the hooks are jumps", what);
}

static _Noreturn void count_and_exit(unsigned int flags)
{
	must_start(open_device(), FIRST, flags);
	_exit(0);
}

static pid_t fork_counting(unsigned int flags)
{
	pid_t pid;

	pid = child_fork();
	if (!pid)
		count_and_exit(flags);
	return pid;
}

static void reap(pid_t pid)
{
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

/* Test a process that counts and exits. */
static void test_plain(void)
{
	reap(fork_counting(0));
}

/* Test an orphan that counts. Its new parent is the first process, which never exits. */
static void test_orphan(void)
{
	struct gate go = gate_new();
	pid_t pid = fork(), orphan;
	char byte;

	if (!pid) {
		must_start(open_device(), FIRST, 0);
		orphan = fork();
		if (!orphan && read(go.in, &byte, 1) != 1)
			err(2, "pipe");
		_exit(0);
	}
	reap(pid);
	check_on("an orphan counts");
	gate_open(&go);
}

/*
 * Test a process that has reaped children that counted. It continues to run, and opens the device
 * only after that.
 */
static void test_collector(void)
{
	struct vpmc_read before, after;
	pid_t pid = fork();
	int fd;

	if (!pid) {
		reap(fork_counting(0));
		reap(fork_counting(0));
		fd = open_device();
		before = read_scope(fd, VPMC_SCOPE_CHILDREN);
		close(fd);
		check_off("who has reaped lives on");
		fd = open_device();
		after = read_scope(fd, VPMC_SCOPE_CHILDREN);
		check(before.count[0] && before.count[0] == after.count[0] &&
			      before.generation == after.generation,
		      "what it was given is still there: %llu want %llu",
		      after.count[0], before.count[0]);
		/* Now more counts are added to CHILDREN. */
		reap(fork_counting(0));
		check(read_scope(fd, VPMC_SCOPE_CHILDREN).count[0] >
			      after.count[0],
		      "and more is added");
		close(fd);
		check_off("and it still lives on");
		_exit(check_status());
	}
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

/* Test the close of a handle that has collected counts. */
static void test_handle(void)
{
	int fd = open_device();
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
		reap(fork_counting(VPMC_START_FORCE | VPMC_START_FOLD));
		_exit(0);
	}
	reap(pid);
	check(read_scope(fd, VPMC_SCOPE_ALL).count[0], "ALL");
	close(fd);
}

/* Test the close of a handle that is attached to an exited process. */
static void test_attached(void)
{
	struct gate go = gate_new();
	pid_t pid = fork();
	int fd;

	if (!pid) {
		gate_wait(&go);
		_exit(0);
	}
	fd = hold(pid, 0);
	must_start(fd, FIRST, 0);
	must_stop(fd);
	gate_open(&go);
	reap(pid);
	read_scope(fd, VPMC_SCOPE_SELF);
	close(fd);
}

static void test_mapped(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	pid_t pid = fork();

	if (!pid) {
		request(open_device(), VPMC_MAP, &arg);
		if (!fork())
			_exit(0);
		wait(NULL);
		_exit(0);
	}
	reap(pid);
}

static void test_signals(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = (unsigned int)SIGRTMIN + 1,
				   .period = 100 };
	pid_t pid = fork();
	int fd;

	if (!pid) {
		signal(SIGRTMIN + 1, SIG_IGN);
		fd = open_device();
		must_start(fd, FIRST, 0);
		if (request(fd, VPMC_SIGNAL, &arg))
			check(false, "VPMC_SIGNAL");
		_exit(0);
	}
	reap(pid);
}

/* Open a counter of perf_event. Returns -1 if perf_event does not support the processor. */
static int perf_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};

	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void test_refused(void)
{
	int perf = perf_open(), want = perf < 0 ? 0 : EADDRINUSE, status;
	pid_t pid = fork();

	if (!pid)
		_exit(-start(open_device(), FIRST, 0, NULL));
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WEXITSTATUS(status) == want,
	      "a start beside perf_event: errno %d, want %d",
	      WEXITSTATUS(status), want);
	if (perf >= 0)
		close(perf);
}

/*
 * A first start of a process calls this function when it has found that the process does not have
 * the counters.
 */
#define RESERVE "vpmc_reserve_wait"

static void *start_delayed(void *unused)
{
	(void)unused;
	name_delayed();
	must_start(open_device(), FIRST, 0);
	return NULL;
}

/*
 * Make the first start of this process while a first start of another thread is held. Exits with
 * the status of the checks.
 */
static _Noreturn void start_twice(void)
{
	pthread_t id;

	delay_at(RESERVE);
	if (pthread_create(&id, NULL, start_delayed, NULL))
		errx(2, "no thread");
	until_delayed();
	must_start(open_device(), FIRST, 0);
	delay_end();
	pthread_join(id, NULL);
	delay_remove();
	_exit(check_status());
}

static void test_twice(void)
{
	pid_t pid = fork();
	int status;

	if (!pid)
		start_twice();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(!status, "two first starts at once: status %#x",
	      (unsigned int)status);
}

/* Test a process that is released after a start has found it. */
static void test_released(void)
{
	pid_t target = fork(), starter;
	int status, fd;

	if (!target)
		pause_forever();
	delay_at(RESERVE);
	starter = fork();
	if (!starter) {
		fd = hold(target, 0);
		name_delayed();
		_exit(-start(fd, FIRST, 0, NULL));
	}
	until_delayed();
	kill(target, SIGKILL);
	reap(target);
	delay_end();
	if (waitpid(starter, &status, 0) != starter)
		err(2, "waitpid");
	delay_remove();
	check(WEXITSTATUS(status) == ESRCH,
	      "a start of who is being released: errno %d, want %d",
	      WEXITSTATUS(status), ESRCH);
}

static const struct {
	void (*test)(void);
	const char *what;
} tests[] = {
	{ test_plain, "a process that counted has gone" },
	{ test_orphan, "the first process has reaped an orphan" },
	{ test_collector, "who was given counts has gone" },
	{ test_handle, "a handle has been closed" },
	{ test_attached, "who was held has gone" },
	{ test_mapped, "who had a page has gone" },
	{ test_signals, "who asked for signals has gone" },
	{ test_refused, "perf_event had the counters" },
	{ test_twice, "who was started twice at once has gone" },
	{ test_released, "who was started in its end has gone" },
};

static void load(const char *parameters)
{
	int module = open("jumps.ko", O_RDONLY | O_CLOEXEC);

	if (module < 0 || syscall(SYS_finit_module, module, parameters, 0))
		err(2, "jumps.ko");
	close(module);
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 2)
		errx(2, "usage: hooks_off SITES");
	load(argv[1]);
	check_off("nobody has counted");
	/* End after the first failure. If the hooks stay on, all later checks fail too. */
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		tests[i].test();
		if (!check_off(tests[i].what))
			break;
	}
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_always: test RDPMC while perf's attribute "rdpmc" is 2, so that each process
 * may execute it without a page. No process may see counts of kernel mode: in a process
 * whose kernel mode is counted, RDPMC raises a signal. No process may see counts of
 * others, until perf_event has the counters back. With the argument "unload", it gets
 * them back because the driver is unloaded. The test runs on processors that perf_event
 * supports.
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include "delayed.h"
#include "hold.h"

#define ATTRIBUTE "/sys/bus/event_source/devices/cpu/rdpmc"
#define NOBODY	  65534

/* Between two RDPMC, without the system call: less instructions. */
#define OWN 60

/* The test looks so many times during each system call. */
#define LOOKS 100

/*
 * The number of system calls during which two processes share a processor. It takes
 * many ticks.
 */
#define LONG 300000

/* The result of a child: it found no counts of others, or some, or it cannot test. */
enum found { FOUND_NOTHING, FOUND_KERNEL, FOUND_ERROR, FOUND_OTHERS };

/* Test whether RDPMC shows what is executed in the kernel. */
static enum found look(void)
{
	uint32_t before, gained;
	int i;

	for (i = 0; i < LOOKS; i++) {
		before = (uint32_t)__rdpmc(0);
		getppid();
		gained = (uint32_t)__rdpmc(0) - before;
		if (gained > OWN)
			return FOUND_KERNEL;
	}
	return FOUND_NOTHING;
}

static void become_nobody(void)
{
	if (setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		_exit(FOUND_ERROR);
}

/* Let root count instructions and branches of a process, in kernel mode only. */
static int start_kernel(pid_t pid)
{
	struct vpmc_start *arg = start_arg(FIRST, 0);
	int fd = hold(pid, 0);
	unsigned int i;

	for (i = 0; i < arg->nr_events; i++)
		arg->event[i].modes = VPMC_MODE_KERNEL;
	if (request(fd, VPMC_START, arg))
		check(false, "start of kernel mode");
	return fd;
}

static void expect_signal(pid_t pid, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV,
	      "RDPMC of who counts the kernel raises a signal, %s: status %#x",
	      what, status);
}

static void expect_nothing(pid_t pid, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(status == FOUND_NOTHING << 8,
	      "RDPMC shows nothing of others, %s: status %#x", what, status);
}

/* RDPMC is refused in a process that is not related. */
static void test_stranger(void)
{
	pid_t pid = fork();

	if (!pid) {
		become_nobody();
		_exit(look());
	}
	expect_nothing(pid, "where nobody counts");
}

/* An exec changes the mm without a switch of tasks. */
static void test_exec(void)
{
	struct gate gate = gate_new();
	pid_t pid = fork();
	char byte;

	if (!pid) {
		become_nobody();
		if (read(gate.in, &byte, 1) != 1)
			_exit(FOUND_ERROR);
		execl("rdpmc_always", "rdpmc_always", "look", NULL);
		_exit(FOUND_ERROR);
	}
	start_kernel(pid);
	gate_open(&gate);
	expect_signal(pid, "after an exec");
}

/* The page that showed the counts belonged to the old program. */
static void test_exec_page(void)
{
	struct vpmc_map map = { .size = sizeof(map) };
	pid_t pid = fork();

	if (!pid) {
		if (request(open_device(), VPMC_MAP, &map))
			_exit(FOUND_ERROR);
		start_kernel(getpid());
		if (request(open_device(), VPMC_MAP, &map))
			_exit(FOUND_ERROR);
		become_nobody();
		execl("rdpmc_always", "rdpmc_always", "look", NULL);
		_exit(FOUND_ERROR);
	}
	expect_signal(pid, "after an exec by who has a page");
}

/* The control register is not written between two tasks that count the same. */
static void test_alike(void)
{
	struct gate gate[] = { gate_new(), gate_new() };
	pid_t pid[2];
	unsigned int i, n;
	char byte;

	stay_on(0);
	for (i = 0; i < 2; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		become_nobody();
		if (read(gate[i].in, &byte, 1) != 1)
			_exit(FOUND_ERROR);
		for (n = 0; !i || n < LONG; n++)
			getppid();
		_exit(look());
	}
	for (i = 0; i < 2; i++)
		start_kernel(pid[i]);
	for (i = 0; i < 2; i++)
		gate_open(&gate[i]);
	expect_signal(pid[1], "beside one that counts the same");
	kill(pid[0], SIGKILL);
	waitpid(pid[0], NULL, 0);
}

/* The next task does not see the counts either. */
static void test_next(void)
{
	struct gate gate = gate_new();
	pid_t counts, watches;
	char byte;

	stay_on(0);
	counts = fork();
	if (!counts) {
		if (read(gate.in, &byte, 1) != 1)
			_exit(FOUND_ERROR);
		for (;;)
			getppid();
	}
	start_kernel(counts);
	gate_open(&gate);
	watches = fork();
	if (!watches) {
		unsigned int n;

		become_nobody();
		for (n = 0; n < LONG; n++)
			getppid();
		_exit(look());
	}
	expect_nothing(watches, "beside one that counts it");
	kill(counts, SIGKILL);
	waitpid(counts, NULL, 0);
}

/* When counting has ended RDPMC works again, before any switch of tasks. */
static void test_stopped(void)
{
	volatile bool *runs = shared(2 * sizeof(*runs)), *go = runs + 1;
	pid_t pid;
	int fd;

	*runs = false;
	*go = false;
	pid = fork();
	if (!pid) {
		stay_on(1);
		become_nobody();
		*runs = true;
		while (!*go)
			;
		_exit(look());
	}
	stay_on(0);
	while (!*runs)
		usleep(1000);
	fd = start_kernel(pid);
	usleep(100000);
	must_stop(fd);
	*go = true;
	expect_nothing(pid, "when it has been counted");
}

static pid_t fork_busy(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;) {
		__asm__ volatile("mov $50000, %%ecx\n"
				 "1: loop 1b"
				 :
				 :
				 : "ecx");
		sched_yield();
	}
}

/*
 * Test whether RDPMC shows for seconds what others execute. The counters are cleared in
 * switches.
 */
static enum found look_at_others(void)
{
	time_t end = time(NULL) + 3;
	uint32_t before;

	while (time(NULL) < end) {
		before = (uint32_t)__rdpmc(0);
		sched_yield();
		if ((int32_t)((uint32_t)__rdpmc(0) - before) > OWN)
			return FOUND_OTHERS;
	}
	return FOUND_NOTHING;
}

static void count_and_exit(void)
{
	pid_t pid = fork();

	if (!pid) {
		must_start(open_device(), FIRST, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static pid_t fork_watching(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	become_nobody();
	_exit(look_at_others());
}

/*
 * The last process that counted has exited. The hardware continues to count for a second,
 * until perf_event has the counters back. The hooks must not be switched off before.
 */
static void test_left(void)
{
	pid_t busy;

	stay_on(0);
	busy = fork_busy();
	sleep(3);
	close(open_device());
	usleep(600000);
	count_and_exit();
	expect_nothing(fork_watching(), "when who counted has gone");
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
}

static pid_t fork_unloading(const struct gate *gate)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	name_delayed();
	gate_wait(gate);
	_exit(!!syscall(SYS_delete_module, "vpmc", O_NONBLOCK));
}

/*
 * The driver is unloaded before perf_event has the counters back. So its hooks are no longer
 * called.
 */
static void test_unload(void)
{
	struct gate gate = gate_new();
	pid_t busy, unloads;
	int status;

	stay_on(0);
	busy = fork_busy();
	unloads = fork_unloading(&gate);
	until_at_gate((uint32_t)unloads, &gate);
	delay_at("vpmc_system_exit");
	count_and_exit();
	gate_open(&gate);
	until_delayed();
	expect_nothing(fork_watching(), "when the hooks have gone");
	delay_end();
	check(waitpid(unloads, &status, 0) == unloads && !status,
	      "the driver is unloaded");
	delay_remove();
	kill(busy, SIGKILL);
	waitpid(busy, NULL, 0);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "look"))
		return look();
	set_file(ATTRIBUTE, "2");
	if (argc == 2 && !strcmp(argv[1], "unload")) {
		run(test_unload);
		return check_status();
	}
	run(test_stranger);
	run(test_left);
	run(test_exec);
	run(test_exec_page);
	run(test_alike);
	run(test_next);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		run(test_stopped);
	set_file(ATTRIBUTE, "1");
	return check_status();
}

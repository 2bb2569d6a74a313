// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_always: test RDPMC while perf's attribute "rdpmc" is 2. Each process may execute RDPMC
 * without a page then. No process may see counts of kernel mode: RDPMC raises a signal in a process
 * whose kernel mode is counted. Until perf_event has the counters back, no process may see counts
 * of other processes. With the argument "unload", the test covers the time in which the driver is
 * being unloaded. It runs on processors that perf_event supports.
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

/* A greater number than the instructions of user mode between two RDPMC. */
#define OWN 60

/* This is the number of system calls during which look() reads the counter. */
#define LOOKS 100

/*
 * This is the number of system calls of a process that shares its processor with another process.
 * They take many clock ticks.
 */
#define LONG 300000

/*
 * A child has found nothing, or counts of the kernel, or it could not test, or it has found counts
 * of other processes.
 */
enum found { FOUND_NOTHING, FOUND_KERNEL, FOUND_ERROR, FOUND_OTHERS };

/* Return whether RDPMC shows instructions of the kernel. */
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

/* Test a process that does not count, while no other process counts. */
static void test_stranger(void)
{
	pid_t pid = fork();

	if (!pid) {
		become_nobody();
		_exit(look());
	}
	expect_nothing(pid, "where nobody counts");
}

/*
 * Test a process whose kernel mode is counted, after an exec. An exec changes the mm without a
 * context switch.
 */
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

/* Test an exec in a process with a page. The page belonged to the old program. */
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

/*
 * Test two tasks that count the same events. The driver does not write the control register in a
 * switch between them.
 */
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

/* Test a task that runs on a processor after a task whose kernel mode is counted. */
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

/*
 * Create a process that executes user mode of processor 1 until *@go is true, and then looks. Until
 * then it makes no system call.
 */
static pid_t fork_spinning(volatile bool *go)
{
	volatile bool *runs = go + 1;
	pid_t pid;

	*go = false;
	*runs = false;
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
	return pid;
}

/* Test that RDPMC works again after a stop, even before the next context switch. */
static void test_stopped(void)
{
	volatile bool *go = shared(2 * sizeof(*go));
	pid_t pid = fork_spinning(go);
	int fd = start_kernel(pid);

	usleep(100000);
	must_stop(fd);
	*go = true;
	expect_nothing(pid, "when it has been counted");
}

/* Test a process that is in user mode when everybody gets the permission. */
static void test_permitted(void)
{
	volatile bool *go = shared(2 * sizeof(*go));
	pid_t pid;

	set_file(ATTRIBUTE, "1");
	pid = fork_spinning(go);
	start_kernel(pid);
	set_file(ATTRIBUTE, "2");
	*go = true;
	expect_signal(pid, "when it gets the permission in user mode");
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
 * Return whether RDPMC shows instructions of other processes during some seconds. A counter may
 * decrease, because the driver clears counters in context switches.
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
 * Test the time after the last process that counted has exited. The hardware counts for another
 * second, until perf_event has the counters back. The driver must not switch off its hooks before
 * that.
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
 * Test an unloading of the driver before perf_event has the counters back. The kernel no longer
 * calls the driver's hooks then.
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
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
		run(test_stopped);
		run(test_permitted);
	}
	set_file(ATTRIBUTE, "1");
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * module FILE CYCLES: unload the driver and load it again from FILE, CYCLES times, while processes
 * are forked, count and are reaped. Open handles, and threads that have counted, keep the driver
 * loaded. The CHILDREN of processes do not.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS 100

static int module;

/* Load the driver. Returns 0 or a negated errno. */
static int load(void)
{
	return syscall(SYS_finit_module, module, "", 0) ? -errno : 0;
}

static int unload(void)
{
	return syscall(SYS_delete_module, "vpmc", O_NONBLOCK) ? -errno : 0;
}

static pid_t fork_or_die(void)
{
	pid_t pid = child_fork();

	return pid;
}

/*
 * Fork a process that starts to count, and whose own fork fails. It counts, or stays stopped, until
 * @gate opens.
 */
static pid_t hold(bool stopped, const struct gate *gate,
		  const struct gate *ready)
{
	pid_t pid = fork_or_die();
	int fd;

	if (pid)
		return pid;
	fd = open_device();
	if (request(fd, VPMC_START, start_arg(FIRST, 0)) ||
	    syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, 4) != -1 ||
	    (stopped && request(fd, VPMC_STOP, stop_arg())))
		errx(2, "start, and a fork that fails");
	close(fd);
	gate_open(ready);
	gate_wait(gate);
	_exit(0);
}

static void check_held(bool stopped)
{
	struct gate gate = gate_new(), ready = gate_new();
	pid_t pid = hold(stopped, &gate, &ready);

	gate_wait(&ready);
	check(unload() == -EAGAIN, "unload while a thread %s: EAGAIN",
	      stopped ? "has stopped" : "counts");
	gate_open(&gate);
	waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT);
	check(!unload(), "unload when it is a zombie");
	check(waitpid(pid, NULL, 0) == pid, "that is reaped later");
	check(!load(), "load again");
}

/* Count a child, check CHILDREN, and leave the sum in this process. */
static void count_child(bool quiet)
{
	struct script parent = script_new(), child = script_new();
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };
	int fd = open_device(), own = open_device();

	script_fork(&parent, &child, SYS_fork);
	script_start(&child, own, start_arg(FIRST, 0));
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&parent);
	script_back(&parent);
	script_run(&parent);
	if (request(fd, VPMC_READ, &read) ||
	    read.count[0] != child.cost.instructions || !quiet)
		check_read(&read, child.cost, 0, "CHILDREN of a new driver");
	close(fd);
	close(own);
}

static void test_refusals(void)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_CHILDREN };
	int fd = open_device();

	check(unload() == -EAGAIN, "unload while a handle is open: EAGAIN");
	close(fd);
	check_held(false);
	check_held(true);
	count_child(false);
	check(!unload(), "unload while a process has its children's sum");
	check(!load(), "load again");
	fd = open_device();
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "the new driver does not have it");
	close(fd);
	count_child(false);
}

/* Fork all the time. */
static _Noreturn void storm(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

/* Fork children all the time. A child counts if there is a driver, and has a child too. */
static _Noreturn void count_storm(void)
{
	for (;;) {
		pid_t pid = fork();

		if (!pid) {
			int fd = open(VPMC_DEVICE, O_RDONLY);

			if (fd >= 0)
				request(fd, VPMC_START,
					start_arg(FIRST, VPMC_START_COLLECT));
			close(fd);
			waitpid(fork(), NULL, 0);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		usleep(1000);
	}
}

static void test_cycles(unsigned int cycles)
{
	pid_t storms[3];
	unsigned int i, refused = 0;
	int result;

	for (i = 0; i < 3; i++) {
		storms[i] = fork_or_die();
		if (!storms[i]) {
			if (i < 2)
				storm();
			count_storm();
		}
	}
	for (i = 0; i < cycles; i++) {
		while ((result = unload()) == -EAGAIN) {
			refused++;
			usleep(1000);
		}
		if (result || load())
			check(false, "cycle %u: errno %d", i, -result);
		shared_free();
		count_child(true);
	}
	for (i = 0; i < 3; i++) {
		kill(storms[i], SIGKILL);
		waitpid(storms[i], NULL, 0);
	}
	check(true, "unloaded and loaded %u times, refused %u times", cycles,
	      refused);
}

/* Return the memory of the kernel's objects, in KB. */
static unsigned long objects(void)
{
	char line[128];
	unsigned long size = 0;
	FILE *file = fopen("/proc/meminfo", "re");

	if (!file)
		err(2, "/proc/meminfo");
	while (!size && fgets(line, sizeof(line), file))
		if (!strncmp(line, "SUnreclaim:", 11))
			size = strtoul(line + 11, NULL, 10);
	fclose(file);
	return size;
}

/*
 * Test that no memory leaks. After this number of processes, a leak in each one would be visible.
 */
static void test_leak(void)
{
	enum { NR = 1000, SLACK = 200 };
	unsigned long before = 0, after;
	int i;

	for (i = 0; i < 2 * NR; i++) {
		pid_t pid = fork_or_die();
		int fd;

		if (!pid) {
			fd = open_device();
			request(fd, VPMC_START,
				start_arg(FIRST, VPMC_START_COLLECT |
							 VPMC_START_RECORDS));
			waitpid(fork(), NULL, 0);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		if (i == NR)
			before = objects();
	}
	usleep(100000);
	after = objects();
	check(after < before + SLACK, "%lu kB became %lu over %u processes",
	      before, after, NR);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		errx(2, "usage: module FILE CYCLES");
	module = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (module < 0)
		err(2, "%s", argv[1]);
	run(test_refusals);
	test_cycles((unsigned int)strtoul(argv[2], NULL, 10));
	run(test_leak);
	return check_status();
}

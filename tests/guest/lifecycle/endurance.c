// SPDX-License-Identifier: GPL-2.0-only
/*
 * endurance SEED SWITCHES [hotplug] [module FILE]: test that each count is exact, and that no
 * memory remains allocated, after SWITCHES context switches among tasks. Some tasks only count,
 * some read pages, some have events that share counters, some get signals, and some do not count.
 * All tasks fork, wait and create threads all the time.
 *
 * With "hotplug", processors go offline and come back while the test runs. With "module", the test
 * unloads the driver whenever it is not in use, and loads it again from FILE.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "endurance.h"
#include "memory.h"

#define TASKS  (2 * NR_ROLES)
#define ROUNDS 10

/* This is the exit status of a process that could not count, because there was no driver. */
#define NO_DRIVER 3

static unsigned int seed;
static unsigned long switches;
static bool hotplug;
static int module = -1;
static unsigned int processors;
static bool has_rdpmc;

/* This is the number of the round. */
static unsigned int number;

static struct task tasks[TASKS];
static volatile bool *finish, *rest;

/*
 * This is the number of times that a processor went offline or came back, and that the driver was
 * loaded again.
 */
static unsigned long changes, reloads;

/*
 * Let a new process count, because a process that has counted keeps the driver loaded until the
 * kernel has released it.
 */
static bool count_in_child(struct task *task)
{
	pid_t pid = child_fork();
	int status;

	if (!pid)
		_exit(task_count(task) ? check_status() : NO_DRIVER);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check_failures += status && WEXITSTATUS(status) != NO_DRIVER;
	return !status;
}

static _Noreturn void task_main(struct task *task)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	check_failures = 0;
	while (!*finish && !check_failures)
		if (*rest ||
		    !(module < 0 ? task_count(task) : count_in_child(task)))
			sched_yield();
	_exit(check_status());
}

static unsigned long switches_so_far(void)
{
	return number_in("/proc/stat", "ctxt ");
}

/* Set a processor online or offline. The first processor must stay online. */
static void change_processor(unsigned int processor, bool online)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/online",
		 processor);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
		err(2, "%s", path);
	close(fd);
	changes++;
}

static void change_processors(void)
{
	unsigned int i;

	for (i = 1; i < processors; i++)
		change_processor(i, false);
	usleep(20000);
	for (i = 1; i < processors; i++)
		change_processor(i, true);
}

/*
 * Unload the driver as soon as possible, and load it again. The tasks do not begin to count until
 * the driver has been unloaded.
 */
static void reload(void)
{
	*rest = true;
	while (syscall(SYS_delete_module, "vpmc", O_NONBLOCK))
		if (errno != EAGAIN)
			err(2, "delete_module");
	*rest = false;
	usleep(1000);
	if (syscall(SYS_finit_module, module, "", 0))
		err(2, "finit_module");
	reloads++;
}

static void disturb(void)
{
	if (hotplug)
		change_processors();
	if (module >= 0)
		reload();
	usleep(20000);
}

/*
 * Return whether a task has exited. This is an error until this process asks the tasks to end.
 */
static bool somebody_failed(void)
{
	siginfo_t info = { 0 };

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT))
		err(2, "waitid");
	return info.si_pid;
}

static bool all_done(void)
{
	int i;

	for (i = 0; i < TASKS; i++)
		if (!*tasks[i].done)
			return false;
	return true;
}

static void end_tasks(void)
{
	int i, status;

	*finish = true;
	for (i = 0; i < TASKS; i++)
		if (wait(&status) < 0 || status)
			check(false, "a task ends with %#x", status);
}

/* Return the role of task @i. Where programs may not execute RDPMC, tasks cannot read pages. */
static enum role role_of(int i)
{
	enum role role = (enum role)(i % NR_ROLES);

	return role == HAS_PAGE && !has_rdpmc ? COUNTS : role;
}

/* Run a round. There are enough tasks for each processor to have some of each role. */
static void test(void)
{
	unsigned long begin = switches_so_far();
	int i;

	finish = shared(sizeof(*finish));
	rest = shared(sizeof(*rest));
	for (i = 0; i < TASKS; i++)
		tasks[i] = task_new(role_of(i),
				    seed + number * TASKS + (unsigned int)i);
	for (i = 0; i < TASKS; i++) {
		pid_t pid = child_fork();

		if (!pid)
			task_main(&tasks[i]);
	}
	while ((switches_so_far() - begin < switches / ROUNDS || !all_done()) &&
	       !somebody_failed())
		disturb();
	end_tasks();
	for (i = 0; i < TASKS; i++)
		*tasks[0].done += i ? *tasks[i].done : 0;
	check(true,
	      "%lu counts, %lu switches; %lu changes of processors, %lu of the driver",
	      *tasks[0].done, switches_so_far() - begin, changes, reloads);
}

/*
 * Return the difference of free memory, in KB, that may occur without a leak, because each
 * processor caches some memory.
 */
static long noise(void)
{
	return MEMORY_NOISE * (long)(processors + 1);
}

/*
 * Return the free memory. Memory that belonged to processors that went offline takes time to become
 * free, so wait for it.
 */
static long settled_memory(long wanted)
{
	int tries = 10;
	long now;

	do {
		now = memory_free();
	} while (wanted - now >= noise() && --tries);
	return now;
}

static void parse(int argc, char **argv)
{
	int i;

	if (argc < 3)
		errx(2,
		     "usage: endurance SEED SWITCHES [hotplug] [module FILE]");
	seed = (unsigned int)strtoul(argv[1], NULL, 10);
	switches = strtoul(argv[2], NULL, 10);
	for (i = 3; i < argc; i++) {
		if (!strcmp(argv[i], "hotplug"))
			hotplug = true;
		else if (strcmp(argv[i], "module") != 0)
			module = open(argv[i], O_RDONLY | O_CLOEXEC);
	}
}

int main(int argc, char **argv)
{
	struct vpmc_info info = { .size = sizeof(info) };
	unsigned long begin = switches_so_far();
	long before = 0, after;
	int fd = open_device();

	parse(argc, argv);
	if (request(fd, VPMC_INFO, &info))
		check(false, "info");
	close(fd);
	has_rdpmc = info.features & VPMC_FEATURE_MAP;
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	for (; number < ROUNDS && !check_failures; number++) {
		run(test);
		if (number == ROUNDS / 2)
			before = memory_free();
	}
	after = settled_memory(before);
	check(before - after < noise() || !memory_is_comparable(),
	      "%ld KB are left", before - after);
	check(switches_so_far() - begin >= switches, "%lu switches, seed %u",
	      switches_so_far() - begin, seed);
	return check_status();
}

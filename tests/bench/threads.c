// SPDX-License-Identifier: GPL-2.0-only
/*
 * threads N: measure the costs of calls of another process for all N threads of a process. The
 * calls are a start by force, a read of SELF, a stop, and a start when no thread counts. The
 * threads sleep and count one event.
 */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/vpmc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"

#define REPEAT	   5
#define STACK_SIZE PTHREAD_STACK_MIN

/* This memory is shared by both processes. */
static struct {
	volatile int nr_ready;
} * shared;

static void set_limit(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file || fprintf(file, "40000\n") < 0 || fclose(file))
		err(2, "%s", path);
}

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	++shared->nr_ready;
	while (pause())
		;
	return NULL;
}

static void create_threads(int nr)
{
	pthread_attr_t attributes;
	pthread_t id;
	int i;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	for (i = 1; i < nr; i++) {
		if (pthread_create(&id, &attributes, sleep_for_ever, NULL))
			errx(2, "no thread %d", i);
		/* Wait until the thread sleeps. */
		while (shared->nr_ready < i)
			sched_yield();
	}
}

/* Create a process that ends with this one. */
static pid_t create_process(int nr)
{
	pid_t child = fork();

	if (child < 0)
		err(2, "fork");
	if (child)
		return child;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		err(2, "prctl");
	create_threads(nr);
	sleep_for_ever(NULL);
	return 0;
}

static int attach(pid_t pid)
{
	static struct vpmc_attach args = { .size = sizeof(args) };
	int fd = open("/dev/vpmc", O_RDWR | O_CLOEXEC);

	args.id = pid;
	if (fd < 0 || ioctl(fd, VPMC_ATTACH, &args))
		err(2, "attach");
	return fd;
}

static void cost(const char *name, int fd, unsigned long what, void *args)
{
	measured_set(SYS_ioctl, fd, (long)what, (long)args);
	cost_of(name, measured_call, 1);
}

static void repeat(int fd)
{
	static struct vpmc_start start = {
		.size = sizeof(start),
		.nr_events = 1,
		.event[0] = { .code = 0x16, .modes = VPMC_MODE_USER },
	};
	static struct vpmc_read read = {
		.size = sizeof(read),
		.scope = VPMC_SCOPE_SELF,
	};
	static struct vpmc_stop stop = { .size = sizeof(stop) };

	start.flags = 0;
	cost("start", fd, VPMC_START, &start);
	start.flags = VPMC_START_FORCE;
	cost("force", fd, VPMC_START, &start);
	cost("read", fd, VPMC_READ, &read);
	cost("stop", fd, VPMC_STOP, &stop);
}

int main(int argc, char **argv)
{
	int nr, fd, i;

	if (argc != 2)
		errx(2, "usage: threads N");
	nr = (int)strtol(argv[1], NULL, 10);
	shared = measure_memory(sizeof(*shared));
	set_limit("/proc/sys/kernel/threads-max");
	set_limit("/proc/sys/vm/max_map_count");
	measure_start();
	fd = attach(create_process(nr));
	while (shared->nr_ready < nr)
		measure_align();
	for (i = 0; i < REPEAT; i++)
		repeat(fd);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* This file measures operations, and prints their costs. */
#include <cpuid.h>
#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure.h"

#define SETTLE_NS 20000000
#define MAX_CROWD 16

struct crowd {
	unsigned int nr;
	pid_t pid[MAX_CROWD];
};

long measured_args[4];
void (*measured_child)(void);

void measured_set(long number, long a, long b, long c)
{
	measured_args[0] = number;
	measured_args[1] = a;
	measured_args[2] = b;
	measured_args[3] = c;
}

void *measure_memory(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		err(2, "mmap");
	return memory;
}

void measure_touch(void *memory, size_t size)
{
	volatile char *byte = memory;
	size_t i;

	for (i = 0; i < size; i += 4096)
		byte[i] = byte[i];
}

void measure_start(void)
{
	struct sched_param param = { .sched_priority = 1 };
	unsigned int a, magic, c, d;

	__cpuid_count(LEAF_TOTALS, NR_TOTALS - 1, a, magic, c, d);
	if (magic != LEAF_MAGIC)
		errx(2, "this processor keeps no totals");
	/* sched_setscheduler() of the C library does not support this policy. */
	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "sched_setscheduler");
}

/* Return a pseudo-random number. The sequence is the same in every run. */
static unsigned int random_below(unsigned int limit)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return (state >> 16) % limit;
}

static void release(struct crowd *crowd)
{
	while (crowd->nr) {
		pid_t pid = crowd->pid[--crowd->nr];

		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

static void gather(struct crowd *crowd)
{
	unsigned int nr = random_below(MAX_CROWD);

	while (crowd->nr < nr) {
		pid_t pid = fork();

		if (pid < 0)
			err(2, "fork");
		if (!pid) {
			for (;;)
				pause();
		}
		crowd->pid[crowd->nr++] = pid;
	}
}

/*
 * Create other processes, of which some stay for a while and some leave, so that the operations
 * find the kernel in different states.
 */
static void shuffle(void)
{
	static struct crowd staying;
	struct crowd leaving = {};

	release(&staying);
	gather(&leaving);
	gather(&staying);
	release(&leaving);
}

/* Allocate some pages, and free them again. */
static void shuffle_pages(void)
{
	size_t size = (size_t)4096 * (1 + random_below(64));
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory == MAP_FAILED)
		err(2, "mmap");
	munmap(memory, size);
}

/* The kernel has no timers except its tick, so a sleeping task wakes up in the tick. */
void measure_align(void)
{
	static const struct timespec pause = { .tv_nsec = SETTLE_NS };

	nanosleep(&pause, NULL);
}

void measure_settle(void)
{
	shuffle();
	measure_align();
	shuffle_pages();
}

void cost_print(const char *name, const struct totals *before,
		const struct totals *after)
{
	int i;

	printf("%s", name);
	for (i = 0; i < NR_TOTALS; i++)
		printf(" %" PRIu64, after->n[i] - before->n[i]);
	putchar('\n');
}

void cost_of(const char *name, int (*operation)(void), int repeat)
{
	struct totals *totals = measure_memory(2 * sizeof(*totals));

	while (repeat--) {
		if (measure(operation, &totals[0], &totals[1]) < 0)
			errx(2, "%s failed", name);
		cost_print(name, &totals[0], &totals[1]);
	}
	munmap(totals, 2 * sizeof(*totals));
}

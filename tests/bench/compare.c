// SPDX-License-Identifier: GPL-2.0-only
/*
 * compare [WHAT]...: measure the costs for a process to stop, to start again and to read. Each WHAT
 * is a word of count.h, with which the names of the results begin. By default, they are words for
 * one event and two, with the driver and with perf_event.
 *
 * First the driver and perf_event each count 1000 instructions, 499 of them branches,
 * as "known-0" and "known-1".
 */
#include <err.h>
#include <inttypes.h>
#include <linux/vpmc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "count.h"
#include "measure.h"
#include "perf.h"

#define REPEAT	   20
#define MAX_EVENTS 2

static enum count what;

#ifdef __x86_64__
#define ANY_REGISTER "r"
#else
#define ANY_REGISTER "A" /* EDX:EAX */
#endif

/* Keep @value in registers, so that the compiler does not drop its computation. */
static void use(int64_t value)
{
	__asm__ __volatile__("" : : ANY_REGISTER(value));
}

static int vpmc_go_on(void)
{
	count_set_stop();
	if (measured_call())
		return -1;
	count_set_start(what, VPMC_START_RESUME);
	return measured_call();
}

static int vpmc_again(void)
{
	count_set_stop();
	if (measured_call())
		return -1;
	count_set_start(what, 0);
	return measured_call();
}

static int vpmc_read_call(void)
{
	count_set_read(what, VPMC_SCOPE_THREAD);
	return measured_call();
}

static int vpmc_read_own(void)
{
	MEASURE_SAVE_REGISTERS();
	use(vpmc_count(0));
	return 0;
}

static int vpmc_read_own_two(void)
{
	MEASURE_SAVE_REGISTERS();
	use(vpmc_count(0));
	use(vpmc_count(1));
	return 0;
}

static int perf_go_on(void)
{
	perf_set_ioctl(PERF_EVENT_IOC_DISABLE);
	if (measured_call())
		return -1;
	perf_set_ioctl(PERF_EVENT_IOC_ENABLE);
	return measured_call();
}

static int perf_again(void)
{
	perf_set_ioctl(PERF_EVENT_IOC_DISABLE);
	if (measured_call())
		return -1;
	perf_set_ioctl(PERF_EVENT_IOC_RESET);
	/* Without this flag, the ioctl resets a single event of the group. */
	measured_args[3] = PERF_IOC_FLAG_GROUP;
	if (measured_call())
		return -1;
	perf_set_ioctl(PERF_EVENT_IOC_ENABLE);
	return measured_call();
}

static int perf_read_call(void)
{
	perf_set_read();
	return measured_call();
}

static int perf_read_own(void)
{
	MEASURE_SAVE_REGISTERS();
	use(perf_count(0));
	return 0;
}

static int perf_read_own_two(void)
{
	MEASURE_SAVE_REGISTERS();
	use(perf_count(0));
	use(perf_count(1));
	return 0;
}

static int read_nothing(void)
{
	MEASURE_SAVE_REGISTERS();
	return 0;
}

static void map_vpmc(void)
{
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, NULL) || vpmc_map(vpmc, NULL))
		errx(2, "cannot map the page of counts");
}

/* perf_event has mapped the page when it started. */
static void map_perf(void)
{
}

static uint64_t own_vpmc(unsigned int i)
{
	return (uint64_t)vpmc_count(i);
}

static uint64_t own_perf(unsigned int i)
{
	return (uint64_t)perf_count(i);
}

/* Each way of counting has functions that stop and resume, start from 0, and read. */
static const struct way {
	const char *prefix;
	int (*go_on)(void);
	int (*again)(void);
	int (*read_call)(void);
	uint64_t (*gotten)(unsigned int i);
	void (*map)(void);
	int (*read_own[MAX_EVENTS])(void);
	uint64_t (*own)(unsigned int i);
} ways[] = {
	{ "",
	  vpmc_go_on,
	  vpmc_again,
	  vpmc_read_call,
	  count_gotten,
	  map_vpmc,
	  { vpmc_read_own, vpmc_read_own_two },
	  own_vpmc },
	{ "perf-",
	  perf_go_on,
	  perf_again,
	  perf_read_call,
	  perf_gotten,
	  map_perf,
	  { perf_read_own, perf_read_own_two },
	  own_perf },
};

static const char *const sets[] = { "one", "two", "one-mapped", "two-mapped" };

/* The loop has 1 + 2 * 499 + 1 instructions, and 499 of them are branches. */
static void known(void)
{
	__asm__ __volatile__("movl $499, %%ecx\n"
			     "1:\tdecl %%ecx\n\t"
			     "jnz 1b\n\t"
			     "nop"
			     :
			     :
			     : "ecx", "cc");
}

static void nothing(void)
{
}

/* Return the count of one event from one read to the next, with a call in between. */
static uint64_t count_between(const struct way *way, bool own, unsigned int i,
			      void (*volatile between)(void))
{
	uint64_t before;

	if (own) {
		before = way->own(i);
		between();
		return way->own(i) - before;
	}
	if (way->read_call() < 0)
		errx(2, "cannot read");
	before = way->gotten(i);
	between();
	if (way->read_call() < 0)
		errx(2, "cannot read");
	return way->gotten(i) - before;
}

static void cost(const char *word, const char *name, int (*operation)(void))
{
	char full[48];

	snprintf(full, sizeof(full), "%s-%s", word, name);
	cost_of(full, operation, REPEAT);
}

static void cost_way(const struct way *way, const char *word, bool mapped)
{
	unsigned int nr = count_events(what), i;

	count_start(what);
	count_keep();
	if (mapped)
		way->map();
	for (i = 0; i < nr; i++)
		printf("%s-known-%u %" PRIu64 "\n", word, i,
		       count_between(way, mapped, i, known) -
			       count_between(way, mapped, i, nothing));
	if (mapped) {
		cost(word, "own", way->read_own[nr - 1]);
	} else {
		cost(word, "read", way->read_call);
		cost(word, "go-on", way->go_on);
		cost(word, "again", way->again);
	}
	count_stop(what);
}

/* Measure in another process. */
static void cost_set(const struct way *way, const char *set)
{
	char word[32];
	pid_t child;
	int status;

	snprintf(word, sizeof(word), "%s%s", way->prefix, set);
	what = count_named(word);
	/* The child would print the unwritten output again. */
	fflush(stdout);
	child = fork();
	if (child < 0)
		err(2, "fork");
	if (!child) {
		cost_way(way, word, strstr(set, "mapped"));
		exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		errx(2, "%s failed", word);
}

static void cost_all(void)
{
	unsigned int i, j;

	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		for (j = 0; j < sizeof(sets) / sizeof(*sets); j++)
			cost_set(&ways[i], sets[j]);
		/* The driver gives the counters back a second after the last use. */
		sleep(2);
	}
}

int main(int argc, char **argv)
{
	int i;

	measure_start();
	cost_of("nothing", read_nothing, REPEAT);
	if (argc == 1)
		cost_all();
	for (i = 1; i < argc; i++)
		cost_set(&ways[0], argv[i]);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Count regions of assembler code, and write their counts at exit. stubs.S calls these functions
 * and saves all registers except those of the x87, so this file must not use the x87.
 */
#include "p5mon_regions.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vpmc.h>

#include "libp5mon.h"

#define COUNTERS 2U

/* A number of 64 bits and a space take this number of bytes. */
#define NUMBER 21
#define LINE   ((3 + COUNTERS) * NUMBER + 1)

struct region {
	uint64_t entered;
	uint64_t exited;
	uint64_t begin[COUNTERS];
	uint64_t sum[COUNTERS];
};

static struct region regions[P5MON_REGIONS];

/* This is the process that has called p5mon_asm_init(), or 0 before the call. */
static pid_t process;
static struct vpmc *vpmc;
static unsigned int events;
/* This is true if the counts are on a page, from which they are read without a system call. */
static bool mapped;
static struct vpmc_error failure;
/*
 * This is true in the thread that has called p5mon_asm_init(), because counts belong to a
 * thread. It is accessed without a call, even in a shared library.
 */
static _Thread_local bool is_own __attribute__((tls_model("initial-exec")));

void p5monint_init(void) __attribute__((visibility("hidden")));
void p5monint_begin(unsigned int number) __attribute__((visibility("hidden")));
void p5monint_end(unsigned int number) __attribute__((visibility("hidden")));

static size_t format_regions(char *text, size_t size)
{
	const struct region *region;
	size_t length = 0;
	unsigned int i, j;

	if (failure.code)
		return (size_t)snprintf(text, size, "error %s\n", failure.text);
	for (i = 0; i < P5MON_REGIONS; i++) {
		region = &regions[i];
		if (!region->entered && !region->exited)
			continue;
		length += (size_t)snprintf(text + length, size - length,
					   "%u %llu %llu", i,
					   (unsigned long long)region->entered,
					   (unsigned long long)region->exited);
		for (j = 0; j < events; j++)
			length += (size_t)snprintf(
				text + length, size - length, " %llu",
				(unsigned long long)region->sum[j]);
		text[length++] = '\n';
	}
	return length;
}

static bool append(const char *path, const char *text, size_t length)
{
	const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	bool done;

	if (fd < 0)
		return false;
	done = write(fd, text, length) == (ssize_t)length;
	return !close(fd) && done;
}

/*
 * Write the regions. A process that was forked does not write its copy of its parent's
 * regions.
 */
static void write_regions(void)
{
	static char text[(size_t)P5MON_REGIONS * LINE + sizeof(failure.text)];
	const char *path = getenv(P5MON_REGIONS_FILE);

	if (path && process == getpid() &&
	    !append(path, text, format_regions(text, sizeof(text))))
		fputs("libp5mon: cannot write the counts of the regions\n",
		      stderr);
}

/*
 * Find the counts of the thread. If the thread does not count, regions only have the numbers of
 * entries and exits.
 */
static void find_counts(void)
{
	struct vpmc_event_set set;
	struct vpmc_error err;

	if (vpmc_open(&vpmc, &failure))
		return;
	if (vpmc_events(vpmc, VPMC_THREAD, &set, &err)) {
		if (err.code != VPMC_E_NOT_STARTED)
			failure = err;
		return;
	}
	events = set.nr < COUNTERS ? set.nr : COUNTERS;
	mapped = !vpmc_map(vpmc, NULL);
}

void p5monint_init(void)
{
	if (process || !getenv(P5MON_REGIONS_FILE))
		return;
	process = getpid();
	is_own = true;
	find_counts();
	atexit(write_regions);
}

/*
 * Keep the reason why the page has no counts. vpmc_read() returns the reason, unless the
 * counts belong to another start.
 */
static void fail_unreadable(void)
{
	struct vpmc_counts counts;

	if (failure.code || vpmc_read(vpmc, VPMC_THREAD, &counts, &failure))
		return;
	failure.code = VPMC_E_GENERATION;
	snprintf(failure.text, sizeof(failure.text),
		 "the counts of a region are not known: the counters were"
		 " started again in the region");
}

/* Read the counts, one after the other or both at one moment, in the same way in each call. */
static void read_counts(uint64_t count[COUNTERS])
{
	struct vpmc_counts counts;
	unsigned int i;
	int64_t now;

	if (!events)
		return;
	if (!mapped) {
		if (vpmc_read(vpmc, VPMC_THREAD, &counts, &failure))
			return;
		for (i = 0; i < events; i++)
			count[i] = counts.count[i];
		return;
	}
	for (i = 0; i < events; i++) {
		now = vpmc_count(i);
		if (now < 0) {
			fail_unreadable();
			return;
		}
		count[i] = (uint64_t)now;
	}
}

static bool is_in_own_thread(unsigned int number)
{
	if (is_own || !process || failure.code)
		return is_own;
	failure.code = VPMC_E_UNSUPPORTED;
	snprintf(failure.text, sizeof(failure.text),
		 "region %u was entered or left in another thread than the one"
		 " that called p5mon_asm_init: count regions of several threads"
		 " with perfex --regions",
		 number);
	return false;
}

void p5monint_begin(unsigned int number)
{
	struct region *region = &regions[number];

	if (!is_in_own_thread(number))
		return;
	region->entered++;
	read_counts(region->begin);
}

void p5monint_end(unsigned int number)
{
	uint64_t now[COUNTERS] = { 0 };
	struct region *region = &regions[number];
	unsigned int i;

	if (!is_in_own_thread(number))
		return;
	read_counts(now);
	region->exited++;
	for (i = 0; i < COUNTERS; i++)
		region->sum[i] += now[i] - region->begin[i];
}

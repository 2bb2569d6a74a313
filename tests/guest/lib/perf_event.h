/* SPDX-License-Identifier: GPL-2.0-only */
/* This file uses perf_event in tests of the driver. */
#ifndef PERF_EVENT_H
#define PERF_EVENT_H

#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The driver gives the counters back some time after their last user has stopped. */
#define PERF_TRIES 500
#define PERF_PAUSE 10000 /* microseconds */

/*
 * Open a counter of instructions in user mode, of process @pid on processor @cpu. Either can
 * stand for any process or processor, as in perf_event_open(2). Returns -errno on failure.
 */
static inline int perf_open_for(pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);

	return fd < 0 ? -errno : (int)fd;
}

/* Open a counter of the calling process. Returns -errno on failure. */
static inline int perf_open(void)
{
	return perf_open_for(0, -1);
}

/* Wait until perf_event gets the counters. */
static inline int perf_await(void)
{
	int tries, perf = -EBUSY;

	for (tries = 0; tries < PERF_TRIES && perf == -EBUSY; tries++) {
		usleep(PERF_PAUSE);
		perf = perf_open();
	}
	return perf;
}

static inline uint64_t perf_read(int perf)
{
	uint64_t count = 0;

	if (read(perf, &count, sizeof(count)) != sizeof(count))
		err(2, "read");
	return count;
}

#endif /* PERF_EVENT_H */

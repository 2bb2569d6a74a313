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
 * Open a counter of the calling process's instructions in user mode. Return -errno on
 * failure.
 */
static inline int perf_open(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.exclude_kernel = 1,
	};
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	return fd < 0 ? -errno : (int)fd;
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time.
 */
#ifndef PERFEX_CLOCK_H
#define PERFEX_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL

/* now() - nanoseconds since some moment; changes of the date do not matter */
static inline uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

#endif /* PERFEX_CLOCK_H */

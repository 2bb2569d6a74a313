/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the monotonic clock, and the time left until a time of that clock. */
#ifndef PERFEX_CLOCK_H
#define PERFEX_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL
#define NS_PER_US (NS_PER_S / US_PER_S)
#define US_PER_S  ((uint64_t)1000000)

/* This time never comes. */
#define NEVER UINT64_MAX

/* now() - read the time in nanoseconds. Changes of the date do not affect it. */
static inline uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS_PER_S + (uint64_t)time.tv_nsec;
}

/* time_until() - compute the time left until a time of now(), 0 if it has passed */
static inline struct timespec time_until(uint64_t end)
{
	const uint64_t time = now();
	const uint64_t left = end > time ? end - time : 0;

	return (struct timespec){ .tv_sec = (time_t)(left / NS_PER_S),
				  .tv_nsec = (long)(left % NS_PER_S) };
}

#endif /* PERFEX_CLOCK_H */

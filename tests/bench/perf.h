/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares functions that count the calling process by perf_event, with the events of
 * count.h.
 */
#ifndef PERF_H
#define PERF_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#define PERF_MAX 2

/* Each mapped event has one of these pages. */
extern const volatile struct perf_event_mmap_page *perf_page[PERF_MAX];

/*
 * Count instructions in user mode, and branches, too, if @nr is 2, as one group. Mapped events
 * cannot be inherited, because perf_event refuses this.
 */
void perf_start(unsigned int nr, bool mapped);

/* Close the events. */
void perf_stop(void);

/**
 * struct perf_sample - a sample as "perf record -c PERIOD" asks for
 * @header: the beginning that all records have
 * @address: address of the instruction
 * @pid: process
 * @tid: thread
 * @time: clock of the kernel
 */
struct perf_sample {
	struct perf_event_header header;
	uint64_t address;
	uint32_t pid, tid;
	uint64_t time;
};

/* Count instructions in user mode and leave a sample at every @period-th instruction. */
void perf_start_samples(uint64_t period);

/* Return how many bytes of samples the kernel has written. */
uint32_t perf_written(void);

/* Prepare measured_call() for an ioctl of the group, and for one read of it. */
void perf_set_ioctl(unsigned long request);
void perf_set_read(void);

/* Return a count of the last perf_set_read(). */
uint64_t perf_gotten(unsigned int i);

/*
 * Read one count without a system call, by the steps in linux/perf_event.h. The steps that read
 * times are left out; times show whether events share counters.
 */
static inline int64_t perf_count(unsigned int i)
{
	const volatile struct perf_event_mmap_page *page = perf_page[i];
	uint32_t sequence, index, low, high;
	unsigned int unused;
	int64_t sum, value;

	do {
		sequence = page->lock;
		__asm__ __volatile__("" : : : "memory");
		index = page->index;
		sum = page->offset;
		if (page->cap_user_rdpmc && index) {
			unused = 64 - page->pmc_width;
			__asm__ __volatile__("rdpmc"
					     : "=a"(low), "=d"(high)
					     : "c"(index - 1));
			value = (int64_t)(((uint64_t)high << 32 | low)
					  << unused);
			sum += value >> unused;
		}
		__asm__ __volatile__("" : : : "memory");
	} while (page->lock != sequence);
	return sum;
}

#endif /* PERF_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header reads counts without a system call. Include <vpmc.h> instead of it.
 *
 * On processors with RDPMC a thread reads its own 64-bit counts in a few instructions, from
 * its page of kernel data and the hardware counter:
 *
 *	if (vpmc_map(vpmc, &err))
 *		errx(1, "%s", err.text);
 *	before = vpmc_count(0);
 *	work();
 *	after = vpmc_count(0);
 *	if (before < 0 || after < 0)
 *		... vpmc_read() says why ...
 *
 * The functions must not be called before vpmc_map() has succeeded in the process, or in its parent
 * before the fork(2), because the processor refuses RDPMC. After that all threads may call the
 * functions. They return a negative number if there is no count to read. The thread then has not
 * called vpmc_map() itself, or does not count, or another process has started it or taken the
 * counters.
 *
 * All functions are async-signal-safe. A signal handler that starts or stops counting changes the
 * counts that the interrupted code is reading. vpmc_since() notices this.
 */
#ifndef VPMC_INLINE_H
#define VPMC_INLINE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A page has this number of counts. All of them can be read without a system call. */
#define VPMC_INLINE_MAX 32

/*
 * struct vpmc_own_page - the page in which the kernel shows a thread its counters. It
 * equals struct vpmc_page of linux/vpmc.h, where the fields are explained.
 */
struct vpmc_own_page {
	uint32_t size;
	uint32_t sequence;
	uint32_t state;
	uint32_t nr_counts;
	uint64_t generation;
	uint64_t tsc;
	struct {
		uint32_t counter;
		uint32_t pad;
		uint64_t high[2] __attribute__((aligned(8)));
	} count[VPMC_INLINE_MAX];
	uint64_t start;
};

/*
 * vpmc_self is the calling thread's page. Until the thread has a page, vpmc_self is a page without
 * counts.
 */
extern __thread struct vpmc_own_page *vpmc_self
	__attribute__((tls_model("initial-exec")));

#if defined(__i386__) || defined(__x86_64__)

/*
 * Load the low 32 bits of a count into EAX, and their sign, -1 or 0, into EDX or RDX. Each
 * instruction is written in both dialects of the assembler, for -masm=intel.
 */
#ifdef __x86_64__
#define VPMC_INLINE_RDPMC                                \
	"rdpmc; {movslq %%eax, %%rdx|movsxd rdx, eax}; " \
	"{sarq $63, %%rdx|sar rdx, 63}"
#else
#define VPMC_INLINE_RDPMC "rdpmc; {cltd|cdq}"
#endif

/*
 * Compose a count from its low 32 bits and the word of the page that has the upper bits.
 * The assembly is volatile, so that it stays before the comparison in vpmc_mark().
 */
static inline int64_t vpmc_inline_sum(unsigned long low, const uint64_t *high)
{
#ifdef __x86_64__
	__asm__ __volatile__("{orq %1, %0|or %0, %1}"
			     : "+r"(low)
			     : "m"(*high)
			     : "cc");
	return (int64_t)low;
#else
	typedef uint32_t half __attribute__((may_alias));
	uint32_t upper;

	__asm__ __volatile__("{movl %1, %0|mov %0, %1}"
			     : "=r"(upper)
			     : "m"(((const half *)high)[1]));
	return (int64_t)((uint64_t)upper << 32 | low);
#endif
}

/**
 * vpmc_count() - read the calling thread's count of one event
 * @i: index of the event, in the order of vpmc_start(); less than 32
 *
 * The function has no branch, no store and no call. The thread can be interrupted anywhere and
 * continue on another processor. The result is the count at the moment of RDPMC.
 *
 * Return: events so far, or a negative number if there is no count to read.
 */
static inline int64_t vpmc_count(unsigned int i)
{
	struct vpmc_own_page *page = vpmc_self;
	unsigned long low;
	long half;

	/* The compiler must read the page again after each RDPMC. */
	__asm__ __volatile__(VPMC_INLINE_RDPMC
			     : "=a"(low), "=d"(half), "+m"(*page)
			     : "c"(page->count[i].counter)
			     : "cc");
	return vpmc_inline_sum(low, &page->count[i].high[1 + half]);
}

/**
 * struct vpmc_snapshot - all counts of a thread at one moment
 * @generation: generation of the counts
 * @start: the start that began the counts, see vpmc_start_id()
 * @tsc: clocks that the thread spent on a processor while counting
 * @nr: number of valid elements of @count
 * @count: events counted, in the order of vpmc_start()
 */
struct vpmc_snapshot {
	uint64_t generation;
	uint64_t start;
	uint64_t tsc;
	unsigned int nr;
	uint64_t count[VPMC_INLINE_MAX];
};

/**
 * vpmc_mark() - read all counts of the calling thread at one moment
 * @mark: receives the counts
 *
 * If a context switch interrupts the read, the function reads again.
 *
 * Return: 0, or -1 if there is no count to read; @mark is then undefined.
 */
static inline int vpmc_mark(struct vpmc_snapshot *mark)
{
	const volatile struct vpmc_own_page *page = vpmc_self;
	uint32_t sequence, low, high;
	int64_t count, all;
	unsigned int i;

	do {
		sequence = page->sequence;
		mark->generation = page->generation;
		mark->start = page->start;
		mark->nr = page->nr_counts;
		all = -(int64_t)!mark->nr;
		for (i = 0; i < mark->nr && i < VPMC_INLINE_MAX; i++) {
			count = vpmc_count(i);
			mark->count[i] = (uint64_t)count;
			all |= count;
		}
		__asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
		mark->tsc = page->tsc + ((uint64_t)high << 32 | low);
	} while (page->sequence != sequence);
	return all < 0 ? -1 : 0;
}

/**
 * vpmc_since() - compute the calling thread's counts since a mark
 * @mark: from vpmc_mark(), in this thread
 * @counts: receives the differences
 *
 * Return: 0, or -1 if there is no count to read, or if the present counts belong to another start,
 * thread or process than the mark.
 */
static inline int vpmc_since(const struct vpmc_snapshot *mark,
			     struct vpmc_snapshot *counts)
{
	unsigned int i;

	if (vpmc_mark(counts) || counts->generation != mark->generation ||
	    counts->start != mark->start)
		return -1;
	counts->tsc -= mark->tsc;
	for (i = 0; i < counts->nr && i < VPMC_INLINE_MAX; i++)
		counts->count[i] -= mark->count[i];
	return 0;
}

#endif

#ifdef __cplusplus
}
#endif

#endif /* VPMC_INLINE_H */

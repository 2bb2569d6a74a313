/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libvpmc: what named parts of a program count.
 *
 *	vpmc_region_begin("sort");
 *	sort(table);
 *	vpmc_region_end("sort");
 *
 * Regions nest, call each other and themselves, and belong to the thread that
 * executes them. For each name there are the number of calls, the inclusive
 * counts, from begin to end, and the exclusive counts, without the regions
 * within it. vpmc_regions_read() returns them to the program, and
 * "perfex --regions" prints them when the program has ended.
 *
 * A program starts its counts by itself, or inherits them from perfex. Nothing
 * else has to be called: the first region of a thread opens what is needed.
 *
 * With RDPMC and one event, begin and end of a region together are 28
 * instructions in 32-bit code that is not position independent, and 29 in the
 * 64-bit code of a program, if the region is the one that was last begun in this
 * place. Otherwise a function is called. Without RDPMC it makes one system call
 * for each begin and each end.
 */
#ifndef VPMC_REGION_H
#define VPMC_REGION_H

#include <stddef.h>
#include <stdint.h>
#include <vpmc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most events that regions keep. */
#define VPMC_REGION_EVENTS 4

/*
 * struct vpmc_region - a region in one place of a thread's calls; only for the
 *	library
 * @parent: the region in which it was begun
 * @recent: the region that was begun last within it
 * @site: its name, if begin and end need no function; else NULL
 * @calls: how often it was begun
 * @sum: counts at all ends, less those at all begins
 */
struct vpmc_region {
	struct vpmc_region *parent;
	struct vpmc_region *recent;
	const char *site;
	uint64_t calls;
	uint64_t sum[VPMC_REGION_EVENTS];
};

/*
 * struct vpmc_region_thread - where a thread is; only for the library
 * @region: the region that it is in
 * @page: vpmc_self of the thread; used only in regions that have a @site
 */
struct vpmc_region_thread {
	struct vpmc_region *region;
	struct vpmc_own_page *page;
};

/*
 * These three are defined in the program: each file that includes this header
 * defines them, and the linker keeps one of each. So they need no indirect
 * access, and calibration measures what the program's compiler generates.
 */
#define VPMC_REGION_ONE __attribute__((weak))

/* A thread that has no regions is in this one. */
extern struct vpmc_region vpmc_region_none;
VPMC_REGION_ONE struct vpmc_region vpmc_region_none = {
	&vpmc_region_none, &vpmc_region_none, NULL, 0, { 0 }
};

extern __thread struct vpmc_region_thread vpmc_region_thread;
VPMC_REGION_ONE __thread struct vpmc_region_thread vpmc_region_thread = {
	&vpmc_region_none, NULL
};

/*
 * The slow paths of begin, which returns 1 if begin is to try again, and of end.
 * They are cold so that compilers do not align the code around their calls,
 * which would add instructions.
 */
int vpmc_region_enter(const char *name) __attribute__((cold));
void vpmc_region_leave(const char *name) __attribute__((cold));

/*
 * In assembly language, so that each region costs the same in all places: what
 * begin and end do if they need no function. The counts are read as in
 * vpmc_count(). The C code further down does the same elsewhere.
 */
/* clang-format off */
#if defined(__i386__) && !defined(__PIC__)

#define VPMC_REGION_ASM
#define VPMC_REGION_TLS(field) "%%gs:vpmc_region_thread@ntpoff+%c[" #field "]"

#define VPMC_REGION_CHECK_NAME				\
	"cmpl %[name], %c[site](%%esi)\n\t"		\
	"jne %l[slow]\n\t"

#define VPMC_REGION_COUNT				\
	"movl " VPMC_REGION_TLS(page) ", %%edi\n\t"	\
	"movl %c[count](%%edi), %%ecx\n\t"		\
	"rdpmc\n\t"					\
	"cltd\n\t"					\
	"movl %c[count]+20(%%edi,%%edx,8), %%edx\n\t"

#define VPMC_REGION_BEGIN				\
	"movl " VPMC_REGION_TLS(region) ", %%esi\n\t"	\
	"movl %c[recent](%%esi), %%esi\n\t"		\
	VPMC_REGION_CHECK_NAME				\
	"movl %%esi, " VPMC_REGION_TLS(region) "\n\t"	\
	"addl $1, %c[calls](%%esi)\n\t"			\
	"adcl $0, %c[calls]+4(%%esi)\n\t"		\
	VPMC_REGION_COUNT				\
	"subl %%eax, %c[sum](%%esi)\n\t"		\
	"sbbl %%edx, %c[sum]+4(%%esi)"

#define VPMC_REGION_END					\
	"movl " VPMC_REGION_TLS(region) ", %%esi\n\t"	\
	VPMC_REGION_CHECK_NAME				\
	VPMC_REGION_COUNT				\
	"testl %%edx, %%edx\n\t"			\
	"js %l[slow]\n\t"				\
	"addl %%eax, %c[sum](%%esi)\n\t"		\
	"adcl %%edx, %c[sum]+4(%%esi)\n\t"		\
	"movl %c[parent](%%esi), %%esi\n\t"		\
	"movl %%esi, " VPMC_REGION_TLS(region)

#define VPMC_REGION_CLOBBERS "eax", "ecx", "edx", "esi", "edi", "cc", "memory"

#elif defined(__x86_64__) && defined(__LP64__) && \
	(!defined(__PIC__) || defined(__PIE__))

#define VPMC_REGION_ASM
#define VPMC_REGION_TLS(field) "%%fs:vpmc_region_thread@tpoff+%c[" #field "]"

/* A compiler finds the address in some places, and has it in a register in others. */
#define VPMC_REGION_CHECK_NAME				\
	"leaq %a[name], %%rax\n\t"			\
	"cmpq %%rax, %c[site](%%rsi)\n\t"		\
	"jne %l[slow]\n\t"

#define VPMC_REGION_COUNT				\
	"movq " VPMC_REGION_TLS(page) ", %%rdi\n\t"	\
	"movl %c[count](%%rdi), %%ecx\n\t"		\
	"rdpmc\n\t"					\
	"movslq %%eax, %%rdx\n\t"			\
	"sarq $63, %%rdx\n\t"				\
	"orq %c[count]+16(%%rdi,%%rdx,8), %%rax\n\t"

#define VPMC_REGION_BEGIN				\
	"movq " VPMC_REGION_TLS(region) ", %%rsi\n\t"	\
	"movq %c[recent](%%rsi), %%rsi\n\t"		\
	VPMC_REGION_CHECK_NAME				\
	"movq %%rsi, " VPMC_REGION_TLS(region) "\n\t"	\
	"addq $1, %c[calls](%%rsi)\n\t"			\
	VPMC_REGION_COUNT				\
	"subq %%rax, %c[sum](%%rsi)"

#define VPMC_REGION_END					\
	"movq " VPMC_REGION_TLS(region) ", %%rsi\n\t"	\
	VPMC_REGION_CHECK_NAME				\
	VPMC_REGION_COUNT				\
	"testq %%rax, %%rax\n\t"			\
	"js %l[slow]\n\t"				\
	"addq %%rax, %c[sum](%%rsi)\n\t"		\
	"movq %c[parent](%%rsi), %%rsi\n\t"		\
	"movq %%rsi, " VPMC_REGION_TLS(region)

#define VPMC_REGION_CLOBBERS "rax", "rcx", "rdx", "rsi", "rdi", "cc", "memory"

#endif
/* clang-format on */

#ifdef VPMC_REGION_ASM

#define VPMC_REGION_OPERANDS                                               \
	[name] "ri"(name),                                                 \
		[region] "i"(offsetof(struct vpmc_region_thread, region)), \
		[page] "i"(offsetof(struct vpmc_region_thread, page)),     \
		[count] "i"(offsetof(struct vpmc_own_page, count)),        \
		[parent] "i"(offsetof(struct vpmc_region, parent)),        \
		[recent] "i"(offsetof(struct vpmc_region, recent)),        \
		[site] "i"(offsetof(struct vpmc_region, site)),            \
		[calls] "i"(offsetof(struct vpmc_region, calls)),          \
		[sum] "i"(offsetof(struct vpmc_region, sum))

/**
 * vpmc_region_begin() - begin a region
 * @name: a constant string. Regions with the same text are the same region.
 */
static inline __attribute__((always_inline)) void
vpmc_region_begin(const char *name)
{
again:
	__asm__ goto(VPMC_REGION_BEGIN
		     :
		     : VPMC_REGION_OPERANDS:VPMC_REGION_CLOBBERS
		     : slow);
	return;
slow:
	if (vpmc_region_enter(name))
		goto again;
}

/**
 * vpmc_region_end() - end the region that was begun last
 * @name: its name. If another one was begun last, that is noticed: where a
 *	region of this name is open, those within it end too, else nothing does.
 */
static inline __attribute__((always_inline)) void
vpmc_region_end(const char *name)
{
	__asm__ goto(VPMC_REGION_END
		     :
		     : VPMC_REGION_OPERANDS:VPMC_REGION_CLOBBERS
		     : slow);
	return;
slow:
	vpmc_region_leave(name);
}

#else

/* The compiler must not move code out of a region. */
#define VPMC_REGION_BARRIER() __asm__ __volatile__("" : : : "memory")

#if !defined(__i386__) && !defined(__x86_64__)
/* Not called: regions have no @site without RDPMC. */
static inline int64_t vpmc_count(unsigned int i)
{
	(void)i;
	return -1;
}
#endif

static inline void vpmc_region_begin(const char *name)
{
	struct vpmc_region *region;

	VPMC_REGION_BARRIER();
	do {
		region = vpmc_region_thread.region->recent;
		if (region->site == name) {
			vpmc_region_thread.region = region;
			region->calls++;
			region->sum[0] -= (uint64_t)vpmc_count(0);
			break;
		}
	} while (vpmc_region_enter(name));
	VPMC_REGION_BARRIER();
}

static inline void vpmc_region_end(const char *name)
{
	struct vpmc_region *region;
	int64_t count = -1;

	VPMC_REGION_BARRIER();
	region = vpmc_region_thread.region;
	if (region->site == name)
		count = vpmc_count(0);
	if (count >= 0) {
		region->sum[0] += (uint64_t)count;
		vpmc_region_thread.region = region->parent;
	} else {
		vpmc_region_leave(name);
	}
	VPMC_REGION_BARRIER();
}

#endif

/* The library calls it to measure what a region costs. */
void vpmc_region_probe(void);

#define VPMC_REGION_PROBE_ONE	"vpmc_region_probe: one"
#define VPMC_REGION_PROBE_OUTER "vpmc_region_probe: one within another"

/* The library needs it in one of its files. */
#ifndef VPMC_REGION_NO_PROBE
VPMC_REGION_ONE void vpmc_region_probe(void)
{
	vpmc_region_begin(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_ONE);
	vpmc_region_begin(VPMC_REGION_PROBE_OUTER);
	vpmc_region_begin(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_OUTER);
}
#endif

/**
 * vpmc_regions_open() - prepare the calling thread for regions
 * @err: receives the error, or NULL
 *
 * The first region of a thread does that by itself, but cannot report errors.
 * The first time in a process the environment variable VPMC_REGIONS_FILE is read,
 * which "perfex --regions" sets: if it names a file, what the process has
 * collected is appended to it when the process exits by exit(3).
 *
 * Return: 0, the errors of vpmc_open(), VPMC_E_MEMORY.
 */
int vpmc_regions_open(struct vpmc_error *err);

/* What is wrong with the counts of a region, as bits. */
enum vpmc_region_flags {
	VPMC_REGION_NO_INCLUSIVE = 0x1, /* was not counted all the time */
	VPMC_REGION_NO_EXCLUSIVE = 0x2, /* it or a region within it was not */
	VPMC_REGION_OPEN = 0x4, /* has not ended: counts are those so far */
};

/**
 * struct vpmc_region_counts - a region
 * @name: of it
 * @flags: enum vpmc_region_flags bits
 * @calls: how often it was begun
 * @inclusive: events from begin to end; of a region that calls itself only
 *	from the outermost begin to its end
 * @exclusive: those of @inclusive that were not in a region within it; where
 *	it calls itself, all of its own
 */
struct vpmc_region_counts {
	const char *name;
	unsigned int flags;
	uint64_t calls;
	uint64_t inclusive[VPMC_REGION_EVENTS];
	uint64_t exclusive[VPMC_REGION_EVENTS];
};

/**
 * struct vpmc_regions - a table of regions
 * @generation: of the counts
 * @events: how many counts each region has, in the order in which
 *	vpmc_start() was given the events; 0 if nothing was counted
 * @threads: whose regions these are
 * @running: other threads with regions, that have not exited: not in the table
 * @other_events: threads that exited with counts of another generation, or of
 *	other events: not in the table
 * @mismatches: ends that did not match the region begun last
 * @restarts: how often a thread started again from zero; the regions that it had
 *	until then are not in the table
 * @lost: regions that there was no memory for
 * @nr: how many regions there are
 * @region: the regions, in the order in which they were first begun
 */
struct vpmc_regions {
	uint64_t generation;
	unsigned int events;
	unsigned int threads;
	unsigned int running;
	unsigned int other_events;
	unsigned int mismatches;
	unsigned int restarts;
	unsigned int lost;
	size_t nr;
	struct vpmc_region_counts *region;
};

/* How to read, as bits. */
enum vpmc_regions_flags {
	VPMC_REGIONS_NET = 0x1, /* without what the regions themselves cost */
};

/**
 * vpmc_regions_read() - a table of what the regions have counted
 * @regions: receives the table, which the caller gives to vpmc_regions_free()
 * @whose: VPMC_THREAD for the calling thread's, VPMC_SELF for those of it and of
 *	the threads that have exited
 * @flags: enum vpmc_regions_flags bits
 * @err: receives the error, or NULL
 *
 * With VPMC_REGIONS_NET what a begin and an end cost has been subtracted, as it
 * was measured in the thread before its first region: an empty region has 0.
 * What is not subtracted is the cost of changing from one region to another
 * within the same one, which is in the exclusive counts of that one.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_NOT_STARTED (no region was begun),
 * VPMC_E_MEMORY, and the errors of vpmc_regions_open(), if that failed.
 */
int vpmc_regions_read(struct vpmc_regions **regions, enum vpmc_whose whose,
		      unsigned int flags, struct vpmc_error *err);

/**
 * vpmc_regions_free() - give up a table
 * @regions: from vpmc_regions_read(), or NULL
 */
void vpmc_regions_free(struct vpmc_regions *regions);

#ifdef __cplusplus
}
#endif

#endif /* VPMC_REGION_H */

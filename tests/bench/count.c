// SPDX-License-Identifier: GPL-2.0-only
/* This file counts in the calling process, through the driver or by perf_event. */
#include <err.h>
#include <fcntl.h>
#include <linux/vpmc.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../lib/event.h"
#include "count.h"
#include "measure.h"
#include "perf.h"

#ifdef __x86_64__ /* Intel's since Sandy Bridge */
#define INSTRUCTIONS 0xc0
#define BRANCHES     0xc4
#define DATA_READ    0x81d0
#define DATA_WRITE   0x82d0
#else /* the Pentium's */
#define INSTRUCTIONS 0x16
#define BRANCHES     0x12
#define DATA_READ    0x00
#define DATA_WRITE   0x01
#endif

#define RETIRED	   0xc0 /* Intel's since the Pentium Pro: instructions */
#define P4_RETIRED UINT64_C(0x800404000600) /* the same of the Pentium 4 */

/*
 * Make an event of the Pentium 4 from the group of its counters (numbered from 1), the number of
 * its ESCR, and its counter.
 */
#define P4(group, number, counter)                                        \
	EVENT(UINT64_C(number) << 45 | UINT64_C(group) << 32 | 1U << 25 | \
		      1U << 9,                                            \
	      counter, VPMC_MODE_USER)

#define RING_SIZE (64 << 10)

static const struct {
	const char *name;
	__u32 nr;
	struct vpmc_event event[18];
	__u32 flags;
	bool mapped;
	bool perf;
	bool sampled;
} counts[] = {
	[COUNT_NOTHING] = { .name = "nothing" },
	[COUNT_ONE] = { .name = "one",
			.nr = 1,
			.event = { EVENT(INSTRUCTIONS, 0, VPMC_MODE_USER) } },
	[COUNT_TWO] = { .name = "two",
			.nr = 2,
			.event = { EVENT(INSTRUCTIONS, 0, VPMC_MODE_USER),
				   EVENT(BRANCHES, 1, VPMC_MODE_USER) } },
	[COUNT_OTHERS] = { .name = "others",
			   .nr = 2,
			   .event = { EVENT(BRANCHES, 0, VPMC_MODE_USER),
				      EVENT(INSTRUCTIONS, 1,
					    VPMC_MODE_USER) } },
	[COUNT_TWO_ANY] = { .name = "two-any",
			    .nr = 2,
			    .event = { EVENT(INSTRUCTIONS, VPMC_COUNTER_ANY,
					     VPMC_MODE_USER),
				       EVENT(BRANCHES, VPMC_COUNTER_ANY,
					     VPMC_MODE_USER) } },
	[COUNT_KERNEL] = { .name = "kernel",
			   .nr = 1,
			   .event = { EVENT(INSTRUCTIONS, 0,
					    VPMC_MODE_KERNEL) } },
	[COUNT_KERNEL_OTHER] = { .name = "kernel-other",
				 .nr = 1,
				 .event = { EVENT(BRANCHES, 0,
						  VPMC_MODE_KERNEL) } },
	[COUNT_TURNS] = { .name = "turns",
			  .nr = 4,
			  .event = { EVENT(INSTRUCTIONS, 0, VPMC_MODE_USER),
				     EVENT(BRANCHES, 1, VPMC_MODE_USER),
				     EVENT(DATA_READ, 0, VPMC_MODE_USER),
				     EVENT(DATA_WRITE, 1, VPMC_MODE_USER) },
			  .flags = VPMC_START_MULTIPLEX },
	[COUNT_ONE_MAPPED] = { .name = "one-mapped",
			       .nr = 1,
			       .event = { EVENT(INSTRUCTIONS, 0,
						VPMC_MODE_USER) },
			       .mapped = true },
	[COUNT_TWO_MAPPED] = { .name = "two-mapped",
			       .nr = 2,
			       .event = { EVENT(INSTRUCTIONS, 0,
						VPMC_MODE_USER),
					  EVENT(BRANCHES, 1, VPMC_MODE_USER) },
			       .mapped = true },
	[COUNT_NOTHING_MAPPED] = { .name = "nothing-mapped", .mapped = true },
	[COUNT_PERF_ONE] = { .name = "perf-one", .nr = 1, .perf = true },
	[COUNT_PERF_TWO] = { .name = "perf-two", .nr = 2, .perf = true },
	[COUNT_PERF_ONE_MAPPED] = { .name = "perf-one-mapped",
				    .nr = 1,
				    .mapped = true,
				    .perf = true },
	[COUNT_PERF_TWO_MAPPED] = { .name = "perf-two-mapped",
				    .nr = 2,
				    .mapped = true,
				    .perf = true },
	[COUNT_SAMPLED] = { .name = "sampled",
			    .nr = 1,
			    .event = { { .code = RETIRED,
					 .counter = VPMC_COUNTER_ANY,
					 .modes = VPMC_MODE_USER,
					 .period = COUNT_PERIOD } },
			    .flags = VPMC_START_COLLECT,
			    .sampled = true },
	[COUNT_P4_ONE] = { .name = "p4-one",
			   .nr = 1,
			   .event = { P4(4, 2, 12) } },
	[COUNT_P4_FOUR] = { .name = "p4-four",
			    .nr = 4,
			    .event = { P4(4, 2, 12), P4(4, 2, 13), P4(4, 2, 14),
				       P4(4, 2, 15) } },
	[COUNT_P4_ALL] = { .name = "p4-all",
			   .nr = 18,
			   .event = { P4(1, 4, 0), P4(1, 4, 1), P4(1, 4, 2),
				      P4(1, 4, 3), P4(2, 0, 4), P4(2, 0, 5),
				      P4(2, 0, 6), P4(2, 0, 7), P4(3, 0, 8),
				      P4(3, 0, 9), P4(3, 0, 10), P4(3, 0, 11),
				      P4(4, 2, 12), P4(4, 2, 13), P4(4, 2, 14),
				      P4(4, 2, 15), P4(4, 2, 16),
				      P4(4, 2, 17) } },
	[COUNT_P4_ONE_MAPPED] = { .name = "p4-one-mapped",
				  .nr = 1,
				  .event = { P4(4, 2, 12) },
				  .mapped = true },
	[COUNT_P4_SAMPLED] = { .name = "p4-sampled",
			       .nr = 1,
			       .event = { { .code = P4_RETIRED,
					    .counter = VPMC_COUNTER_ANY,
					    .modes = VPMC_MODE_USER,
					    .period = COUNT_PERIOD } },
			       .flags = VPMC_START_COLLECT,
			       .sampled = true },
	[COUNT_PERF_SAMPLED] = { .name = "perf-sampled",
				 .nr = 1,
				 .perf = true,
				 .sampled = true },
};

#define NR_COUNTS (sizeof(counts) / sizeof(counts[0]))

/* The driver does not accept shorter arguments than these. */
static struct vpmc_start start_arg;
static struct vpmc_stop stop_arg;
static struct vpmc_read read_arg;
static struct vpmc_thread_counts plain;
static struct vpmc_map map_arg;

enum count count_named(const char *word)
{
	enum count what;

	for (what = 0; what < NR_COUNTS; what++) {
		if (!strcmp(word, counts[what].name))
			return what;
	}
	errx(2, "'%s' is nothing to count", word);
}

/*
 * This descriptor belongs to one process, because a handle is bound to the process that starts
 * on it.
 */
static int device_fd;
static pid_t device_owner;
static bool device_kept;

static int device(void)
{
	if (!device_kept && device_owner != getpid()) {
		device_fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC);
		if (device_fd < 0)
			err(2, VPMC_DEVICE);
		device_owner = getpid();
	}
	return device_fd;
}

void count_keep(void)
{
	device_kept = device_owner == getpid();
}

/*
 * Close the device. Clear its close-on-exec flag first, because each exec would search for a
 * closed descriptor that still has the flag.
 */
void count_close(void)
{
	if (device_owner == getpid()) {
		fcntl(device_fd, F_SETFD, 0);
		close(device_fd);
	}
	device_owner = 0;
}

static void set_ioctl(unsigned long request, void *arg)
{
	measured_set(SYS_ioctl, device(), (long)request, (long)arg);
}

void count_set_start(enum count what, unsigned int flags)
{
	start_arg.size = offsetof(struct vpmc_start, event[counts[what].nr]);
	start_arg.flags = flags;
	start_arg.nr_events = counts[what].nr;
	memcpy(start_arg.event, counts[what].event, sizeof(counts[what].event));
	set_ioctl(VPMC_START, &start_arg);
}

void count_set_stop(void)
{
	stop_arg.size = sizeof(stop_arg);
	set_ioctl(VPMC_STOP, &stop_arg);
}

unsigned int count_events(enum count what)
{
	return counts[what].nr;
}

uint64_t count_gotten(unsigned int i)
{
	return read_arg.count[i];
}

void count_set_read(enum count what, unsigned int scope)
{
	read_arg.size = offsetof(struct vpmc_read, count[counts[what].nr]);
	read_arg.scope = scope;
	set_ioctl(VPMC_READ, &read_arg);
}

void count_set_plain_read(void)
{
	measured_set(SYS_read, device(), (long)&plain, sizeof(plain));
}

void count_set_map(void)
{
	map_arg.size = sizeof(map_arg);
	set_ioctl(VPMC_MAP, &map_arg);
}

void count_set_cgroup(struct vpmc_cgroup *cgroup)
{
	set_ioctl(VPMC_CGROUP, cgroup);
}

/* This is the ring of the only processor. */
static const volatile struct vpmc_ring *ring;

static void map_ring(void)
{
	struct vpmc_samples arg = { .size = sizeof(arg),
				    .ring_size = RING_SIZE };
	const size_t stride = sizeof(*ring) + RING_SIZE;
	void *memory;

	if (ioctl(device(), VPMC_SAMPLES, &arg))
		err(2, "cannot get rings");
	memory = mmap(NULL, stride, PROT_READ | PROT_WRITE, MAP_SHARED,
		      device_fd, (off_t)stride);
	if (memory == MAP_FAILED)
		err(2, "mmap of a ring");
	ring = memory;
}

uint32_t count_written(enum count what)
{
	return counts[what].perf ? perf_written() : ring->head;
}

uint32_t count_sample_size(enum count what)
{
	return counts[what].perf ? sizeof(struct perf_sample)
				 : sizeof(struct vpmc_sample);
}

void count_start(enum count what)
{
	if (counts[what].perf && counts[what].sampled) {
		perf_start_samples(COUNT_PERIOD);
		return;
	}
	if (counts[what].perf) {
		perf_start(counts[what].nr, counts[what].mapped);
		return;
	}
	if (counts[what].sampled)
		map_ring();
	if (counts[what].nr) {
		count_set_start(what, counts[what].flags);
		if (measured_call())
			errx(2, "cannot start to count");
	}
	if (counts[what].mapped) {
		count_set_map();
		if (measured_call())
			errx(2, "cannot map the page of counts");
	}
}

void count_stop(enum count what)
{
	if (counts[what].perf)
		perf_stop();
	if (counts[what].perf || !counts[what].nr)
		return;
	count_set_stop();
	if (measured_call())
		errx(2, "cannot stop counting");
}

void count_elsewhere(enum count what)
{
	pid_t child = fork();

	if (child < 0)
		err(2, "fork");
	if (child) {
		sched_yield();
		return;
	}
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		err(2, "prctl");
	count_start(what);
	for (;;)
		pause();
}

// SPDX-License-Identifier: GPL-2.0-only
/* This file counts the calling process by perf_event. */
#include <err.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "measure.h"
#include "perf.h"

#define PAGE	     4096
#define SAMPLE_PAGES 16

static const uint64_t events[PERF_MAX] = {
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
};

const volatile struct perf_event_mmap_page *perf_page[PERF_MAX];

static int fds[PERF_MAX];
static unsigned int nr_events;

/* read(2) of a group fills in this structure. */
static struct {
	uint64_t nr;
	uint64_t value[PERF_MAX];
} gotten;

static int open_event(uint64_t event, int group, bool inherit)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = event,
		.read_format = PERF_FORMAT_GROUP,
		/*
		 * The first event of the group starts disabled, so that all events begin at the
		 * same time.
		 */
		.disabled = group < 0,
		.inherit = inherit,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, group,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(2, "perf_event_open");
	return fd;
}

static void map_event(unsigned int i)
{
	void *page = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fds[i], 0);

	if (page == MAP_FAILED)
		err(2, "mmap of an event");
	perf_page[i] = page;
	if (!perf_page[i]->cap_user_rdpmc)
		errx(2, "user mode may not read the event");
}

void perf_start(unsigned int nr, bool mapped)
{
	unsigned int i;

	nr_events = nr;
	for (i = 0; i < nr && i < PERF_MAX; i++) {
		fds[i] = open_event(events[i], i ? fds[0] : -1, !mapped);
		if (mapped)
			map_event(i);
	}
	perf_set_ioctl(PERF_EVENT_IOC_ENABLE);
	if (measured_call())
		errx(2, "cannot start to count");
}

/* This is the page before the samples. */
static const volatile struct perf_event_mmap_page *sample_page;

/*
 * With inherited events, perf_event needs a processor for each ring. There is only one processor.
 */
void perf_start_samples(uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = period,
		.sample_type =
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.inherit = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		/* Nobody is woken up. */
		.watermark = 1,
		.wakeup_watermark = SAMPLE_PAGES * PAGE,
	};
	void *pages;

	fds[0] = (int)syscall(SYS_perf_event_open, &attr, 0, 0, -1,
			      PERF_FLAG_FD_CLOEXEC);
	if (fds[0] < 0)
		err(2, "perf_event_open");
	pages = mmap(NULL, (size_t)(1 + SAMPLE_PAGES) * PAGE,
		     PROT_READ | PROT_WRITE, MAP_SHARED, fds[0], 0);
	if (pages == MAP_FAILED)
		err(2, "mmap of samples");
	sample_page = pages;
}

uint32_t perf_written(void)
{
	return (uint32_t)sample_page->data_head;
}

void perf_stop(void)
{
	unsigned int i = nr_events;

	while (i--) {
		if (perf_page[i])
			munmap((void *)perf_page[i], PAGE);
		perf_page[i] = NULL;
		close(fds[i]);
	}
}

void perf_set_ioctl(unsigned long request)
{
	measured_set(SYS_ioctl, fds[0], (long)request, 0);
}

void perf_set_read(void)
{
	measured_set(SYS_read, fds[0], (long)&gotten,
		     (long)(sizeof(uint64_t) * (1 + nr_events)));
}

uint64_t perf_gotten(unsigned int i)
{
	return gotten.value[i];
}

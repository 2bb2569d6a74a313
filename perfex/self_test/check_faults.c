// SPDX-License-Identifier: GPL-2.0-only
/* Check that page faults do not change the counts of user mode. */
#include "self_test/checks.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "self_test/meter.h"

#define PAGES 64

static volatile char *pages;
static size_t page_size;

static void touch(uint32_t nr)
{
	uint32_t i;

	for (i = 0; i < nr; i++)
		pages[i * page_size] = 1;
}

/*
 * Touch new pages, each of which faults, and touch them again. Read the counts before, because the
 * dynamic linker may look functions up in the first read.
 */
static int compare(struct meter *meter, uint64_t *with, uint64_t *without)
{
	uint64_t counts[METER_EVENTS];
	int failure = count_once(meter, touch, 0, counts);

	if (!failure)
		failure = count_once(meter, touch, PAGES, counts);
	*with = counts[0];
	if (!failure)
		failure = count_least(meter, touch, PAGES, counts);
	*without = counts[0];
	return failure;
}

void check_faults(struct bench *bench, struct verdict *verdict)
{
	uint64_t with = 0, without = 0;
	struct meter meter;

	page_size = (size_t)sysconf(_SC_PAGESIZE);
	pages = mmap(NULL, PAGES * page_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED) {
		give(verdict, CHECK_FAILED, "no memory: %s", strerror(errno));
		return;
	}
	if (open_meter(&meter, &bench->instructions, 1, 0) ||
	    compare(&meter, &with, &without))
		give_error(verdict, &meter.err);
	else if (!judge(bench, verdict, with, without))
		bench->excess = EXCESS;
	close_meter(&meter);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc [CONFIG]: test that user mode can read counters by RDPMC, both general and fixed ones.
 * CONFIG counts each instruction on a general counter.
 */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../guest/lib/check.h"
#include "counter.h"

/* Between two reads there are MOV and seven NOPs. The second read counts them and one RDPMC. */
#define BETWEEN 9

static uint32_t read_twice(uint32_t number)
{
	uint32_t first, second;

	__asm__ volatile("rdpmc\n\tmov %%eax, %1\n\t"
			 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
			 "rdpmc\n\t"
			 : "=&a"(second), "=&r"(first)
			 : "c"(number)
			 : "edx");
	return second - first;
}

/* Count an event on a general counter, and on the event's own fixed counter if there is one. */
static void check_event(const char *name, struct perf_event_attr attr)
{
	long size = sysconf(_SC_PAGESIZE);
	struct perf_event_mmap_page *page;
	int fd;

	attr.disabled = 0;
	fd = counter_open(&attr, 0);
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		err(2, "mmap");
	if (check(page->cap_user_rdpmc && page->index, "%s can be read",
		  name)) {
		uint32_t between = read_twice(page->index - 1);

		check(between == BETWEEN, "%s: %u between two reads of %#x",
		      name, between, page->index - 1);
	}
	munmap(page, size);
	close(fd);
}

/* Each clock has fewer than 16 instructions. */
#define INVERTED 0x108000c0

int main(int argc, char **argv)
{
	uint64_t config = argc > 1 ? strtoull(argv[1], NULL, 0) : INVERTED;

	check_event("instructions", counter_instructions());
	check_event("inverted", counter_raw(config));
	return check_status();
}

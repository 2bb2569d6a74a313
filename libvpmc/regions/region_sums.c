// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Map pages of the file in which perfex finds the sums of regions. vpmc_region_sums.h
 * describes the file.
 */
#include "regions/region_sums.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "regions/region_data.h"
#include "regions/region_descriptor.h"

_Static_assert(VPMC_SUMS_EVENTS == VPMC_REGION_EVENTS, "");
_Static_assert(offsetof(struct vpmc_sums_region, calls) ==
		       offsetof(struct vpmc_region_sums, calls),
	       "");
_Static_assert(offsetof(struct vpmc_sums_region, sum) ==
		       offsetof(struct vpmc_region_sums, sum),
	       "");

static struct region_descriptor descriptor;
static struct vpmc_sums_file *file;

/*
 * These are the page of this process as a whole, and a flag that is set if the process could not
 * get the page.
 */
static struct vpmc_sums_page *whole;
static _Atomic bool has_none;

/* Take a number, and increase it for the next caller. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
static uint32_t take(uint32_t *number)
{
	return __atomic_fetch_add(number, 1, __ATOMIC_RELAXED);
}

void vpmcint_sums_open(void)
{
	void *mapped = MAP_FAILED;
	struct stat status;
	int fd;

	vpmcint_region_open_first(&descriptor, VPMC_SUMS_VARIABLE, O_RDWR);
	/* Pages of the file cannot be mapped if the system's pages are larger. */
	if (!descriptor.path || sysconf(_SC_PAGESIZE) != VPMC_SUMS_PAGE)
		return;
	fd = vpmcint_region_open_again(&descriptor);
	if (fd < 0)
		return;
	if (!fstat(fd, &status) && status.st_size >= (off_t)VPMC_SUMS_PAGE)
		mapped = mmap(NULL, VPMC_SUMS_PAGE, PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	vpmcint_region_close_again(&descriptor, fd);
	if (mapped == MAP_FAILED)
		return;
	file = mapped;
	if (file->magic == VPMC_SUMS_MAGIC)
		return;
	munmap(mapped, VPMC_SUMS_PAGE);
	file = NULL;
}

/*
 * Take the number of a page. Returns 0 if the file is full. Several threads may find this out at
 * the same time.
 */
static uint32_t take_number(void)
{
	uint32_t number = __atomic_load_n(&file->pages, __ATOMIC_RELAXED);

	if (number < VPMC_SUMS_PAGES)
		number = take(&file->pages);
	return number < VPMC_SUMS_PAGES ? number : 0;
}

/*
 * Map a page at *@memory, or anywhere if this is NULL, and store its address in *@memory.
 * Returns the page's number, or 0.
 */
static uint32_t map_page(void **memory)
{
	const int fd = vpmcint_region_open_again(&descriptor);
	const int fixed = *memory ? MAP_FIXED : 0;
	void *mapped = MAP_FAILED;
	uint32_t number;

	if (fd < 0)
		return 0;
	number = take_number();
	/* Populate the page now, so that its page faults do not count in a region. */
	if (number &&
	    vpmcint_region_reserve(fd, (off_t)number * (off_t)VPMC_SUMS_PAGE,
				   VPMC_SUMS_PAGE))
		mapped = mmap(*memory, VPMC_SUMS_PAGE, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_POPULATE | fixed, fd,
			      (off_t)number * (off_t)VPMC_SUMS_PAGE);
	vpmcint_region_close_again(&descriptor, fd);
	if (mapped == MAP_FAILED)
		return 0;
	*memory = mapped;
	return number;
}

static uint32_t *numbers_of(struct vpmc_sums_page *process)
{
	return (uint32_t *)(void *)((char *)process + VPMC_SUMS_FIRST);
}

static void describe_process(struct vpmc_sums_page *page, uint32_t process)
{
	page->pid = getpid();
	prctl(PR_GET_NAME, page->command);
	__atomic_store_n(&page->process, process, __ATOMIC_RELEASE);
}

/*
 * Use a page as the page of the process. Returns the page that all threads use, because
 * another thread may have been faster.
 */
static struct vpmc_sums_page *use_page(struct vpmc_sums_page *page,
				       uint32_t number)
{
	struct vpmc_sums_page *none = NULL;

	numbers_of(page)[0] = number;
	page->taken = 1;
	describe_process(page, take(&file->processes) + 1);
	if (__atomic_compare_exchange_n(&whole, &none, page, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return page;
	vpmcint_sums_drop(page);
	munmap(page, VPMC_SUMS_PAGE);
	return none;
}

/* Returns the page of the whole process, or NULL. */
static struct vpmc_sums_page *whole_process(void)
{
	struct vpmc_sums_page *page = __atomic_load_n(&whole, __ATOMIC_ACQUIRE);
	void *memory = NULL;
	uint32_t number;

	if (page || has_none)
		return page;
	number = map_page(&memory);
	if (number)
		return use_page(memory, number);
	has_none = true;
	return NULL;
}

uint32_t vpmcint_sums_process(void)
{
	const struct vpmc_sums_page *page =
		__atomic_load_n(&whole, __ATOMIC_ACQUIRE);

	return page ? page->process : 0;
}

void vpmcint_sums_miss(void)
{
	if (file && !vpmcint_sums_process())
		take(&file->missing);
}

/*
 * Free the space of a page in the file. Not every file system can do this. The size of
 * the file does not change.
 */
static void make_hole(int fd, uint32_t number)
{
	if (number)
		fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  (off_t)number * (off_t)VPMC_SUMS_PAGE,
			  VPMC_SUMS_PAGE);
}

void vpmcint_sums_give_back(void)
{
	const int fd = whole ? vpmcint_region_open_again(&descriptor) : -1;
	uint32_t at;

	if (fd < 0)
		return;
	at = whole->taken < VPMC_SUMS_MOST ? whole->taken : VPMC_SUMS_MOST;
	/* The numbers are in the first page, which becomes a hole last. */
	while (at--)
		make_hole(fd, numbers_of(whole)[at]);
	vpmcint_region_close_again(&descriptor, fd);
}

void vpmcint_sums_forget(void)
{
	if (whole)
		munmap(whole, VPMC_SUMS_PAGE);
	whole = NULL;
	has_none = false;
}

/*
 * Map a page, and list it in the page of the process. Also returns 0 if the process already has the
 * largest number of pages.
 */
static uint32_t map_listed_page(struct vpmc_sums_page *process, void *memory)
{
	uint32_t at = __atomic_load_n(&process->taken, __ATOMIC_RELAXED);

	if (at < VPMC_SUMS_MOST)
		at = take(&process->taken);
	if (at >= VPMC_SUMS_MOST)
		return 0;
	numbers_of(process)[at] = map_page(&memory);
	return numbers_of(process)[at];
}

uint32_t vpmcint_sums_map(void *memory)
{
	struct vpmc_sums_page *process;
	uint32_t number;

	if (!file)
		return 0;
	process = whole_process();
	if (!process)
		return 0;
	number = map_listed_page(process, memory);
	if (!number)
		__atomic_fetch_add(&process->lost, 1, __ATOMIC_RELAXED);
	return number;
}

void vpmcint_sums_describe(const struct region_thread *thread,
			   struct vpmc_sums_page *page, uint32_t tree)
{
	unsigned int i;

	page->tree = tree;
	page->counts = thread->events;
	page->events = thread->set.nr;
	for (i = 0; i < thread->set.nr && i < VPMC_SUMS_EVENTS; i++) {
		page->event[i].code = thread->set.sel[i].code;
		page->event[i].counter = thread->set.sel[i].counter;
		page->event[i].modes = thread->set.sel[i].modes;
	}
	for (i = 0; i < thread->events; i++) {
		page->own[i] = thread->own[i];
		page->pair[i] = thread->pair[i];
	}
	describe_process(page, vpmcint_sums_process());
}

void vpmcint_sums_drop(struct vpmc_sums_page *page)
{
	__atomic_store_n(&page->process, 0, __ATOMIC_RELEASE);
}

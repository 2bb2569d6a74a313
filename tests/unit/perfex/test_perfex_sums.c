// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests how perfex --regions reads the file of the sums of regions, with any
 * contents.
 */
#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vpmc_region_sums.h>

#include "regions/regions_sums.h"
#include "util/perfex.h"

#define PAGES 4U

/* These are the contents of the file. */
static union {
	struct vpmc_sums_page page;
	char bytes[VPMC_SUMS_PAGE];
	uint32_t words[VPMC_SUMS_PAGE / 4];
} file[PAGES];

/* This is the size of the file in bytes. */
static size_t size;

/* The next region is added at this position. */
static uint64_t next;

static struct regions_left left;
static struct events events;
static char *text;

static void print(FILE *out, const struct region_line *line, void *arg)
{
	fprintf(out, "%" PRIu64 " %s: %" PRIu64, line->pid, line->name,
		line->calls);
	if (line->has_inclusive)
		fprintf(out, " %" PRIu64 " %" PRIu64, line->raw[0][0],
			line->net[0][0]);
	if (line->has_exclusive)
		fprintf(out, ", %" PRIu64 " %" PRIu64, line->raw[0][1],
			line->net[0][1]);
	fputc('\n', out);
}

/* Let perfex read the file, together with lines that processes have left. */
static int read_after(const char *lines)
{
	const int from = memfd_create("lines", MFD_CLOEXEC);
	const int fd = memfd_create("sums", MFD_CLOEXEC);
	size_t length;
	int status;

	assert_true(from >= 0 && fd >= 0);
	assert_int_equal(write(from, lines, strlen(lines)), strlen(lines));
	assert_int_equal(write(fd, file, size), size);
	free(text);
	left = (struct regions_left){ .events = &events, .print = print };
	left.out = open_memstream(&text, &length);
	assert_int_equal(parse_regions(&left, from), 0);
	status = add_sums(&left, fd);
	fclose(left.out);
	close(from);
	close(fd);
	return status;
}

static void check(const char *lines, const char *expected)
{
	assert_int_equal(read_after(lines), 0);
	assert_string_equal(text, expected);
	assert_false(left.no_memory);
	free_regions(&left);
}

static void begin_page(unsigned int number, uint32_t process, uint32_t tree)
{
	struct vpmc_sums_page *page = &file[number].page;

	memset(page, 0, VPMC_SUMS_PAGE);
	page->process = process;
	page->pid = 70 + (int32_t)process;
	page->tree = tree;
	page->counts = 1;
	page->events = 1;
	page->event[0].code = 0x16;
	page->event[0].modes = VPMC_USER;
	page->own[0] = 1;
	page->pair[0] = 10;
	next = (uint64_t)number * VPMC_SUMS_PAGE + VPMC_SUMS_FIRST;
}

static struct vpmc_sums_region *at(uint64_t place)
{
	return (void *)&file[place / VPMC_SUMS_PAGE]
		.bytes[place % VPMC_SUMS_PAGE];
}

/* Add a sum. Return its position. */
static uint64_t add(const char *name, uint64_t parent, uint64_t calls,
		    uint64_t sum)
{
	struct vpmc_sums_region *region = at(next);
	const uint64_t place = next;

	region->calls = calls;
	region->sum[0] = sum;
	region->parent = parent;
	region->size = 96;
	memcpy(region->name, name, strlen(name) + 1);
	next += region->size;
	return place;
}

/* Make three pages of a process: one of the process, and two of a thread. */
static int setup(void **state)
{
	size = sizeof(file);
	events.nr = 1;
	events.sel[0] = (struct vpmc_event_sel){ 0x16, 0, VPMC_USER };
	memset(file, 0, sizeof(file));
	begin_page(1, 1, 0);
	begin_page(3, 1, 2);
	begin_page(2, 1, 2);
	return 0;
}

static void counts_are_folded(void **state)
{
	uint64_t outer, inner;

	outer = add("outer", 0, 2, 1000);
	inner = add("in\nner", outer, 3, 603);
	/* Let the region "outer" call itself. */
	next = 3UL * VPMC_SUMS_PAGE + VPMC_SUMS_FIRST;
	add("outer", inner, 1, 101);
	add("in\nner", 0, 1, 51);
	check("", "71 outer: 3 1000 958, 498 468\n"
		  "71 in?ner: 4 654 640, 553 540\n");
	assert_int_equal(left.processes, 1);
}

static void who_has_left_its_regions_is_left_out(void **state)
{
	add("region", 0, 1, 100);
	check("\nprocess 5 1 0 0 0 0 0 0 a\nregion - 2 4 3 2 1 x\nend 5 1 1\n",
	      "5 x: 2 4 2, 3 1\n");
	/*
	 * The lines belong to another process of the file, or lack a region. So perfex uses the
	 * sums.
	 */
	check("\nprocess 5 1 0 0 0 0 0 0 a\nend 5 0 2\n",
	      "71 region: 1 100 99, 100 99\n");
	check("\nprocess 71 1 0 0 0 0 0 0 a\nend 71 1 1\n",
	      "71 region: 1 100 99, 100 99\n");
}

/* perfex finds the starts of all programs that a process has executed. */
static void starts_are_found(void **state)
{
	add("region", 0, 1, 100);
	read_after("\nstart 71 a\n\nstart 71 b\n"
		   "\nprocess 71 1 0 0 0 0 0 0 b\nend 71 0 2\n");
	assert_true(left.first->left);
	assert_true(left.last->left);
	free_regions(&left);
}

static void what_is_open_has_no_counts(void **state)
{
	uint64_t outer, inner;

	outer = add("outer", 0, 1, (uint64_t)-1000);
	inner = add("inner", outer, 1, 51);
	at(add("broken", inner, 1, 9))->is_broken = 1;
	check("", "71 outer: 1\n71 inner: 1 51 40\n71 broken: 1\n");
	assert_int_equal(left.sum.unread, 1);
	/* A signal handler has interrupted the subtraction. */
	at(outer)->sum[0] = (uint64_t)-1000 ^ VPMC_SUMS_INTERRUPTED;
	at(inner)->sum[0] = 51 ^ VPMC_SUMS_INTERRUPTED;
	check("", "71 outer: 1\n71 inner: 1 51 40\n71 broken: 1\n");
	/* With two events, the second one is subtracted first. */
	events.nr = 2;
	events.sel[1] = (struct vpmc_event_sel){ 0x12, 1, VPMC_USER };
	file[2].page.counts = 2;
	file[2].page.events = 2;
	file[2].page.event[1].code = 0x12;
	file[2].page.event[1].counter = 1;
	file[2].page.event[1].modes = VPMC_USER;
	at(outer)->sum[0] = 100;
	at(outer)->sum[1] = (uint64_t)-5;
	check("", "71 outer: 1\n71 inner: 1 51 40\n71 broken: 1\n");
}

static void other_events_are_told(void **state)
{
	add("region", 0, 1, 100);
	begin_page(3, 1, 3);
	add("other", 0, 1, 100);
	file[3].page.event[0].code = 0x12;
	file[1].page.lost = 4;
	check("", "71 region: 1 100 99, 100 99\n");
	assert_int_equal(left.sum.other_events, 1);
	assert_int_equal(left.sum.lost, 4);
	/* None of the events is counted by perfex. */
	file[2].page.event[0].code = 0x12;
	check("", "");
	assert_int_equal(left.others, 1);
}

static void numbers_are_checked(void **state)
{
	static const uint32_t sizes[] = { 0, 16, 48, 72, 4096, 0xfffffff0 };
	uint64_t first, second;
	size_t i;

	first = add("first", 0, 1, 100);
	second = add("second", first, 1, 50);
	/*
	 * The parent is a later entry, the entry itself, in another page, in the middle of an
	 * entry, or outside of the file.
	 */
	for (i = 0; i < 5; i++) {
		const uint64_t parents[] = { second, first, 4096, first + 16,
					     UINT64_MAX };

		at(first)->parent = parents[i];
		check("", "71 first: 1 100 89, 50 40\n"
			  "71 second: 1 50 49, 50 49\n");
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		at(second)->size = sizes[i];
		check("", "71 first: 1 100 99, 100 99\n");
	}
	at(second)->size = (uint32_t)(VPMC_SUMS_PAGE - second % VPMC_SUMS_PAGE);
	memset(at(second)->name, 'x', at(second)->size - sizeof(*at(second)));
	assert_int_equal(read_after(""), 0);
	assert_int_equal(left.sum.unread, 0);
	free_regions(&left);
	file[2].page.counts = 5;
	check("", "");
	file[2].page.counts = 1;
	file[2].page.events = 2;
	check("", "");
}

static void a_file_may_be_short(void **state)
{
	add("region", 0, 1, 100);
	size = 3UL * VPMC_SUMS_PAGE;
	check("", "71 region: 1 100 99, 100 99\n");
	size--;
	check("", "");
	size = 0;
	check("", "");
}

static void a_file_that_cannot_be_read_is_told(void **state)
{
	const int fd = open("/", O_RDONLY | O_CLOEXEC);

	left = (struct regions_left){ .events = &events, .print = print };
	assert_int_equal(fd < 0, 0);
	close(fd);
	assert_int_equal(add_sums(&left, -1), PERFEX_SYSTEM);
}

/* The sanitizers report reads outside of the file. */
static void anything_may_be_in_it(void **state)
{
	unsigned int turn, i;

	srandom(1);
	for (turn = 0; turn < 300; turn++) {
		for (i = 0; i < PAGES * VPMC_SUMS_PAGE / 4; i++)
			file[i / 1024].words[i % 1024] =
				(uint32_t)random() >> random() % 32;
		for (i = 1; i < PAGES; i++) {
			file[i].page.process = 1 + (uint32_t)random() % 2;
			file[i].page.counts = (uint32_t)random() % 5;
			file[i].page.events = 0;
			next = i * (uint64_t)VPMC_SUMS_PAGE + VPMC_SUMS_FIRST;
			while (next % VPMC_SUMS_PAGE > 100 &&
			       next % VPMC_SUMS_PAGE < 3900) {
				at(next)->size =
					64 + (uint32_t)random() % 9 * 16;
				at(next)->parent =
					next - (uint64_t)random() % 9 * 16;
				next += at(next)->size;
			}
		}
		assert_int_equal(read_after(""), 0);
		free_regions(&left);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(counts_are_folded, setup),
	cmocka_unit_test_setup(who_has_left_its_regions_is_left_out, setup),
	cmocka_unit_test_setup(starts_are_found, setup),
	cmocka_unit_test_setup(what_is_open_has_no_counts, setup),
	cmocka_unit_test_setup(other_events_are_told, setup),
	cmocka_unit_test_setup(numbers_are_checked, setup),
	cmocka_unit_test_setup(a_file_may_be_short, setup),
	cmocka_unit_test_setup(a_file_that_cannot_be_read_is_told, setup),
	cmocka_unit_test_setup(anything_may_be_in_it, setup),
};

UNIT_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests profiles: the mappings of processes at the time of each sample, the sums of
 * samples, their accuracy, and the table.
 */
#include "unit.h"

#include <inttypes.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/collection.h"
#include "profile/present.h"
#include "profile/profile_table.h"
#include "profile/rows.h"
#include "profile/share.h"
#include "run_perfex.h"

static struct collection collection;

static int set_up(void **state)
{
	return begin_collection(&collection) ? 0 : -1;
}

static int tear_down(void **state)
{
	end_collection(&collection);
	return 0;
}

static void exec(uint32_t pid, const char *name)
{
	const struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_EXEC,
						   .pid = pid,
						   .text = name };

	collect(&record, &collection);
}

static void fork_as(uint64_t number, uint32_t parent)
{
	const struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_FORK,
						   .pid = parent,
						   .number = number };

	collect(&record, &collection);
}

static void be_born(uint64_t number, uint32_t pid)
{
	const struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_BORN,
						   .pid = pid,
						   .number = number };

	collect(&record, &collection);
}

/* Map a file, or other memory if @path does not begin with a slash. */
static void map(uint32_t pid, uint64_t begin, uint64_t end, uint64_t offset,
		const char *path)
{
	const struct vpmc_sample_record record = {
		.kind = VPMC_SAMPLE_MAP,
		.pid = pid,
		.address = begin,
		.end = end,
		.offset = offset,
		.inode = *path == '/' ? 1 : 0,
		.device_major = 8,
		.text = path,
	};

	collect(&record, &collection);
}

/* Map a file again at the time stamp @tsc. Returns when it was first mapped. */
static uint64_t map_at(uint64_t tsc)
{
	const struct vpmc_sample_record record = {
		.kind = VPMC_SAMPLE_MAP,
		.tsc = tsc,
		.pid = 1,
		.end = 0x1000,
		.inode = 1,
		.text = "/prog",
	};

	collect(&record, &collection);
	return collection.names.object[collection.names.nr - 1].mapped;
}

static void sample_from(uint32_t pid, uint64_t address, int is_kernel)
{
	const struct vpmc_sample_record record = { .pid = pid,
						   .is_kernel = is_kernel,
						   .address = address };

	collect(&record, &collection);
}

static void sample(uint32_t pid, uint64_t address)
{
	sample_from(pid, address, 0);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Fail the test unless these are the spots, as "PROGRAM REGION OBJECT+OFFSET SAMPLES" in order. */
static void check_spots(const char *expected)
{
	const struct object *object = collection.names.object;
	const struct spots *spots = &collection.spots;
	char line[32][80], text[32 * 80] = "", *end = text;
	size_t i, nr = 0;

	for (i = 0; i < spots->room; i++) {
		const struct spot *spot = &spots->slot[i];

		if (!spot->samples)
			continue;
		assert_true(nr < 32);
		snprintf(line[nr++], sizeof(line[0]),
			 "%s %s%s%s+%" PRIx64 " %" PRIu64 "\n",
			 object[spot->program].name,
			 spot->region ? object[spot->region - 1].name : "",
			 spot->region ? " " : "", object[spot->object].name,
			 spot->offset, spot->samples);
	}
	assert_int_equal(nr, spots->nr);
	qsort(line, nr, sizeof(line[0]), compare_lines);
	for (i = 0; i < nr; i++)
		end = stpcpy(end, line[i]);
	assert_string_equal(text, expected);
}

static void a_sample_belongs_to_the_file_that_is_mapped(void **state)
{
	exec(1, "prog");
	map(1, 0x1000, 0x3000, 0x500, "/bin/prog");
	map(1, 0x8000, 0x9000, 0, "/lib/c");
	sample(1, 0x1000);
	sample(1, 0x2fff);
	sample(1, 0x2fff);
	sample(1, 0x3000);
	sample(1, 0x0fff);
	sample(1, 0x8010);
	sample(2, 0x1000);
	check_spots("[unknown] [unknown]+0 1\n"
		    "prog /bin/prog+24ff 2\n"
		    "prog /bin/prog+500 1\n"
		    "prog /lib/c+10 1\n"
		    "prog [unknown]+0 2\n");
	assert_int_equal(collection.event[0].nr, 7);
	assert_int_equal(collection.event[0].unknown, 3);
}

/*
 * A new mapping replaces the parts of mappings that it overlaps. The remaining parts keep their
 * offsets.
 */
static void a_mapping_replaces_what_it_overlaps(void **state)
{
	exec(1, "prog");
	map(1, 0x1000, 0x9000, 0x10000, "/a");
	map(1, 0x3000, 0x5000, 0, "/b");
	sample(1, 0x2fff);
	sample(1, 0x3000);
	sample(1, 0x4fff);
	sample(1, 0x5000);
	map(1, 0x4000, 0x6000, 0x100, "/c");
	sample(1, 0x3fff);
	sample(1, 0x4000);
	sample(1, 0x6000);
	map(1, 0, 0x20000, 0, "/d");
	sample(1, 0x3fff);
	check_spots("prog /a+11fff 1\n"
		    "prog /a+14000 1\n"
		    "prog /a+15000 1\n"
		    "prog /b+0 1\n"
		    "prog /b+1fff 1\n"
		    "prog /b+fff 1\n"
		    "prog /c+100 1\n"
		    "prog /d+3fff 1\n");
}

/*
 * A child has the mappings that its parent had at the fork. Later changes affect only one of the
 * two.
 */
static void a_fork_copies_and_an_exec_clears(void **state)
{
	exec(1, "shell");
	map(1, 0x1000, 0x2000, 0, "/bin/sh");
	fork_as(7, 1);
	map(1, 0x7000, 0x8000, 0, "/later");
	be_born(7, 2);
	sample(2, 0x7000);
	sample(2, 0x1001);
	map(1, 0x1000, 0x2000, 0, "/parent");
	map(2, 0x5000, 0x6000, 0, "/child");
	sample(1, 0x1002);
	sample(2, 0x1002);
	sample(1, 0x5000);
	sample(2, 0x5000);
	exec(2, "ls");
	sample(2, 0x1003);
	map(2, 0x1000, 0x2000, 0, "/bin/ls");
	sample(2, 0x1003);
	/* The number of a process can be used again. */
	fork_as(8, 1);
	be_born(8, 2);
	sample(2, 0x1004);
	fork_as(9, 99);
	be_born(9, 3);
	sample(3, 0x1004);
	be_born(10, 4);
	sample(4, 0x1004);
	assert_int_equal(collection.spaces.nr, 4);
	check_spots("? [unknown]+0 2\n"
		    "ls /bin/ls+3 1\n"
		    "ls [unknown]+0 1\n"
		    "shell /bin/sh+1 1\n"
		    "shell /bin/sh+2 1\n"
		    "shell /child+0 1\n"
		    "shell /parent+2 1\n"
		    "shell /parent+4 1\n"
		    "shell [unknown]+0 2\n");
}

static void memory_without_a_file_has_addresses(void **state)
{
	exec(1, "java");
	map(1, 0x1000, 0x2000, 0x77, "");
	map(1, 0x3000, 0x4000, 0, "[vdso]");
	sample(1, 0x1004);
	sample(1, 0x3004);
	sample_from(1, 0xffffffff80001000, 1);
	check_spots("java +1004 1\n"
		    "java [kernel]+ffffffff80001000 1\n"
		    "java [vdso]+3004 1\n");
	assert_int_equal(collection.event[0].unknown, 0);
}

static void sample_called(uint64_t address, int is_kernel,
			  const uint64_t *callers, unsigned int nr)
{
	const struct vpmc_sample_record record = {
		.pid = 1,
		.is_kernel = is_kernel,
		.address = address,
		.caller = callers,
		.nr_callers = nr,
		.callers_end =
			nr < 3 ? VPMC_CALLERS_OUTERMOST : VPMC_CALLERS_DEPTH,
	};

	collect(&record, &collection);
}

/* Fail the test unless a spot has these callers, as " OBJECT+OFFSET" each, the innermost first. */
static void check_callers(uint64_t offset, uint64_t samples,
			  const char *expected)
{
	const struct spots *spots = &collection.spots;
	char text[256] = "";
	const struct spot *spot = spots->slot;
	uint32_t id;

	while (spot->samples != samples || spot->offset != offset)
		assert_true(++spot < spots->slot + spots->room);
	for (id = spot->callers; id;) {
		const struct caller *caller = &collection.stacks.caller[id - 1];

		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 " %s+%" PRIx64,
			 collection.names.object[caller->object].name,
			 caller->offset);
		id = caller->next;
	}
	assert_string_equal(text, expected);
}

/*
 * The address of a call is the last byte before its return address, but the address of a kernel
 * entry is the address at which the program continues. Equal callers are kept once.
 */
static void samples_have_callers(void **state)
{
	static const uint64_t callers[] = { 0x1100, 0x1200, 0x9999 };

	exec(1, "prog");
	map(1, 0x1000, 0x2000, 0, "/a");
	sample_called(0x1010, 0, callers, 2);
	sample_called(0x1010, 0, callers, 2);
	sample_called(0x1010, 0, callers + 1, 1);
	sample_called(0x1020, 0, callers + 1, 1);
	sample_called(0x1030, 0, callers, 3);
	sample_called(0xffffffff80001000, 1, callers, 2);
	check_callers(0x10, 2, " /a+ff /a+1ff");
	check_callers(0x10, 1, " /a+1ff");
	check_callers(0x20, 1, " /a+1ff");
	check_callers(0x30, 1, " /a+ff /a+1ff [unknown]+0");
	check_callers(0xffffffff80001000, 1, " /a+100 /a+1ff");
	assert_int_equal(collection.stacks.nr, 6);
	assert_int_equal(collection.event[0].cut, 1);
}

/* Processes without a number in this PID namespace are not mixed up with each other. */
static void processes_of_other_namespaces_are_unknown(void **state)
{
	exec(0, "hidden");
	map(0, 0x1000, 0x2000, 0, "/hidden");
	fork_as(5, 0);
	be_born(5, 0);
	sample(0, 0x1000);
	check_spots("[unknown] [unknown]+0 1\n");
}

/* Fork each of the first processes. Processes with odd numbers are born first. */
/* The time of a mapping is between the begin of the collection and now. */
static void a_file_has_the_time_of_its_first_mapping(void **state)
{
	const uint64_t now = collection.begin.time, tsc = collection.begin.tsc;
	uint64_t first;

	/* Let the collection have begun 1000 s and 2^40 clocks ago. */
	collection.begin.time -= UINT64_C(1000000000000);
	collection.begin.tsc -= UINT64_C(1) << 40;
	assert_in_range(map_at(UINT64_MAX) - now, 0, 60000000000);
	first = map_at(tsc - (UINT64_C(1) << 38));
	assert_in_range(now - first, 240000000000, 260000000000);
	assert_int_equal(map_at(tsc), first);
	assert_int_equal(map_at(0), collection.begin.time);
}

static void fork_many(uint32_t nr)
{
	uint32_t i;

	for (i = 1; i <= nr; i++) {
		fork_as(i, i);
		if (i % 2)
			be_born(i, i + nr);
	}
	assert_int_equal(collection.spaces.nr, 2 * nr);
	for (i = 2; i <= nr; i += 2)
		be_born(i, i + nr);
	for (i = 1; i <= nr; i++)
		sample(i + nr, 0x1000 + i % 16);
}

/* The tables become larger many times. */
static void many_processes_and_files_are_kept_apart(void **state)
{
	char path[32];
	uint32_t i;

	for (i = 1; i <= 3000; i++) {
		snprintf(path, sizeof(path), "/bin/%u", i);
		exec(i, path + 5);
		map(i, 0x1000, 0x2000, 0, path);
	}
	for (i = 1; i <= 3000; i++)
		sample(i, 0x1000 + i % 16);
	fork_many(3000);
	assert_int_equal(collection.spots.nr, 3000);
	assert_int_equal(collection.spaces.nr, 6000);
	assert_int_equal(collection.event[0].nr, 6000);
	assert_int_equal(collection.names.nr,
			 NR_SPECIAL_OBJECTS + 2 * 3000 + 1);
	assert_int_equal(collection.event[0].unknown, 0);
	assert_int_equal(collection.forgotten, 0);
}

static void sample_at(uint64_t tsc, uint32_t tid)
{
	const struct vpmc_sample_record record = {
		.pid = 1, .tid = tid, .tsc = tsc, .address = 0x1000 + tsc
	};

	collect(&record, &collection);
}

static void exec_at(uint64_t tsc)
{
	const struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_EXEC,
						   .pid = 1,
						   .tid = 1,
						   .tsc = tsc,
						   .text = "next" };

	collect(&record, &collection);
	map(1, 0x1000, 0x2000, 0, "/next");
}

static void change(int tid, uint64_t stamp, const char *region)
{
	const struct region_change is = {
		.pid = 1, .tid = tid, .stamp = stamp, .region = region
	};

	note_region(&is, &collection);
}

/*
 * The changes become known after the samples. If several changes have the same time stamp, the
 * last change applies.
 */
static void a_sample_belongs_to_the_innermost_region(void **state)
{
	static const uint64_t times[] = { 9, 10, 20, 30, 39, 40, 45, 60, 61 };
	size_t i;

	collection.with_regions = true;
	exec(1, "prog");
	map(1, 0x1000, 0x2000, 0, "/prog");
	sample_at(15, 2);
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		if (times[i] == 60)
			exec_at(60);
		sample_at(times[i], 1);
	}
	assert_int_equal(collection.spots.nr, 0);
	change(2, 11, "other");
	change(2, 12, NULL);
	change(1, 10, "outer");
	change(1, 20, "passed");
	change(1, 20, "inner");
	change(1, 30, "outer");
	change(1, 40, NULL);
	change(1, 41, "left by exec");
	find_regions(&collection);
	check_spots("next /next+3c 1\n"
		    "next /next+3d 1\n"
		    "prog /prog+28 1\n"
		    "prog /prog+9 1\n"
		    "prog /prog+f 1\n"
		    "prog inner /prog+14 1\n"
		    "prog left by exec /prog+2d 1\n"
		    "prog outer /prog+1e 1\n"
		    "prog outer /prog+27 1\n"
		    "prog outer /prog+a 1\n");
	assert_int_equal(collection.forgotten, 0);
}

static const struct {
	const char *line;
	int is_executable;
	const char *name;
} mappings[] = {
	{ "1000-3000 r-xp 00000500 103:0a 77                 /a b", 1, "/a b" },
	{ "1000-3000 rwxp 00000500 103:0a 77", 1, "" },
	{ "1000-3000 --xp 00000500 103:0a 77   [vdso]", 1, "[vdso]" },
	{ "1000-3000 r-xp 00000500 103:0a 77 /a\\012b\\040 (deleted)", 1,
	  "/a\nb\\040 (deleted)" },
	{ "1000-3000 rw-p 00000500 103:0a 77 /data", 0, NULL },
	{ "1000-3000", 0, NULL },
	{ "", 0, NULL },
};

static void lines_of_maps_are_mappings(void **state)
{
	struct vpmc_sample_record record;
	char line[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mappings); i++) {
		snprintf(line, sizeof(line), "%s", mappings[i].line);
		assert_int_equal(parse_mapping(line, &record),
				 mappings[i].is_executable);
		if (!mappings[i].is_executable)
			continue;
		assert_string_equal(record.text, mappings[i].name);
		assert_int_equal(record.address, 0x1000);
		assert_int_equal(record.end, 0x3000);
		assert_int_equal(record.offset, 0x500);
		assert_int_equal(record.device_major, 0x103);
		assert_int_equal(record.device_minor, 0xa);
		assert_int_equal(record.inode, 77);
	}
}

/*
 * The mappings of the test's program, and of memory that is not a file, are known without
 * records.
 */
static void a_running_process_has_its_mappings(void **state)
{
	const int protection = PROT_READ | PROT_EXEC;
	void *memory = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	const uint32_t pid = (uint32_t)getpid();
	char text[256];

	assert_true(read_process(&collection, getpid()));
	sample(pid, (uintptr_t)memory + 16);
	snprintf(text, sizeof(text), "test_profile +%" PRIxPTR " 1\n",
		 (uintptr_t)memory + 16);
	check_spots(text);
	sample(pid, (uintptr_t)a_running_process_has_its_mappings);
	assert_int_equal(collection.spots.nr, 2);
	assert_int_equal(collection.event[0].unknown, 0);
	munmap(memory, 4096);
	/* There is no such process. */
	assert_true(read_process(&collection, 0));
}

/* Only instructions need memory, not the number of their samples. */
static void samples_need_no_memory(void **state)
{
	struct mallinfo2 before;
	uint32_t i;

	exec(1, "prog");
	map(1, 0x1000, 0x100000, 0, "/prog");
	for (i = 0; i < 30000; i++)
		sample(1, 0x1000 + i);
	before = mallinfo2();
	for (i = 0; i < 300000; i++)
		sample(1, 0x1000 + i % 30000);
	assert_int_equal(mallinfo2().uordblks + mallinfo2().hblkhd,
			 before.uordblks + before.hblkhd);
	/* At most four fifths of the slots are in use, and their number is a power of two. */
	assert_int_equal(collection.spots.room, 65536);
	assert_true(sizeof(struct spot) <= 40);
	assert_int_equal(collection.event[0].nr, 330000);
}

static const struct {
	uint64_t part;
	uint64_t whole;
	double error;
} errors[] = {
	/* Wilson's interval of 50 of 100 is 0.4038 to 0.5962. */
	{ 50, 100, 0.0962 },
	{ 5000, 10000, 0.0098 },
	/* The intervals of 0 of 100, and of 100 of 100, have a width of 0.0370. */
	{ 0, 100, 0.0370 },
	{ 100, 100, 0.0370 },
	/* The interval of 1 of 1 is 0.2065 to 1. */
	{ 1, 1, 0.7935 },
	/* The interval of 5 of 50 is 0.0435 to 0.2136. */
	{ 5, 50, 0.1136 },
};

static void the_error_is_that_of_a_binomial_distribution(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(errors); i++)
		assert_true(fabs(share_error(errors[i].part, errors[i].whole) -
				 errors[i].error) < 0.0001);
}

static char *printed;

static const char *print(const struct profile_report *report)
{
	size_t size;
	FILE *out;

	free(printed);
	out = open_memstream(&printed, &size);
	print_profile(out, report);
	fclose(out);
	return printed;
}

static struct events two_events(void)
{
	struct events events = { .pmu = vpmc_pmu_find("p5"), .nr = 3 };

	events.sel[0] = (struct vpmc_event_sel){ 0x16, 0, VPMC_USER };
	events.sel[1] = (struct vpmc_event_sel){ 0x12, 1, VPMC_USER };
	events.sel[2] = (struct vpmc_event_sel){ 0x12, 1, VPMC_USER };
	events.period[0] = 1000;
	events.period[2] = 5000;
	return events;
}

static struct row make_row(const char *program, const char *object,
			   const char *function, uint64_t samples)
{
	return (struct row){ .program = program,
			     .object = object,
			     .function = function,
			     .samples = samples,
			     .weight = samples };
}

static const char table_of_functions[] =
	"# profile of instructions_executed:u, a sample every 1000"
	" events\n"
	"# share                samples  function  object          "
	"                  program\n"
	" 50.00% +-  3.09%         500  half      /bin/prog       "
	"                  prog\n"
	" 30.00% +-  2.91%         300  a_third\\x1b  /bin/prog       "
	"                  prog\n"
	" 19.20% +-  2.56%         192  fifth     /usr/lib/very/long/"
	"path/to/libother.so.3  other\n"
	"  0.50% +-  0.67%           5  -         [anonymous]     "
	"                  prog\n"
	"  0.30% +-  0.58%           3  2 more with less than 0.5%"
	" each\n"
	"# 1000 samples, at most 1003 expected from 1003999 events\n"
	"# 4 of them are late: a switch or tick noticed them, and they"
	" are where the program was then\n"
	"# 1 of them are in memory of which no mapping is known\n"
	"# profile of branches:u, a sample every 5000 events\n"
	"# 0 samples, at most 0 expected from 4999 events\n"
	"# 3 samples are lost: there was no room for them\n"
	"# 9 samples are hidden: they are of programs that perfex may"
	" not watch\n"
	"# 2 changes of mappings are lost, so that samples may have a"
	" wrong place\n"
	"# 24 bytes are not records that this perfex knows\n"
	"# 6 records are missing: perfex had no memory for them\n"
	"# /bin/x: has no names\n";

static void the_table_lists_functions_by_samples(void **state)
{
	const struct events events = two_events();
	const uint64_t counts[] = { 1003999, 7, 4999 };
	struct row row[] = {
		make_row("prog", "/bin/prog", "half", 500),
		make_row("prog", "/bin/prog", "a_third\033", 300),
		make_row("other", "/usr/lib/very/long/path/to/libother.so.3",
			 "fifth", 192),
		make_row("prog", "[anonymous]", NULL, 5),
		make_row("prog", "/bin/prog", "small", 2),
		make_row("prog", "/bin/prog", "tiny", 1),
	};
	struct nameless nameless[] = { { "/bin/x", "has no names" } };
	const struct rows rows = { .row = row,
				   .nr = ARRAY_SIZE(row),
				   .nameless = nameless,
				   .nr_nameless = 1 };
	const struct profile_report report = {
		.events = &events,
		.counts = counts,
		.collection = &collection,
		.rows = &rows,
		.lost = { .samples = 3,
			  .changes = 2,
			  .hidden = 9,
			  .invalid = 24 },
	};

	collection.event[0] =
		(struct event_samples){ .nr = 1000, .late = 4, .unknown = 1 };
	collection.forgotten = 6;
	assert_string_equal(print(&report), table_of_functions);
	free(printed);
	printed = NULL;
}

/* A precise sample is late if the processor has not recorded its address. */
static void late_samples_have_their_reason(void **state)
{
	struct events events = two_events();
	const uint64_t counts[] = { 2000, 0, 0 };
	const struct rows rows = { .nr = 0 };
	const struct profile_report report = {
		.events = &events,
		.counts = counts,
		.collection = &collection,
		.rows = &rows,
	};

	collection.event[0] = (struct event_samples){ .nr = 2, .late = 1 };
	assert_non_null(strstr(print(&report),
			       "1 of them are late: a switch or tick noticed"));
	events.sel[0].modes |= VPMC_PRECISE;
	assert_non_null(strstr(print(&report),
			       "1 of them are late: the processor has not"
			       " recorded their addresses, and"));
	free(printed);
	printed = NULL;
}

/*
 * Samples of the same function are added up. In files without names, all samples of a file are
 * added up.
 */
static void rows_are_functions_of_programs(void **state)
{
	struct symbols *symbols = symbols_open();
	struct rows rows;
	size_t i;

	exec(1, "prog");
	map(1, 0x1000, 0x2000, 0, "/nowhere/prog");
	map(1, 0x3000, 0x4000, 0, "");
	map(1, 0x5000, 0x6000, 0, "");
	for (i = 0; i < 6; i++)
		sample(1, 0x1000 + i);
	sample(1, 0x3000);
	sample(1, 0x5000);
	assert_true(make_rows(&rows, PROFILE_FUNCTIONS, &collection, symbols));
	assert_int_equal(rows.nr, 2);
	assert_string_equal(rows.row[0].object, "/nowhere/prog");
	assert_string_equal(rows.row[0].program, "prog");
	assert_null(rows.row[0].function);
	assert_int_equal(rows.row[0].samples, 6);
	assert_string_equal(rows.row[1].object, "[anonymous]");
	assert_int_equal(rows.row[1].samples, 2);
	assert_int_equal(rows.nr_nameless, 1);
	assert_string_equal(rows.nameless[0].object, "/nowhere/prog");
	free_rows(&rows);
	symbols_close(symbols);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(a_sample_belongs_to_the_file_that_is_mapped),
	TEST(a_mapping_replaces_what_it_overlaps),
	TEST(a_fork_copies_and_an_exec_clears),
	TEST(memory_without_a_file_has_addresses),
	TEST(a_file_has_the_time_of_its_first_mapping),
	TEST(samples_have_callers),
	TEST(processes_of_other_namespaces_are_unknown),
	TEST(many_processes_and_files_are_kept_apart),
	TEST(a_sample_belongs_to_the_innermost_region),
	TEST(samples_need_no_memory),
	TEST(lines_of_maps_are_mappings),
	TEST(a_running_process_has_its_mappings),
	TEST(the_error_is_that_of_a_binomial_distribution),
	TEST(the_table_lists_functions_by_samples),
	TEST(late_samples_have_their_reason),
	TEST(rows_are_functions_of_programs),
};

UNIT_MAIN(tests)

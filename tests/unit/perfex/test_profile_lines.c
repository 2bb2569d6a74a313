// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the tables of a profile by line and by instruction. It uses a program with
 * labelled instructions, and memory that is not a file of the program.
 */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "labelled.h"
#include "profile/collection.h"
#include "profile/profile_table.h"

#define BASE UINT64_C(0x400000)

static struct collection collection;
static struct symbols *symbols;

static void map(uint64_t begin, uint64_t inode, uint64_t device,
		const char *name)
{
	const struct vpmc_sample_record record = {
		.kind = VPMC_SAMPLE_MAP,
		.pid = 1,
		.address = begin,
		.end = begin + 0x100000,
		.inode = inode,
		.device_major = major(device),
		.device_minor = minor(device),
		.text = name,
	};

	collect(&record, &collection);
}

static void sample(uint64_t address, unsigned int nr)
{
	const struct vpmc_sample_record record = { .pid = 1,
						   .address = address };

	for (; nr; nr--)
		collect(&record, &collection);
}

/* Sample the program at all labels, and some other memory. */
static void sample_all(void)
{
	const struct vpmc_sample_record exec = { .kind = VPMC_SAMPLE_EXEC,
						 .pid = 1,
						 .text = "prog" };
	struct stat status;
	char path[64];

	assert_int_equal(stat("program", &status), 0);
	snprintf(path, sizeof(path), "%s/program", program_directory());
	collect(&exec, &collection);
	map(BASE, status.st_ino, status.st_dev, path);
	map(0x1000000, 0, 0, "");
	map(0x2000000, 0, 0, "[vdso]");
	map(0x3000000, 5, 0, "/lib/gone.so (deleted)");
	sample(BASE + offset_of("at_innermost"), 8);
	sample(BASE + offset_of("at_innermost") - 1, 2);
	sample(BASE + offset_of("at_middle"), 3);
	sample(BASE + offset_of("at_outer"), 1);
	sample(BASE + offset_of("at_main"), 1);
	sample(0x1000010, 2);
	sample(0x2000020, 1);
	sample(0x3000030, 1);
	sample(0x9000000, 1);
}

static int make_files(void **state)
{
	return make_program();
}

static int remove_files(void **state)
{
	remove_program();
	return 0;
}

static int set_up(void **state)
{
	symbols = symbols_open();
	return symbols && begin_collection(&collection) ? 0 : -1;
}

static int tear_down(void **state)
{
	end_collection(&collection);
	symbols_close(symbols);
	return 0;
}

/* Compare a table, with "DIR" instead of the directory. */
static void check_table(enum profile_detail detail, const char *expected)
{
	struct events events = { .pmu = vpmc_pmu_find("p5"), .nr = 1 };
	struct profile_report report = { .events = &events,
					 .collection = &collection };
	struct rows rows;
	char text[4096];
	FILE *out = fopen("table", "w");

	events.sel[0] = (struct vpmc_event_sel){ 0x16, 0, VPMC_USER };
	events.period[0] = 1000;
	sample_all();
	assert_true(make_rows(&rows, detail, &collection, symbols));
	report.rows = &rows;
	assert_non_null(out);
	print_profile(out, &report);
	assert_int_equal(fclose(out), 0);
	free_rows(&rows);
	run_shell("sed -i 's|%s|DIR|; s|  *| |g' table", program_directory());
	out = fopen("table", "r");
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	fclose(out);
	assert_string_equal(text, expected);
}

#define HEAD \
	"# profile of instructions_executed:u, a sample every 1000 events\n"
#define TAIL                                                       \
	"# 20 samples\n"                                           \
	"# 1 of them are in memory of which no mapping is known\n" \
	"# /lib/gone.so (deleted): the file is not there any more\n"

static void lines_name_inlined_functions(void **state)
{
	check_table(
		PROFILE_LINES, HEAD
		"# share samples line function object program\n"
		" 50.00% +- 20.07% 10 program.c:4 innermost in middle in outer"
		" DIR/program prog\n"
		" 15.00% +- 21.04% 3 program.c:8 middle in outer DIR/program"
		" prog\n"
		" 10.00% +- 20.10% 2 - - [anonymous] prog\n"
		" 5.00% +- 18.61% 1 - - /lib/gone.so (deleted) prog\n"
		" 5.00% +- 18.61% 1 program.c:13 outer DIR/program prog\n"
		" 5.00% +- 18.61% 1 program.c:26 main DIR/program prog\n"
		" 5.00% +- 18.61% 1 - - [unknown] prog\n"
		" 5.00% +- 18.61% 1 - - [vdso] prog\n" TAIL);
}

/* Name the instruction at @before by its function and the distance from the function's begin. */
static const char *at(const char *label, const char *function, uint64_t before)
{
	static char text[5][32];
	static unsigned int last;

	last = (last + 1) % ARRAY_SIZE(text);
	snprintf(text[last], sizeof(text[last]), "%s+0x%" PRIx64, function,
		 offset_of(label) - before - offset_of(function));
	return text[last];
}

/* Functions are ordered by their numbers of samples, and their instructions by address. */
static void instructions_of_functions_stay_together(void **state)
{
	/* The file is mapped at the linker's addresses. */
	const uint64_t inner = offset_of("at_innermost");
	char expected[4096];

	snprintf(expected, sizeof(expected),
		 HEAD
		 "# share samples address line function object program\n"
		 " 5.00%% +- 18.61%% 1 %" PRIx64 " program.c:13 %s DIR/program"
		 " prog\n"
		 " 15.00%% +- 21.04%% 3 %" PRIx64 " program.c:8 middle in %s"
		 " DIR/program prog\n"
		 " 10.00%% +- 20.10%% 2 %" PRIx64 " program.c:4 innermost in"
		 " middle in %s DIR/program prog\n"
		 " 40.00%% +- 21.34%% 8 %" PRIx64 " program.c:4 innermost in"
		 " middle in %s DIR/program prog\n"
		 " 10.00%% +- 20.10%% 2 1000010 - - [anonymous] prog\n"
		 " 5.00%% +- 18.61%% 1 +30 - - /lib/gone.so (deleted) prog\n"
		 " 5.00%% +- 18.61%% 1 %" PRIx64 " program.c:26 %s DIR/program"
		 " prog\n"
		 " 5.00%% +- 18.61%% 1 - - - [unknown] prog\n"
		 " 5.00%% +- 18.61%% 1 2000020 - - [vdso] prog\n" TAIL,
		 offset_of("at_outer"), at("at_outer", "outer", 0),
		 offset_of("at_middle"), at("at_middle", "outer", 0), inner - 1,
		 at("at_innermost", "outer", 1), inner,
		 at("at_innermost", "outer", 0), offset_of("at_main"),
		 at("at_main", "main", 0));
	check_table(PROFILE_INSTRUCTIONS, expected);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(lines_name_inlined_functions),
	TEST(instructions_of_functions_stay_together),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_files, remove_files);
}

// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the files that perfex --profile writes for other tools. */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "labelled.h"
#include "profile_formats/formats.h"

static struct events events = {
	.name = { "clocks", "0x16", "data_reads" },
	.period = { 1000, 0, 10 },
	.nr = 3,
};
static struct profile_spot spots[16];
static struct profile_data data = { .events = &events, .spot = spots };

static void add(uint32_t event, const char *label, uint64_t samples)
{
	spots[data.nr_spots++] = (struct profile_spot){
		.event = event,
		.program = "prog ram;1",
		.object = "program",
		.is_file = true,
		.offset = offset_of(label),
		.samples = samples,
	};
}

static int setup(void **state)
{
	data.symbols = symbols_open();
	data.nr_spots = 0;
	add(2, "at_main", 7);
	add(0, "at_innermost", 3);
	add(0, "main", 5);
	add(0, "at_main", 1);
	add(0, "at_outer", 2);
	spots[data.nr_spots++] =
		(struct profile_spot){ .program = "other",
				       .object = "/lib/gone.so",
				       .is_file = true,
				       .samples = 4 };
	spots[data.nr_spots++] = (struct profile_spot){ .program = "other",
							.object = "[anonymous]",
							.offset = 0x1234,
							.samples = 1 };
	return data.symbols ? 0 : -1;
}

/*
 * main() calls outer(). Both functions have samples, and so has a function that is inlined in
 * outer().
 */
static int setup_callers(void **state)
{
	static struct profile_caller in_main = { .object = "program",
						 .is_file = true };

	data.symbols = symbols_open();
	data.nr_spots = 0;
	in_main.offset = offset_of("at_main");
	add(0, "at_outer", 2);
	add(0, "at_innermost", 3);
	add(0, "at_main", 1);
	spots[0].caller = &in_main;
	spots[1].caller = &in_main;
	return data.symbols ? 0 : -1;
}

static int teardown(void **state)
{
	symbols_close(data.symbols);
	return 0;
}

static int make_files(void **state)
{
	int i;

	for (i = 0; i < 3; i++)
		events.sel[i].modes = VPMC_USER;
	return make_program();
}

static int remove_files(void **state)
{
	remove_program();
	return 0;
}

static void write_to(const char *name,
		     bool (*form)(FILE *out, struct profile_data *profile))
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(form(file, &data));
	assert_int_equal(fclose(file), 0);
}

/* Compare a file, with "DIR" instead of its directory. */
static void check_file(const char *name, const char *expected)
{
	char text[4096] = "";
	FILE *file;

	run_shell("sed -i 's|%s|DIR|' %s", program_directory(), name);
	file = fopen(name, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static void folded(void **state)
{
	write_to("profile.folded", write_folded);
	check_file("profile.folded",
		   "clocks:u;other;[gone.so] 4000\n"
		   "clocks:u;other;[anonymous] 1000\n"
		   "clocks:u;prog ram:1;outer 2000\n"
		   "clocks:u;prog ram:1;outer;middle;innermost 3000\n"
		   "clocks:u;prog ram:1;main 6000\n"
		   "data_reads:u;prog ram:1;main 70\n");
}

static void callgrind(void **state)
{
	write_to("callgrind.out", write_callgrind);
	check_file("callgrind.out", "# callgrind format\n"
				    "version: 1\n"
				    "creator: perfex\n"
				    "positions: line\n"
				    "events: clocks:u data_reads:u\n"
				    "summary: 16000 70\n"
				    "\nob=/lib/gone.so\nfl=???\nfn=[gone.so]\n"
				    "0 4000 0\n"
				    "\nob=[anonymous]\nfl=???\nfn=[anonymous]\n"
				    "0 1000 0\n"
				    "\nob=program\nfl=DIR/program.c\nfn=main\n"
				    "24 5000 0\n"
				    "26 1000 70\n"
				    "\nob=program\nfl=DIR/program.c\nfn=outer\n"
				    "4 3000 0\n"
				    "13 2000 0\n");
}

/* callgrind_annotate prints percentages, which are left out, and numbers with commas. */
static void callgrind_annotate_reads_it(void **state)
{
	write_to("callgrind.out", write_callgrind);
	run_shell(
		"callgrind_annotate --auto=yes --show-percs=no --threshold=100 callgrind.out >annotated");
	run_shell("grep -Eq '^ *16,000 +70 +PROGRAM TOTALS' annotated");
	run_shell(
		"grep -Eq '^ *6,000 +70 +.*program.c:main .program.$' annotated");
	run_shell(
		"grep -Eq '^ *5,000 +0 +.*program.c:outer .program.$' annotated");
	run_shell("grep -Eq '^ *4,000 +0 +.*gone.so.*gone.so.$' annotated");
	run_shell("grep -Eq '^ *3,000 +0 .*at_innermost: nop' annotated");
}

static void perf_script(void **state)
{
	write_to("profile.perf", write_perf_script);
	/* Count equal records. */
	run_shell(
		"sed -Ei 's/^\t +[0-9a-f]+/\tADDRESS/; s/ [0-9]+\\.[0-9]{6}:/ TIME:/' profile.perf");
	run_shell(
		"tr '\n' '#' <profile.perf | sed 's/##/#\\n/g' | uniq -c | sed 's/^ *//' >counted");
	check_file(
		"counted",
		"4 other     0 TIME:       1000 clocks:u:#\tADDRESS [unknown] (/lib/gone.so)#\n"
		"1 other     0 TIME:       1000 clocks:u:#\tADDRESS [unknown] ([anonymous])#\n"
		"2 prog:ram;1     0 TIME:       1000 clocks:u:#\tADDRESS outer (program)#\n"
		"3 prog:ram;1     0 TIME:       1000 clocks:u:#\tADDRESS innermost (inlined)"
		"#\tADDRESS middle (inlined)#\tADDRESS outer (program)#\n"
		"6 prog:ram;1     0 TIME:       1000 clocks:u:#\tADDRESS main (program)#\n"
		"7 prog:ram;1     0 TIME:         10 data_reads:u:#\tADDRESS main (program)#\n");
}

/* The periods of records add up to all events, and the records are few. */
static void perf_script_of_many_samples(void **state)
{
	spots[0].samples = 3500000;
	write_to("profile.perf", write_perf_script);
	run_shell(
		"awk '/data_reads:u:/ { n++; sum += $4 } END { exit n != 875000 || sum != 35000000 }'"
		" profile.perf");
	run_shell("awk '/gone/ { n++ } END { exit n != 1 }' profile.perf");
}

static void read_by_speedscope(const char *file, const char *expected)
{
	run_shell("node " SOURCE_DIRECTORY "/read_speedscope.mjs " SPEEDSCOPE
		  " %s >scope",
		  file);
	check_file("scope", expected);
}

static void speedscope_reads_folded_stacks(void **state)
{
	write_to("profile.folded", write_folded);
	read_by_speedscope("profile.folded", "profile.folded 16070\n"
					     "clocks:u 0 16000\n"
					     "other 0 5000\n"
					     "[gone.so] 4000 4000\n"
					     "[anonymous] 1000 1000\n"
					     "prog ram:1 0 11070\n"
					     "outer 2000 5000\n"
					     "middle 0 3000\n"
					     "innermost 3000 3000\n"
					     "main 6070 6070\n"
					     "data_reads:u 0 70\n");
}

/*
 * In speedscope, a record lasts from the middle between the previous record and itself to the
 * middle between itself and the next record. The first and the last record of a program last half
 * as long. speedscope reads only the first event.
 */
static void speedscope_reads_perf_script(void **state)
{
	write_to("profile.perf", write_perf_script);
	read_by_speedscope("profile.perf",
			   "other 0.000004\n"
			   "??? (/lib/gone.so) 0.0000035 0.0000035\n"
			   "??? ([anonymous]) 5e-7 5e-7\n"
			   "prog:ram;1 0.00001\n"
			   "outer 0.0000015 0.0000045\n"
			   "middle 0 0.000003\n"
			   "innermost 0.000003 0.000003\n"
			   "main 0.0000055 0.0000055\n");
}

/* pprof prints each sample with the numbers of its locations, and then the locations. */
static void pprof_reads_it(void **state)
{
	write_to("profile.pb.gz", write_pprof);
	run_shell(
		PPROF_TOOL
		" -raw -symbolize=none profile.pb.gz >raw 2>errors || cat errors");
	/* Compilers may choose other numbers. */
	run_shell(
		"sed -Ei 's/0x[0-9a-f]+ M/ADDRESS M/; s/program [0-9a-f]{40}/program BUILD-ID/'"
		" raw");
	check_file("raw", "PeriodType: clocks:u count\n"
			  "Period: 1000\n"
			  "Samples:\n"
			  "clocks:u/count data_reads:u/count\n"
			  "       4000          0: 1 \n"
			  "                program:[other]\n"
			  "       1000          0: 2 \n"
			  "                program:[other]\n"
			  "       2000          0: 3 \n"
			  "                program:[prog ram;1]\n"
			  "       3000          0: 4 \n"
			  "                program:[prog ram;1]\n"
			  "       5000          0: 5 \n"
			  "                program:[prog ram;1]\n"
			  "       1000         70: 6 \n"
			  "                program:[prog ram;1]\n"
			  "Locations\n"
			  "     1: ADDRESS M=1 gone.so :0 s=0\n"
			  "     2: ADDRESS M=2 [anonymous] :0 s=0\n"
			  "     3: ADDRESS M=3 outer DIR/program.c:13 s=11\n"
			  "     4: ADDRESS M=3 innermost DIR/program.c:4 s=0\n"
			  "             middle DIR/program.c:9 s=0\n"
			  "             outer DIR/program.c:14 s=11\n"
			  "     5: ADDRESS M=3 main DIR/program.c:24 s=22\n"
			  "     6: ADDRESS M=3 main DIR/program.c:26 s=22\n"
			  "Mappings\n"
			  "1: 0x0/0x0/0x0 /lib/gone.so  [FN][FL][LN][IN]\n"
			  "2: 0x0/0x0/0x0 [anonymous]  [FN][FL][LN][IN]\n"
			  "3: 0x0/0x0/0x0 program BUILD-ID [FN][FL][LN][IN]\n");
}

static void folded_stacks_have_callers(void **state)
{
	write_to("profile.folded", write_folded);
	check_file("profile.folded",
		   "clocks:u;prog ram:1;main 1000\n"
		   "clocks:u;prog ram:1;main;outer 2000\n"
		   "clocks:u;prog ram:1;main;outer;middle;innermost 3000\n");
}

static void callgrind_has_calls(void **state)
{
	write_to("callgrind.out", write_callgrind);
	check_file("callgrind.out",
		   "# callgrind format\n"
		   "version: 1\n"
		   "creator: perfex\n"
		   "positions: line\n"
		   "events: clocks:u data_reads:u\n"
		   "summary: 6000 0\n"
		   "\nob=program\nfl=DIR/program.c\nfn=main\n"
		   "26 1000 0\n"
		   "cob=program\ncfi=DIR/program.c\ncfn=outer\n"
		   "calls=5 11\n"
		   "26 5000 0\n"
		   "\nob=program\nfl=DIR/program.c\nfn=outer\n"
		   "4 3000 0\n"
		   "13 2000 0\n");
}

static void callgrind_annotate_reads_calls(void **state)
{
	write_to("callgrind.out", write_callgrind);
	run_shell(
		"callgrind_annotate --show-percs=no --inclusive=yes --threshold=100 callgrind.out"
		" >annotated");
	run_shell("grep -Eq '^ *6,000 +0 +PROGRAM TOTALS' annotated");
	run_shell("grep -Eq '^ *6,000 +0 +.*program.c:main ' annotated");
	run_shell("grep -Eq '^ *5,000 +0 +.*program.c:outer ' annotated");
}

static void speedscope_reads_callers(void **state)
{
	write_to("profile.folded", write_folded);
	read_by_speedscope("profile.folded", "profile.folded 6000\n"
					     "clocks:u 0 6000\n"
					     "prog ram:1 0 6000\n"
					     "main 1000 6000\n"
					     "outer 2000 5000\n"
					     "middle 0 3000\n"
					     "innermost 3000 3000\n");
	write_to("profile.perf", write_perf_script);
	read_by_speedscope("profile.perf", "prog:ram;1 0.000005\n"
					   "main 5e-7 0.000005\n"
					   "outer 0.000002 0.0000045\n"
					   "middle 0 0.0000025\n"
					   "innermost 0.0000025 0.0000025\n");
}

static void pprof_reads_callers(void **state)
{
	write_to("profile.pb.gz", write_pprof);
	run_shell(
		PPROF_TOOL
		" -raw -symbolize=none profile.pb.gz >raw 2>errors || cat errors");
	run_shell("sed -Ei '/^Mappings/,$d; s/0x[0-9a-f]+ M/ADDRESS M/' raw");
	check_file("raw", "PeriodType: clocks:u count\n"
			  "Period: 1000\n"
			  "Samples:\n"
			  "clocks:u/count data_reads:u/count\n"
			  "       1000          0: 1 \n"
			  "                program:[prog ram;1]\n"
			  "       2000          0: 2 1 \n"
			  "                program:[prog ram;1]\n"
			  "       3000          0: 3 1 \n"
			  "                program:[prog ram;1]\n"
			  "Locations\n"
			  "     1: ADDRESS M=1 main DIR/program.c:26 s=22\n"
			  "     2: ADDRESS M=1 outer DIR/program.c:13 s=11\n"
			  "     3: ADDRESS M=1 innermost DIR/program.c:4 s=0\n"
			  "             middle DIR/program.c:9 s=0\n"
			  "             outer DIR/program.c:14 s=11\n");
}

/*
 * pprof prints lines and the source. The outer functions include the samples of the inner
 * functions.
 */
static void pprof_shows_lines(void **state)
{
	write_to("profile.pb.gz", write_pprof);
	run_shell(
		PPROF_TOOL
		" -top -lines -symbolize=none -sample_index=clocks:u profile.pb.gz"
		" 2>errors | sed -En 's/^ +([0-9]+) +[0-9.]+%% +[0-9.]+%% +([0-9]+) +[0-9.]+%% +/\\1 \\2 /p'"
		" >top");
	check_file("top", "5000 5000 main DIR/program.c:24\n"
			  "4000 4000 gone.so\n"
			  "3000 3000 innermost DIR/program.c:4 (inline)\n"
			  "2000 2000 outer DIR/program.c:13\n"
			  "1000 1000 [anonymous]\n"
			  "1000 1000 main DIR/program.c:26\n"
			  "0 3000 middle DIR/program.c:9 (inline)\n"
			  "0 3000 outer DIR/program.c:14\n");
	run_shell(
		PPROF_TOOL
		" -list=outer -symbolize=none -sample_index=clocks:u profile.pb.gz"
		" >list 2>errors");
	run_shell("grep -Eq '2000 +2000 +13:.*at_outer: nop' list");
	run_shell("grep -Eq '\\. +3000 +14:.*middle\\(\\);' list");
}

/* A region is a frame of a flame graph, and a label of pprof. */
static void regions_of_samples(void **state)
{
	spots[1].region = "re;gion";
	write_to("profile.folded", write_folded);
	run_shell(
		"grep -qx 'clocks:u;prog ram:1;re:gion;outer;middle;innermost 3000'"
		" profile.folded");
	write_to("profile.pb.gz", write_pprof);
	run_shell(PPROF_TOOL
		  " -tags -symbolize=none -sample_index=clocks:u profile.pb.gz"
		  " >tags 2>errors");
	run_shell("grep -Eq '3000.0 .*: re;gion$' tags");
}

static void forms_by_name(void **state)
{
	assert_int_equal(profile_form("a.folded"), PROFILE_FOLDED);
	assert_int_equal(profile_form("d.perf/a"), PROFILE_TABLE);
	assert_int_equal(profile_form(".folded"), PROFILE_TABLE);
	assert_int_equal(profile_form("d/callgrind.out.7"), PROFILE_CALLGRIND);
	assert_int_equal(profile_form("a.callgrind"), PROFILE_CALLGRIND);
	assert_int_equal(profile_form("d/a.perf"), PROFILE_PERF);
	assert_int_equal(profile_form("a.pb.gz"), PROFILE_PPROF);
	assert_int_equal(profile_form("a.profile"), PROFILE_SAVED);
	assert_int_equal(profile_form("profile"), PROFILE_TABLE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#define TEST_CALLERS(name) \
	cmocka_unit_test_setup_teardown(name, setup_callers, teardown)

static const struct CMUnitTest tests[] = {
	TEST(folded),
	TEST(callgrind),
	TEST(callgrind_annotate_reads_it),
	TEST(perf_script),
	TEST(perf_script_of_many_samples),
	TEST(speedscope_reads_folded_stacks),
	TEST(speedscope_reads_perf_script),
	TEST(pprof_reads_it),
	TEST_CALLERS(folded_stacks_have_callers),
	TEST_CALLERS(callgrind_has_calls),
	TEST_CALLERS(callgrind_annotate_reads_calls),
	TEST_CALLERS(speedscope_reads_callers),
	TEST_CALLERS(pprof_reads_callers),
	TEST(pprof_shows_lines),
	TEST(regions_of_samples),
	TEST(forms_by_name),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, make_files, remove_files);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests reports of many machines: the names of their files, and perfex
 * --merge.
 */
#include "unit.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

static const char *old_directory;

static int enter_directory(void **state)
{
	static char old[PATH_MAX];

	old_directory = getcwd(old, sizeof(old));
	return !old_directory || directory_setup(state) || chdir(directory);
}

static int leave_directory(void **state)
{
	DIR *files = opendir(".");
	struct dirent *file;

	if (!files)
		return -1;
	while ((file = readdir(files)))
		unlink(file->d_name);
	closedir(files);
	return chdir(old_directory) || directory_teardown(state);
}

static void clear_ranks(void)
{
	unsetenv("OMPI_COMM_WORLD_RANK");
	unsetenv("PMIX_RANK");
	unsetenv("PMI_RANK");
	unsetenv("SLURM_PROCID");
}

/* The first of these variables that is set contains the rank, if it is a number. */
static const struct {
	const char *variable;
	const char *value;
	const char *rank;
} ranks[] = {
	{ "SLURM_PROCID", "17", "17" },
	{ "PMI_RANK", "3", "3" },
	{ "PMIX_RANK", "4", "4" },
	{ "OMPI_COMM_WORLD_RANK", "5", "5" },
	{ "OMPI_COMM_WORLD_RANK", "../5", "4" },
	{ "PMIX_RANK", "", "3" },
};

static void a_rank_is_that_of_the_launcher(void **state)
{
	char name[32];
	size_t i;

	clear_ranks();
	for (i = 0; i < ARRAY_SIZE(ranks); i++) {
		setenv(ranks[i].variable, ranks[i].value, 1);
		PERFEX_EXITS(0, "-o", "report.%r", "true");
		snprintf(name, sizeof(name), "report.%s", ranks[i].rank);
		assert_int_equal(unlink(name), 0);
	}
	clear_ranks();
}

static void host_and_process_are_in_the_name(void **state)
{
	char host[HOST_NAME_MAX + 1] = "", name[HOST_NAME_MAX + 64];
	long number;

	assert_int_equal(gethostname(host, sizeof(host) - 1), 0);
	PERFEX_EXITS(0, "-o", "%%a%h.%p", "--post", "ls >list; echo $PPID >pid",
		     "true");
	number = strtol(content("pid"), NULL, 10);
	snprintf(name, sizeof(name), "%%a%s.%ld", host, number);
	assert_int_equal(access(name, F_OK), 0);
}

static const struct {
	const char *name;
	const char *words;
} bad_names[] = {
	{ "a%x.%p", "\"a%x.%p\" ... -o ... %x is not a pattern (" },
	{ "a%", "\"a%\" ... %%" },
	{ "a%\xc3\xa9", "%\xc3\xa9 is not a pattern (" },
	{ "a.%r", "\"a.%r\" ... OMPI_COMM_WORLD_RANK ... SLURM_PROCID" },
};

static void what_a_name_cannot_have_is_told(void **state)
{
	size_t i;

	clear_ranks();
	for (i = 0; i < ARRAY_SIZE(bad_names); i++) {
		PERFEX_EXITS(200, "-o", bad_names[i].name, "touch", "ran");
		check_sentence("%s", bad_names[i].words);
		assert_int_equal(access("ran", F_OK), -1);
	}
}

static void a_name_that_is_too_long_is_told(void **state)
{
	char digits[PATH_MAX + 1];

	memset(digits, '1', PATH_MAX);
	digits[PATH_MAX] = '\0';
	clear_ranks();
	setenv("PMI_RANK", digits, 1);
	PERFEX_EXITS(200, "-o", "%r", "touch", "ran");
	check_sentence("\"%%r\" ... too long");
	assert_int_equal(access("ran", F_OK), -1);
	clear_ranks();
}

#define HEAD                                                             \
	"kind,seconds,pid,tid,command,name,modes,code,value,share,note," \
	"runs,interval,min,max,unit,number,low,high\n"
#define INSTRUCTIONS(value) "event,,,,,instructions,u,22," value ",,,,,,,,,\n"
#define BRANCHES(value)	    "event,,,,,branches,uk,18," value ",,,,,,,,,\n"
#define JSON_EVENT(name, modes, code, value)                                \
	"{\"name\":\"" name "\",\"modes\":\"" modes "\",\"code\":" code "," \
	"\"value\":" value "}"
#define JSON(events, notes) "{\"events\":[" events "],\"notes\":[" notes "]}\n"
#define EXACT(value)	    value ",\"share\":1.000,\"note\":null"
#define NONE(reason)	    "null,\"share\":null,\"note\":\"" reason "\""

#define COLUMNS                                                  \
	"kind,name,modes,code,value,share,note,reports,missing," \
	"projected,means,min,min_file,max,max_file,low,high\n"

/* Each row has up to three files, and the result of their merge. */
static const struct {
	const char *file[3];
	const char *text;
	const char *csv;
	const char *json;
} merges[] = {
	/* The files have both forms. If two counts are equal, the report names the first file. */
	{ { HEAD INSTRUCTIONS("20,1.000,") BRANCHES("7,1.000,"),
	    JSON(JSON_EVENT("instructions", "u", "22",
			    EXACT("5")) "," JSON_EVENT("branches", "uk", "18",
						       EXACT("7")),
		 ""),
	    HEAD INSTRUCTIONS("100,1.000,") BRANCHES("7,1.000,") },
	  "# sums over 3 reports\n"
	  "                 125  0x16   instructions:u  # from 5 in 1 to 100 in 2\n"
	  "                  21  0x12   branches:uk  # 7 in each of 3 reports\n",
	  COLUMNS "event,instructions,u,22,125,1.000,,3,0,0,0,5,1,100,2,,\n"
		  "event,branches,uk,18,21,1.000,,3,0,0,0,7,0,7,0,,\n",
	  "{\"reports\":3,\"events\":[{\"name\":\"instructions\","
	  "\"modes\":\"u\",\"code\":22,\"value\":125,\"share\":1.000,"
	  "\"note\":null,\"reports\":3,\"missing\":0,\"projected\":0,"
	  "\"means\":0,\"min\":5,\"min_file\":\"1\",\"max\":100,"
	  "\"max_file\":\"2\"},{\"name\":\"branches\",\"modes\":\"uk\","
	  "\"code\":18,\"value\":21,\"share\":1.000,\"note\":null,"
	  "\"reports\":3,\"missing\":0,\"projected\":0,\"means\":0,\"min\":7,"
	  "\"min_file\":\"0\",\"max\":7,\"max_file\":\"0\"}],"
	  "\"notes\":[]}\n" },
	/* The sum is the largest that is possible. */
	{ { HEAD INSTRUCTIONS("18446744073709551615,1.000,"),
	    HEAD INSTRUCTIONS("0,1.000,") },
	  "# sums over 2 reports\n"
	  "18446744073709551615  0x16   instructions:u  # from 0 in 1 to"
	  " 18446744073709551615 in 0\n",
	  NULL,
	  NULL },
	/* This sum is larger by 1 than a count can be. */
	{ { HEAD INSTRUCTIONS("18446744073709551615,1.000,"),
	    HEAD INSTRUCTIONS("1,1.000,"), HEAD INSTRUCTIONS("1,1.000,") },
	  "# sums over 3 reports\n"
	  "                   -  0x16   instructions:u  # from 1 in 1 to"
	  " 18446744073709551615 in 0, the sum is beyond 2^64 - 1\n",
	  COLUMNS "event,instructions,u,22,,1.000,the sum is beyond 2^64 -"
		  " 1,3,0,0,0,1,1,18446744073709551615,0,,\n",
	  "{\"reports\":3,\"events\":[{\"name\":\"instructions\","
	  "\"modes\":\"u\",\"code\":22,\"value\":null,\"share\":1.000,"
	  "\"note\":\"the sum is beyond 2^64 - 1\",\"reports\":3,"
	  "\"missing\":0,\"projected\":0,\"means\":0,\"min\":1,"
	  "\"min_file\":\"1\",\"max\":18446744073709551615,"
	  "\"max_file\":\"0\"}],\"notes\":[]}\n" },
	/*
	 * The files have projected counts, missing counts, and means of several runs. Some notes
	 * are kept, and other notes are left out.
	 */
	{ { HEAD INSTRUCTIONS("10,0.502,") BRANCHES(
		    "8,1.000,") "resource,,,,,elapsed_seconds,,,0.1,,,,,,,,,,\n"
				"note,,,,,,,,,,\"a, b\",,,,,,,,\n",
	    HEAD
	    "event,,,,,instructions,u,22,11,0.750,,5,1.0,10,12,,,,\n" BRANCHES(
		    ",,not counted") "note,,,,,,,,,,c,,,,,,,,\n"
				     "process,,1,,x,instructions,u,22,11,0.750,,,,,,,,,\n",
	    HEAD INSTRUCTIONS("12,1.000,") BRANCHES(
		    ",,not counted") "note,,,,,,,,,,\"a, b\",,,,,,,,\n" },
	  "# sums over 3 reports\n"
	  "                  33  0x16   instructions:u  # from 10 in 0 to 12"
	  " in 2, 2 projected, the least from 50.2% of the time, 1 a mean of"
	  " several runs\n"
	  "                   8  0x12   branches:uk  # of 0, 2 of 3 reports"
	  " have no count\n"
	  "# 0 and 1 more: a, b\n"
	  "# 1 and 1 more: branches:uk has no count: not counted\n"
	  "# 1: c\n"
	  "# 2 lines of lists, metrics and resources are not merged\n",
	  COLUMNS "event,instructions,u,22,33,0.502,,3,0,2,1,10,0,12,2,,\n"
		  "event,branches,uk,18,8,1.000,2 of 3 reports have no"
		  " count,3,2,0,0,8,0,8,0,,\n"
		  "note,,,,,,\"0 and 1 more: a, b\",,,,,,,,,,\n"
		  "note,,,,,,1 and 1 more: branches:uk has no count: not"
		  " counted,,,,,,,,,,\n"
		  "note,,,,,,1: c,,,,,,,,,,\n"
		  "note,,,,,,\"2 lines of lists, metrics and resources are not"
		  " merged\",,,,,,,,,,\n",
	  NULL },
	/* Ends of intervals are added up, and exact counts are added to both ends. */
	{ { HEAD "event,,,,,instructions,u,22,10,0.502,,,,,,,,8,13\n",
	    JSON(JSON_EVENT("instructions", "u", "22",
			    "20,\"share\":0.750,\"low\":20,\"high\":24,"
			    "\"confidence\":95,\"note\":null"),
		 ""),
	    HEAD INSTRUCTIONS("100,1.000,") },
	  "# sums over 3 reports\n"
	  "                 130  0x16   instructions:u  # from 10 in 0 to 100"
	  " in 2, 2 projected, the least from 50.2% of the time, the sum"
	  " from 128 to 137 (95 %)\n",
	  COLUMNS
	  "event,instructions,u,22,130,0.502,,3,0,2,0,10,0,100,2,128,137\n",
	  "{\"reports\":3,\"events\":[{\"name\":\"instructions\","
	  "\"modes\":\"u\",\"code\":22,\"value\":130,\"share\":0.502,"
	  "\"note\":null,\"reports\":3,\"missing\":0,\"projected\":2,"
	  "\"means\":0,\"min\":10,\"min_file\":\"0\",\"max\":100,"
	  "\"max_file\":\"2\",\"low\":128,\"high\":137}],"
	  "\"notes\":[]}\n" },
	/* The error of a mean of several runs is not known, so there is no interval. */
	{ { HEAD "event,,,,,instructions,u,22,10,0.502,,,,,,,,8,13\n",
	    HEAD "event,,,,,instructions,u,22,10,1.000,,5,1.0,9,12,,,,\n" },
	  "# sums over 2 reports\n"
	  "                  20  0x16   instructions:u  # 10 in each of 2"
	  " reports, 1 projected, the least from 50.2% of the time, 1 a mean of"
	  " several runs\n",
	  COLUMNS "event,instructions,u,22,20,0.502,,2,0,1,1,10,0,10,0,,\n",
	  NULL },
	/*
	 * If one count has no interval, the sum has none. An end beyond 2^64 - 1 becomes 2^64 -
	 * 1.
	 */
	{ { HEAD "event,,,,,instructions,u,22,10,0.502,,,,,,,,8,13\n",
	    HEAD INSTRUCTIONS("10,0.502,") },
	  "# sums over 2 reports\n"
	  "                  20  0x16   instructions:u  # 10 in each of 2"
	  " reports, 2 projected, the least from 50.2% of the time\n",
	  COLUMNS "event,instructions,u,22,20,0.502,,2,0,2,0,10,0,10,0,,\n",
	  NULL },
	{ { HEAD "event,,,,,instructions,u,22,1,0.502,,,,,,,,1,"
		 "18446744073709551615\n",
	    HEAD INSTRUCTIONS("1,1.000,") },
	  "# sums over 2 reports\n"
	  "                   2  0x16   instructions:u  # 1 in each of 2"
	  " reports, 1 projected, the least from 50.2% of the time, the sum"
	  " from 2 to 18446744073709551615 (95 %)\n",
	  NULL,
	  NULL },
	/* None of the files has a count. */
	{ { HEAD BRANCHES(",,never in user mode"),
	    HEAD BRANCHES(",,not counted") },
	  "# sums over 2 reports\n"
	  "                   -  0x12   branches:uk  # never in user mode\n"
	  "# 0: branches:uk has no count: never in user mode\n"
	  "# 1: branches:uk has no count: not counted\n",
	  COLUMNS "event,branches,uk,18,,,never in user"
		  " mode,2,2,0,0,,,,,,\n"
		  "note,,,,,,0: branches:uk has no count: never in user"
		  " mode,,,,,,,,,,\n"
		  "note,,,,,,1: branches:uk has no count: not"
		  " counted,,,,,,,,,,\n",
	  "{\"reports\":2,\"events\":[{\"name\":\"branches\","
	  "\"modes\":\"uk\",\"code\":18,\"value\":null,\"share\":null,"
	  "\"note\":\"never in user mode\",\"reports\":2,\"missing\":2,"
	  "\"projected\":0,\"means\":0,\"min\":null,\"min_file\":null,"
	  "\"max\":null,\"max_file\":null}],\"notes\":[\"0: branches:uk has"
	  " no count: never in user mode\",\"1: branches:uk has no count: not"
	  " counted\"]}\n" },
	/*
	 * One file has several reports, members in any order, and all kinds of strings and
	 * values.
	 */
	{ { JSON(JSON_EVENT("instructions", "u", "22", EXACT("1")),
		 "") " { \"notes\" : [\"\\\"\\u00e9\\ud83d\\ude00\\t\"] , \"x\":[1.5e3,"
		     "true,{\"a\":[]}] , \"events\":[ "
		     "{\"share\":0.9999,\"z\":{},\"value\":2,\"code\":22,"
		     "\"modes\":\"u\",\"name\":\"instructions\"} ] }\n" },
	  "# sums over 2 reports\n"
	  "                   3  0x16   instructions:u  # from 1 in 0 to 2 in"
	  " 0:2, 1 projected, the least from 99.9% of the time\n"
	  "# 0:2: \"\xc3\xa9\xf0\x9f\x98\x80\\x09\n"
	  "# 3 lines of lists, metrics and resources are not merged\n",
	  NULL,
	  NULL },
	/* Two kinds of processors have an event of the same name, with different codes. */
	{ { HEAD INSTRUCTIONS("1,1.000,"),
	    HEAD "event,,,,,instructions,u,192,2,1.000,,,,,,,,,\n" },
	  "# sums over 2 reports\n"
	  "                   3  -      instructions:u  # from 1 in 0 to 2 in"
	  " 1\n",
	  COLUMNS "event,instructions,u,,3,1.000,,2,0,0,0,1,0,2,1,,\n",
	  "{\"reports\":2,\"events\":[{\"name\":\"instructions\","
	  "\"modes\":\"u\",\"code\":null,\"value\":3,\"share\":1.000,"
	  "\"note\":null,\"reports\":2,\"missing\":0,\"projected\":0,"
	  "\"means\":0,\"min\":1,\"min_file\":\"0\",\"max\":2,"
	  "\"max_file\":\"1\"}],\"notes\":[]}\n" },
	/* The files of a later version have more columns and members. */
	{ { "kind,seconds,pid,tid,command,name,modes,code,value,share,note,"
	    "runs,interval,min,max,unit,number,low,high,more\n"
	    "event,,,,,branches,uk,18,7,1.000,,,,,,,,,,\"a\"\"\"\n" },
	  "# sums over 1 report\n"
	  "                   7  0x12   branches:uk  # of 0\n",
	  NULL,
	  NULL },
};

static const char *const names[] = { "0", "1", "2" };

static void write_files(const char *const file[3])
{
	size_t i;

	for (i = 0; i < 3 && file[i]; i++)
		fill(names[i], file[i]);
	for (; i < 3; i++)
		unlink(names[i]);
}

/* Run perfex with --merge, FORM and the files. */
static int merge(const char *form, const char *const file[3])
{
	const char *args[8] = { "perfex", "--merge", form, "-o", "-" };
	size_t i;

	for (i = 0; i < 3 && file[i]; i++)
		args[5 + i] = names[i];
	if (i == 3)
		return PERFEX("--merge", form, "-o", "-", "0", "1", "2");
	return perfex(args);
}

static void sums_least_and_most_are_those_of_the_files(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(merges); i++) {
		write_files(merges[i].file);
		assert_int_equal(merge("--output=sum", merges[i].file), 200);
		assert_int_equal(merge("--status-file=end", merges[i].file), 0);
		assert_string_equal(stdout_text, merges[i].text);
		assert_string_equal(stderr_text, "");
		if (merges[i].csv) {
			assert_int_equal(merge("--csv", merges[i].file), 0);
			assert_string_equal(stdout_text, merges[i].csv);
		}
		if (merges[i].json) {
			assert_int_equal(merge("--json", merges[i].file), 0);
			assert_string_equal(stdout_text, merges[i].json);
		}
	}
}

/* If a report were merged twice, its counts would be in the sums twice. */
static void a_report_is_merged_once(void **state)
{
	const char *const three[3] = { HEAD INSTRUCTIONS("1,1.000,"),
				       HEAD INSTRUCTIONS("1,1.000,") };

	write_files(three);
	PERFEX_EXITS(PERFEX_INPUT, "--merge", "0", "1", "./0");
	check_sentence("cannot merge ./0 ... same file as 0");
	assert_int_equal(link("0", "2"), 0);
	PERFEX_EXITS(PERFEX_INPUT, "--merge", "0", "1", "2");
	check_sentence("cannot merge 2 ... same file as 0");
}

static void a_report_that_is_merged_is_not_overwritten(void **state)
{
	const char *const three[3] = { HEAD INSTRUCTIONS("1,1.000,"),
				       HEAD INSTRUCTIONS("2,1.000,") };

	write_files(three);
	PERFEX_EXITS(PERFEX_OUTPUT, "--merge", "-o", "./1", "0", "1");
	check_sentence("./1 ... one of the reports to merge");
	PERFEX_EXITS(PERFEX_OUTPUT, "--merge", "--append", "-o", "./1", "0",
		     "1");
	PERFEX_EXITS(PERFEX_OUTPUT, "--merge", "--status-file", "1", "0", "1");
	check_sentence("write to 1: ... after --status-file");
	assert_string_equal(content("1"), three[1]);
}

/* These reports are written by perfex itself. */
static void reports_of_perfex_are_merged(void **state)
{
	fake->read.count[1] = 0;
	fake->children.count[0] = 0;
	PERFEX_EXITS(0, "--csv", "-o", "a", "-e", "0x16,0x27", "-n", "--times",
		     "true");
	fake->read.count[0] = 3000;
	PERFEX_EXITS(0, "--json", "-o", "b", "-e", "0x16,0x27", "-n", "true");
	PERFEX_EXITS(0, "--json", "-o", "b", "--append", "-e", "0x16,0x27",
		     "-n", "true");
	PERFEX_EXITS(0, "--merge", "-o", "c", "a", "b");
	check_file(
		"c",
		"# sums over 3 reports\n"
		"                7000  0x16   instructions_executed:u  # from"
		" 1000 in a to 3000 in b\n"
		"                   -  0x27   hardware_interrupts:u  # never in"
		" user mode\n"
		"# a and 2 more: hardware_interrupts:u has no count: never in"
		" user mode\n"
		"# 8 lines of lists, metrics and resources are not merged\n");
	assert_string_equal(stderr_text, "");
}

/* The merge is appended to the file. The names of the columns occur only once. */
static void merges_are_appended(void **state)
{
	fill("0", HEAD INSTRUCTIONS("1,1.000,"));
	PERFEX_EXITS(0, "--merge", "--csv", "--append", "-o", "c", "0");
	PERFEX_EXITS(0, "--merge", "--csv", "--append", "-o", "c", "0");
	check_file("c", COLUMNS
		   "event,instructions,u,22,1,1.000,,1,0,0,0,1,0,1,0,,\n"
		   "event,instructions,u,22,1,1.000,,1,0,0,0,1,0,1,0,,\n");
}

#define GOOD HEAD INSTRUCTIONS("1,1.000,") BRANCHES("1,1.000,")

/* Each row has a damaged second file, and words of the message. */
static const struct {
	const char *file;
	const char *words;
} damages[] = {
	{ "", "cannot merge 1: it is empty" },
	{ "\n", "1: line 1 is not a report ... --csv or --json" },
	{ "                   7  0x12   branches:uk\n",
	  "1: line 1 is not a report ... for people" },
	/* These files have other names or numbers of columns, or are themselves merges. */
	{ "kind,pid,name,value\n", "1: line 1 does not have the columns" },
	{ "kind,seconds,pid,tid,command,name,modes,code,value,share,note\n",
	  "1: line 1 does not have the columns" },
	{ COLUMNS "event,instructions,u,22,1,1.000,,1,0,0,0,1,0,1,0,,\n",
	  "1: line 1 is of a merge" },
	{ "{\"reports\":1,\"events\":[],\"notes\":[]}\n",
	  "1: line 1 is of a merge" },
	/* These files are cut off: in a row, after a row, in a string, in an object. */
	{ HEAD INSTRUCTIONS("1,1.000,") "event,,,,,branches",
	  "1: line 3 is cut off" },
	{ HEAD INSTRUCTIONS("1,1.000,"),
	  "1: line 2 has none as event 2 ... 0 has branches:uk" },
	{ HEAD, "1: it has no row of an event" },
	{ "{\"events\":[{\"name\":\"instr", "1: line 1 is cut off" },
	{ "{\"events\":[{\"name\":\"instr\n", "1: line 1 is cut off" },
	{ "{\"events\":[\n", "1: line 1 is cut off" },
	{ JSON(JSON_EVENT("instructions", "u", "22", EXACT("1")) "," JSON_EVENT(
		       "branches", "uk", "18", EXACT("1")),
	       "") "\n",
	  "1: line 2 is cut off" },
	/* These files have other events, other modes or another order. */
	{ HEAD BRANCHES("1,1.000,") INSTRUCTIONS("1,1.000,"),
	  "1: line 2 has branches:uk as event 1 ... 0 has instructions:u" },
	{ HEAD INSTRUCTIONS(
		  "1,1.000,") "event,,,,,branches,k,18,1,1.000,,,,,,,,,\n",
	  "1: line 3 has branches:k as event 2 ... 0 has branches:uk" },
	{ GOOD "event,,,,,stores,u,1,1,1.000,,,,,,,,,\n",
	  "1: line 4 has stores:u as event 3 ... 0 has none" },
	/* The rows contain two reports. */
	{ GOOD INSTRUCTIONS("1,1.000,") BRANCHES("1,1.000,"),
	  "1: line 4 has an event for the second time" },
	/* The file is a report of intervals. */
	{ HEAD "event,0.100,,,,instructions,u,22,1,1.000,,,,,,,,,\n",
	  "1: line 2 is of an interval ... --interval" },
	{ "{\"seconds\":0.100,\"events\":[],\"notes\":[]}\n",
	  "1: line 1 is of an interval" },
	/* The file is a report of several commands. */
	{ HEAD "event,,,,./new 1,instructions,u,22,1,1.000,,,,,,,2,,\n",
	  "1: line 2 is of a comparison ... --compare" },
	{ "{\"commands\":[{\"number\":1,\"events\":[]}],\"ratios\":[]}\n",
	  "1: line 1 is of a comparison" },
	/* These rows are damaged. */
	{ HEAD INSTRUCTIONS("1,1.000,") "event,,,,,branches,uk,18,1\n",
	  "1: line 3 lacks columns" },
	{ HEAD INSTRUCTIONS("1,1.000,\"x"), "1: line 2 has quotes" },
	{ HEAD INSTRUCTIONS("1,1.000,\"x\"y"), "1: line 2 has quotes" },
	{ HEAD INSTRUCTIONS("1,1.000,x\"y"), "1: line 2 has quotes" },
	{ HEAD INSTRUCTIONS("18446744073709551616,1.000,"),
	  "1: line 2 has a count that is not a whole number" },
	{ HEAD INSTRUCTIONS("-1,1.000,"),
	  "1: line 2 has a count that is not a whole number" },
	{ HEAD INSTRUCTIONS("1.5,1.000,"),
	  "1: line 2 has a count that is not a whole number" },
	{ HEAD INSTRUCTIONS("1,1.001,"), "1: line 2 has a share" },
	{ HEAD INSTRUCTIONS("1,,"), "1: line 2 has a share" },
	{ HEAD INSTRUCTIONS("1,nan,"), "1: line 2 has a share" },
	{ HEAD "event,,,,,instructions,u,22,7,0.502,,,,,,,,8,9\n",
	  "1: line 2 has an interval" },
	{ HEAD "event,,,,,instructions,u,22,7,0.502,,,,,,,,5,6\n",
	  "1: line 2 has an interval" },
	{ HEAD "event,,,,,instructions,u,22,7,0.502,,,,,,,,5,\n",
	  "1: line 2 has an interval" },
	{ HEAD "event,,,,,instructions,u,22,7,0.502,,,,,,,,5,9.5\n",
	  "1: line 2 has an interval" },
	{ HEAD INSTRUCTIONS(",,"), "1: line 2 has neither a count" },
	{ HEAD "event,,,,,,u,22,1,1.000,,,,,,,,,\n",
	  "1: line 2 has an event without a name" },
	{ HEAD "event,,,,,a,x,22,1,1.000,,,,,,,,,\n",
	  "1: line 2 has an event without" },
	/* These objects are damaged. */
	{ "{\"events\":[],\"notes\":[]}\n",
	  "1: line 1 is a report without events" },
	{ "{\"notes\":[]}\n", "1: line 1 is a report without events" },
	{ "{\"events\":{}}\n", "1: line 1 is not valid JSON" },
	{ "{\"events\":[],}\n", "1: line 1 is not valid JSON" },
	{ "{\"notes\":[\"\\q\"]}\n", "1: line 1 is not valid JSON" },
	{ "{\"notes\":[\"\\ud83d\"]}\n", "1: line 1 is not valid JSON" },
	{ "{\"notes\":[\"\\u0000\"]}\n", "1: line 1 is not valid JSON" },
	{ "{\"x\":[1-]}\n", "1: line 1 is not valid JSON" },
	{ "{\"x\":[0x1]}\n", "1: line 1 is not valid JSON" },
	{ "{\"x\":nul}\n", "1: line 1 is not valid JSON" },
	{ "{\"x\" 1}\n", "1: line 1 is not valid JSON" },
	{ "{\"x\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]"
	  "]]]]]]]]]]]]]]]}\n",
	  "1: line 1 is nested too deeply" },
};

static void what_cannot_be_merged_is_named_and_changes_nothing(void **state)
{
	size_t i;

	fill("0", GOOD);
	fill("old", "before\n");
	for (i = 0; i < ARRAY_SIZE(damages); i++) {
		fill("1", damages[i].file);
		PERFEX_EXITS(216, "--merge", "-o", "old", "0", "1");
		check_sentence("%s", damages[i].words);
		check_file("old", "before\n");
	}
	PERFEX_EXITS(216, "--merge", "-o", "new", "0", "none");
	check_sentence("none: No such file");
	assert_int_equal(access("new", F_OK), -1);
}

/* After a crash, a file system can leave zeros where data was not written. */
static void a_zero_byte_is_damage(void **state)
{
	static const char text[] = HEAD "event\0\n";

	fill_bytes("0", text, sizeof(text) - 1);
	PERFEX_EXITS(216, "--merge", "0");
	check_sentence("0: line 2 is damaged ... zero byte");
}

/* Events with equal names and different codes must not be added. */
static void raw_codes_are_different_events(void **state)
{
	fill("0", HEAD "event,,,,,raw,u,999,1,1.000,,,,,,,,,\n");
	fill("1", HEAD "event,,,,,raw,u,998,1,1.000,,,,,,,,,\n");
	PERFEX_EXITS(216, "--merge", "0", "1");
	check_sentence("1: line 2 has raw:u");
}

static const char *const others[] = {
	"-ke0x16",
	"-a",
	"-n",
	"-m",
	"-p1",
	"--for=1",
	"--force",
	"--times",
	"--strict",
	"--interval=1",
	"--runs",
	"-r2",
	"--regions",
	"--system",
	"--multiplex",
	"-gcpi",
	"-l",
	"-i",
	"--pre=true",
	"-x",
	"--compare",
	"--plot=plot",
	"--timeline=trace",
	"--live",
	"--openmetrics",
	"--prometheus",
};

static void other_options_do_not_go_with_it(void **state)
{
	size_t i;

	fill("0", GOOD);
	for (i = 0; i < ARRAY_SIZE(others); i++) {
		PERFEX_EXITS(200, "--merge", others[i], "0");
		check_sentence("--merge cannot be combined with -");
	}
	PERFEX_EXITS(200, "--merge", "-gcpi", "0");
	check_sentence("--merge cannot be combined with -g (");
	PERFEX_EXITS(200, "--merge");
	check_sentence("give the reports");
	PERFEX_EXITS(200, "--merge", "--append", "0");
	check_sentence("--append needs -o");
}

/* Merging does not need a driver. */
static void no_driver_is_needed(void **state)
{
	fill("0", GOOD);
	fake->open_errno = ENOENT;
	PERFEX_EXITS(0, "--merge", "0");
	PERFEX_EXITS(206, "true");
}

#define MERGE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, enter_directory, leave_directory)

static const struct CMUnitTest tests[] = {
	MERGE_TEST(a_rank_is_that_of_the_launcher),
	MERGE_TEST(host_and_process_are_in_the_name),
	MERGE_TEST(what_a_name_cannot_have_is_told),
	MERGE_TEST(a_name_that_is_too_long_is_told),
	MERGE_TEST(sums_least_and_most_are_those_of_the_files),
	MERGE_TEST(a_report_is_merged_once),
	MERGE_TEST(a_report_that_is_merged_is_not_overwritten),
	MERGE_TEST(reports_of_perfex_are_merged),
	MERGE_TEST(merges_are_appended),
	MERGE_TEST(what_cannot_be_merged_is_named_and_changes_nothing),
	MERGE_TEST(a_zero_byte_is_damage),
	MERGE_TEST(raw_codes_are_different_events),
	MERGE_TEST(other_options_do_not_go_with_it),
	MERGE_TEST(no_driver_is_needed),
};

UNIT_MAIN(tests)

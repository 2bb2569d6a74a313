// SPDX-License-Identifier: GPL-2.0-only
/* This file tests how perfex --timeline reports the entries that processes have written. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_driver.h"
#include "fake_system.h"
#include "run_files.h"
#include "run_perfex.h"
#include "vpmc_timeline.h"

/* The command leaves the first file, and perfex writes the second one. */
static const char *const noted = other;
static const char *const written = path;
static char text[16384];

/* A file has room for this many windows. */
#define WINDOWS 4
static union {
	struct vpmc_timeline_file head;
	char bytes[WINDOWS * VPMC_TIMELINE_WINDOW];
} file;

static int setup(void **state)
{
	if (file_setup(state))
		return -1;
	fill(noted, "");
	memset(&file, 0, sizeof(file));
	file.head.magic = VPMC_TIMELINE_MAGIC;
	file.head.windows = 1;
	return 0;
}

static int teardown(void **state)
{
	const int is_gone = access(noted, F_OK);

	return file_teardown(state) || is_gone ? -1 : 0;
}

/* Add a window of a thread, with the first time stamp 1000. */
static struct vpmc_timeline_window *add_window(uint32_t thread, int pid,
					       unsigned int events)
{
	struct vpmc_timeline_window *window =
		(void *)(file.bytes +
			 (size_t)file.head.windows++ * VPMC_TIMELINE_WINDOW);
	unsigned int i;

	*window = (struct vpmc_timeline_window){
		.thread = thread,
		.turn = file.head.windows,
		.pid = pid,
		.tid = pid,
		.anew = 1,
		.events = events,
		.since = 1000,
		.ready = 1001,
		.command = "a\"b",
	};
	for (i = 0; i < events; i++) {
		window->event[i] = (struct vpmc_timeline_event){
			.code = i ? 0x12 : 0x16,
			.counter = (int)i,
			.modes = VPMC_USER,
		};
		window->own[i] = 7;
		window->pair[i] = 14;
	}
	return window;
}

static char *next_place(struct vpmc_timeline_window *window)
{
	return vpmc_timeline_at(window, window->used++,
				vpmc_timeline_size(window->events));
}

static void add_counted(struct vpmc_timeline_window *window,
			enum vpmc_timeline_kind kind, uint32_t region,
			uint64_t stamp, uint64_t count)
{
	const uint64_t counts[VPMC_TIMELINE_EVENTS] = { count, 10 * count };

	vpmc_timeline_write(next_place(window),
			    vpmc_timeline_what(kind, region), stamp, counts,
			    window->events < VPMC_TIMELINE_EVENTS
				    ? window->events
				    : VPMC_TIMELINE_EVENTS);
}

static void add(struct vpmc_timeline_window *window,
		enum vpmc_timeline_kind kind, uint32_t region, uint64_t stamp)
{
	add_counted(window, kind, region, stamp, 0);
}

static void add_name(struct vpmc_timeline_window *window, uint32_t region,
		     uint32_t around, const char *name)
{
	const uint32_t size = vpmc_timeline_size(window->events);
	const size_t length = strlen(name);
	const uint32_t what = vpmc_timeline_what(VPMC_TIMELINE_NAME, region);
	const uint32_t more = (uint32_t)(length / size) + 1;
	char *place = next_place(window);

	memcpy(place, &around, sizeof(around));
	memcpy(place + 4, &more, sizeof(more));
	memcpy(place + size - 4, &what, sizeof(what));
	memcpy(place + size, name, length + 1);
	window->used += more;
}

static void add_begin(struct vpmc_timeline_window *window, uint32_t region,
		      uint64_t stamp)
{
	add(window, VPMC_TIMELINE_BEGIN, region, stamp);
}

static void add_end(struct vpmc_timeline_window *window, uint32_t region,
		    uint64_t stamp, uint64_t count)
{
	add_counted(window, VPMC_TIMELINE_END, region, stamp, count);
}

/* Return the number after @what, or 0. @after receives the text after it, or @in. */
static double number_behind(const char *what, const char *in, char **after)
{
	const char *at = in ? strstr(in, what) : NULL;

	*after = (char *)(at ? at + strlen(what) : in);
	return at ? strtod(*after, after) : 0;
}

#define RATE  "\"ticks_per_microsecond\":"
#define FIRST "\"first_tsc\":"

/*
 * Return the time stamp of a time. Stamps are multiples of 10, so the time may have a few
 * ticks more.
 */
static unsigned long long stamp_of(double us)
{
	char *after;
	const double rate = number_behind(RATE, content(written), &after);
	const double first = number_behind(FIRST, content(written), &after);

	return (unsigned long long)((first + us * rate) / 10 + 0.3) * 10;
}

/* Put time stamps instead of times into the text, because times depend on the measured rate. */
static void put_stamps(void)
{
	static const char ts[] = "\"ts\":", dur[] = "\"dur\":";
	char *at = text, *after, rest[sizeof(text)];
	double begin, length;

	while ((at = strstr(at, ts))) {
		begin = number_behind(ts, at, &after);
		length = number_behind(dur, after, &after);
		snprintf(rest, sizeof(rest), "%s", after);
		at += sprintf(at, "\"tsc\":[%llu,%llu]", stamp_of(begin),
			      stamp_of(begin + length));
		memcpy(at, rest, strlen(rest) + 1);
	}
	at = strstr(text, RATE);
	if (at) {
		after = strchr(at, ',') + 1;
		memmove(at, after, strlen(after) + 1);
	}
}

/* The command executes this before it ends. */
static const char *at_end = "true";

/* Run perfex with a command that leaves the file. Return the output of perfex. */
static const char *timeline(const char *option, const char *events, int want)
{
	char command[400], option_with[sizeof(path) + 20];

	fill_bytes(noted, &file,
		   (size_t)file.head.windows * VPMC_TIMELINE_WINDOW);
	snprintf(command, sizeof(command),
		 "test -w \"$VPMC_TIMELINE_FILE\" &&"
		 " cat %s >\"$VPMC_TIMELINE_FILE\" && { %s; }",
		 noted, at_end);
	snprintf(option_with, sizeof(option_with), "--timeline=%s", written);
	PERFEX_EXITS(want, option_with, option, "-e", events, "sh", "-c",
		     command);
	snprintf(text, sizeof(text), "%s", content(written));
	put_stamps();
	return text;
}

#define HEAD "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
#define TAIL(first, lost, earlier, ends, begins)                          \
	"\n],\"otherData\":{\"writer\":\"perfex " VPMC_VERSION            \
	"\",\"clock\":\"time stamp counter\",\"first_tsc\":" first        \
	",\"lost_entries\":" lost ",\"earlier_stamps\":" earlier          \
	",\"ends_without_begin\":" ends ",\"begins_without_end\":" begins \
	"}}\n"
#define EVENT(phase, category, pid, name)                             \
	"{\"ph\":\"" phase "\",\"cat\":\"" category "\",\"pid\":" pid \
	",\"tid\":" pid ",\"name\":\"" name "\","
#define NAME(pid, what)                     \
	EVENT("M", "__metadata", pid, what) \
	"\"args\":{\"name\":\"a\\\"b\"}}"
#define NAMES(pid) "\n" NAME(pid, "process_name") ",\n" NAME(pid, "thread_name")
#define REGION(pid, name, begin, end, args)                             \
	",\n" EVENT("X", "region", pid, name) "\"tsc\":[" begin "," end \
					      "],\"args\":{" args "}}"
#define LEAF(event, count) "\"" event "\":" count
#define ONE(event, inclusive, exclusive) \
	"\"" event "\":" inclusive ",\"" event " exclusive\":" exclusive
#define INSTRUCTIONS(a, b)   ONE("instructions_executed:u", a, b)
#define LEAF_INSTRUCTIONS(a) LEAF("instructions_executed:u", a)
#define NOTE(note)	     "\"note\":\"" note "\""

/* Write one region twice within an outer region. */
static void note_nested(unsigned int events)
{
	struct vpmc_timeline_window *window = add_window(1, 77, events);

	add_name(window, 1, 0, "outer");
	add_begin(window, 1, 1100);
	add_name(window, 2, 1, "in\nner");
	add_begin(window, 2, 1200);
	add_end(window, 2, 1300, 27);
	add(window, VPMC_TIMELINE_VOID, 5, 5);
	add_begin(window, 2, 1400);
	add_end(window, 2, 1500, 57);
	add_end(window, 1, 1600, 135);
}

/* This is a region, the number of the region around it, and its count at the end. */
struct region {
	const char *name;
	uint32_t around;
	uint64_t count;
};

/* Write entries of three regions. Each region lies within the previous region. */
static void note_each_within(const struct region region[3])
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);
	uint32_t i;

	for (i = 1; i <= 3; i++)
		add_name(window, i, region[i - 1].around, region[i - 1].name);
	for (i = 1; i <= 3; i++)
		add_begin(window, i, 1000 + 100 * i);
	for (i = 3; i; i--)
		add_end(window, i, 1700 - 100 * i, region[i - 1].count);
}

/* Check perfex's output for note_nested(1), with these counts. */
#define NESTED(first, second, outer, exclusive)                       \
	HEAD NAMES("77") REGION("77", "in\\\\x0aner", "1200", "1300", \
				LEAF_INSTRUCTIONS(first))             \
		REGION("77", "in\\\\x0aner", "1400", "1500",          \
		       LEAF_INSTRUCTIONS(second))                     \
			REGION("77", "outer", "1100", "1600",         \
			       INSTRUCTIONS(outer, exclusive))        \
				TAIL("1000", "0", "0", "0", "0")

/* A region itself costs 7, and each region within it costs 14. */
static void counts_are_without_costs_or_with_them(void **state)
{
	note_nested(1);
	assert_string_equal(timeline("--times", "0x16", 0),
			    NESTED("20", "50", "100", "30"));
	assert_string_equal(timeline("--regions=raw", "0x16", 0),
			    NESTED("27", "57", "135", "51"));
}

/* The costs of nested regions are taken out on all levels. */
static void costs_of_all_regions_within_are_taken_out(void **state)
{
	static const struct region regions[3] = {
		{ "outer", 0, 1000 + 7 + 2 * 14 },
		{ "middle", 1, 100 + 7 + 14 },
		{ "inner", 2, 10 + 7 },
	};

	note_each_within(regions);
	check_says(timeline("--times", "0x16", 0),
		   REGION("9", "inner", "1300", "1400", LEAF_INSTRUCTIONS("10"))
			   REGION("9", "middle", "1200", "1500",
				  INSTRUCTIONS("100", "90"))
				   REGION("9", "outer", "1100", "1600",
					  INSTRUCTIONS("1000", "900")));
}

/* A count of 0 would look like a result of the region. */
static void an_event_that_cannot_happen_has_a_reason(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 7, 2);

	window->event[1].code = 0x27;
	add_name(window, 1, 0, "x");
	add_begin(window, 1, 1100);
	add_end(window, 1, 1200, 27);
	fake->read.nr_counts = 2;
	check_says(timeline("--times", "0x16,0x27", 0),
		   REGION("7", "x", "1100", "1200",
			  LEAF_INSTRUCTIONS("20") ",\"hardware_interrupts:u\":"
						  "\"never in user mode\""));
}

/* An event is named by perfex's name, by its code, or by a number if perfex does not count it. */
static void events_have_names_of_their_own(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 7, 2);

	add_name(window, 1, 0, "r");
	add_begin(window, 1, 2000);
	add_end(window, 1, 2010, 7);
	assert_string_equal(timeline("--times", "0x16,0x12", 0),
			    HEAD NAMES("7")
				    REGION("7", "r", "2000", "2010",
					   LEAF_INSTRUCTIONS("0") "," LEAF(
						   "branches:u", "63"))
					    TAIL("1000", "0", "0", "0", "0"));
	window->event[1].code = 0x16;
	window->event[1].counter = 0;
	window->event[0].modes = VPMC_KERNEL;
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("7")
			REGION("7", "r", "2000", "2010",
			       LEAF("0x16:k", "0") "," LEAF_INSTRUCTIONS("63"))
				TAIL("1000", "0", "0", "0", "0"));
	window->event[0].modes = VPMC_USER;
	assert_string_equal(timeline("--times", "0x16", 0),
			    HEAD NAMES("7") REGION(
				    "7", "r", "2000", "2010",
				    LEAF_INSTRUCTIONS("0") "," LEAF(
					    "instructions_executed:u #2", "63"))
				    TAIL("1000", "0", "0", "0", "0"));
}

static void what_has_no_count_or_no_end_says_so(void **state)
{
	struct vpmc_timeline_window *window = add_window(3, 9, 1);

	add_name(window, 1, 0, "a");
	add_name(window, 2, 1, "b");
	add_begin(window, 1, 1100);
	add(window, VPMC_TIMELINE_UNCOUNTED, 1, 1200);
	add_begin(window, 1, 1210);
	add_begin(window, 2, 1220);
	add(window, VPMC_TIMELINE_UNCOUNTED, 2, 1230);
	add_end(window, 1, 1240, 31);
	add_begin(window, 1, 1300);
	add_begin(window, 2, 1400);
	add_end(window, 1, 1500, 21);
	add_begin(window, 2, 1600);
	/* The process executes another program. */
	window = add_window(4, 9, 1);
	window->since = 1650;
	add_begin(window, 1, 1700);
	/* The regions begin again, too. */
	window = add_window(4, 9, 1);
	window->since = 1750;
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION(
			"9", "a", "1100", "1200",
			NOTE("it was not counted all the time")) REGION("9",
									"b",
									"1220",
									"1230",
									NOTE("it was not counted all the time"))
			REGION("9", "a", "1210", "1240",
			       LEAF_INSTRUCTIONS("10") "," NOTE(
				       "one within it was not counted all the time"))
				REGION("9", "b", "1400", "1500",
				       NOTE("it had not ended")) REGION("9",
									"a",
									"1300",
									"1500",
									LEAF_INSTRUCTIONS(
										"14"))
					REGION("9", "b", "1600", "1650",
					       NOTE("it had not ended")) "," NAMES("9")
						REGION("9", "?", "1700", "1750",
						       NOTE("it had not ended"))
							TAIL("1000", "0", "0",
							     "0", "3"));
}

/* When the process died, the thread was executing the innermost region. */
static void open_regions_of_the_dead_last_to_the_end(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);
	const uint64_t begin = vpmc_timeline_stamp();
	double length[2];
	char *at;

	window->since = begin;
	add_name(window, 1, 0, "a");
	add_name(window, 2, 1, "b");
	add_begin(window, 1, begin);
	add_begin(window, 2, begin);
	timeline("--times", "0x16", 0);
	length[0] = number_behind("\"dur\":", content(written), &at);
	length[1] = number_behind("\"dur\":", at, &at);
	assert_true(length[0] > 1);
	assert_true(length[1] > length[0] && length[1] < length[0] + 0.01);
}

/* The thread exits long before perfex ends. */
static void open_regions_of_a_thread_last_until_it_exits(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "a");
	add_begin(window, 1, 1100);
	window->left = 1450;
	assert_string_equal(timeline("--times", "0x16", 0),
			    HEAD NAMES("9") REGION("9", "a", "1100", "1450",
						   NOTE("it had not ended"))
				    TAIL("1000", "0", "0", "0", "1"));
}

/*
 * A nested region is made shorter than the region around it, because viewers order regions only
 * by their times.
 */
static void times_of_a_thread_differ(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);
	double begin[2], end[2];
	unsigned int i;
	char *at;

	add_name(window, 1, 0, "a");
	add_name(window, 2, 1, "b");
	add_begin(window, 1, 1100);
	add_begin(window, 2, 1100);
	add_end(window, 2, 1100, 27);
	add_end(window, 1, 1100, 57);
	timeline("--times", "0x16", 0);
	at = (char *)content(written);
	for (i = 0; i < 2; i++) {
		begin[i] = number_behind("\"ts\":", at, &at);
		end[i] = begin[i] + number_behind("\"dur\":", at, &at);
	}
	assert_true(begin[1] < begin[0]);
	assert_true(begin[0] < end[0]);
	assert_true(end[0] < end[1]);
}

/* Two PID namespaces have threads with the same number at the same time. */
static void equal_numbers_at_one_time_are_two_threads(void **state)
{
	struct vpmc_timeline_window *window;
	const char *found;
	uint32_t i;

	for (i = 1; i <= 3; i++) {
		window = add_window(i, 9, 1);
		window->since = i == 3 ? 1500 : 1000;
		add_name(window, 1, 0, "a");
		add_begin(window, 1, 1100 + window->since);
		add_end(window, 1, 1200 + window->since, 27);
	}
	add_begin(window, 1, 2800);
	add_end(window, 1, 2900, 27);
	found = timeline("--times", "0x16", 0);
	check_says(found, "\"pid\":9,\"tid\":9,\"name\":\"a\"");
	check_says(found, "\"pid\":9,\"tid\":4194313,\"name\":\"a\"");
	check_says(found, "\"pid\":9,\"tid\":8388617,\"name\":\"a\"");
}

/*
 * A handler's region can lie between begin and end of the interrupted region, and still belong to
 * the region around both regions.
 */
static void exclusive_counts_go_by_the_region_around(void **state)
{
	static const struct region regions[3] = {
		{ "around", 0, 1035 },
		{ "inner", 1, 107 },
		{ "handler", 1, 17 },
	};

	note_each_within(regions);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION("9", "handler", "1300", "1400",
				       LEAF_INSTRUCTIONS("10"))
			REGION("9", "inner", "1200", "1500",
			       LEAF_INSTRUCTIONS("100"))
				REGION("9", "around", "1100", "1600",
				       INSTRUCTIONS("1000", "890"))
					TAIL("1000", "0", "0", "0", "0"));
}

/* The signal came after the region had begun, and before its begin was written. */
static void what_comes_before_its_begin_is_within_it(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "inner");
	add_name(window, 2, 1, "handler");
	add_begin(window, 2, 1100);
	add_end(window, 2, 1200, 17);
	add_begin(window, 1, 1300);
	add_end(window, 1, 1400, 131);
	add_begin(window, 1, 1500);
	add_end(window, 1, 1600, 107);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION("9", "handler", "1100", "1200",
				       LEAF_INSTRUCTIONS("10"))
			REGION("9", "inner", "1300", "1400",
			       INSTRUCTIONS("110", "100"))
				REGION("9", "inner", "1500", "1600",
				       LEAF_INSTRUCTIONS("100"))
					TAIL("1000", "0", "0", "0", "0"));
}

/* Each signal came after the entry had been reserved, and before its time stamp was read. */
static void a_handlers_regions_come_after_what_they_interrupt(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "a");
	add_name(window, 2, 0, "handler");
	add_name(window, 3, 0, "b");
	add_begin(window, 1, 1500);
	add_name(window, 4, 0, "other");
	add_begin(window, 2, 1400);
	add(window, VPMC_TIMELINE_APART, 2, 1100);
	add_begin(window, 3, 1200);
	add_end(window, 3, 1300, 7);
	add_end(window, 2, 1410, 7);
	add_end(window, 1, 1900, 7);
	add_begin(window, 4, 1600);
	add_end(window, 4, 1700, 7);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION(
			"9", "b", "1200", "1300",
			LEAF_INSTRUCTIONS("0")) REGION("9", "handler", "1200",
						       "1410",
						       LEAF_INSTRUCTIONS("0"))
			REGION("9", "a", "1200", "1600", LEAF_INSTRUCTIONS("0"))
				REGION("9", "other", "1600", "1700",
				       LEAF_INSTRUCTIONS("0"))
					TAIL("1000", "0", "0", "0", "0"));
}

static void add_apart(struct vpmc_timeline_window *window,
		      enum vpmc_timeline_kind kind, uint32_t region,
		      uint64_t count)
{
	add_counted(window, kind, region, 0, count);
}

/*
 * Events do not count while the library changes the window, or while a handler interrupts a
 * begin.
 */
static void what_is_apart_is_not_counted(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "a");
	add_name(window, 2, 1, "b");
	add_name(window, 3, 1, "handler");
	add_begin(window, 1, 1100);
	add_begin(window, 2, 1200);
	add_apart(window, VPMC_TIMELINE_APART, 2, 1000);
	add_begin(window, 3, 1300);
	add_apart(window, VPMC_TIMELINE_APART, 3, 20000);
	add_end(window, 3, 1400, 20017);
	add_apart(window, VPMC_TIMELINE_APART_ONE, 2, 20100);
	add_end(window, 2, 1500, 21207);
	add_apart(window, VPMC_TIMELINE_APART_ONE, 2, 300000);
	add_begin(window, 2, 1600);
	add_end(window, 2, 1700, 300027);
	add_end(window, 1, 1800, 521549);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION("9", "handler", "1300", "1400",
				       LEAF_INSTRUCTIONS("10"))
			REGION("9", "b", "1200", "1500",
			       LEAF_INSTRUCTIONS(
				       "100")) REGION("9", "b", "1600", "1700",
						      LEAF_INSTRUCTIONS("20"))
				REGION("9", "a", "1100", "1800",
				       INSTRUCTIONS("500500", "500370"))
					TAIL("1000", "0", "0", "0", "0"));
}

/*
 * A handler interrupts the begin of "b" after its count was read, and before it has an entry. The
 * library writes the name of the handler's region then, which is within "b".
 */
static void what_is_apart_may_come_before_the_begin(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "a");
	add_name(window, 2, 1, "b");
	add_begin(window, 1, 1100);
	add_name(window, 3, 2, "handler");
	add_apart(window, VPMC_TIMELINE_APART, 2, 1000);
	add_begin(window, 3, 1300);
	add_end(window, 3, 1400, 17);
	add_begin(window, 2, 1450);
	add_end(window, 2, 1600, 1131);
	add_end(window, 1, 1800, 1645);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION("9", "handler", "1300", "1400",
				       LEAF_INSTRUCTIONS("10"))
			REGION("9", "b", "1450", "1600",
			       INSTRUCTIONS("110", "100"))
				REGION("9", "a", "1100", "1800",
				       INSTRUCTIONS("610", "500"))
					TAIL("1000", "0", "0", "0", "0"));
}

static void numbers_and_times_have_any_size(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 2);

	add_name(window, 1, 0, "a");
	add_begin(window, 1, 1000000000000);
	add_end(window, 1, 2000000000000, 1000000017);
	add_begin(window, 1, 2000000000010);
	add_end(window, 1, 2000000000020, INT64_MAX / 256 / 10);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9") REGION("9", "a", "1000000000000",
				       "2000000000000",
				       LEAF_INSTRUCTIONS("1000000010") "," LEAF(
					       "0x12:u", "10000000163"))
			REGION("9", "a", "2000000000010", "2000000000020",
			       LEAF_INSTRUCTIONS("3602879701896389") "," LEAF(
				       "0x12:u", "36028797018963953"))
				TAIL("1000", "0", "0", "0", "0"));
}

/* A window has 7 bytes for each stamp and for each count. Times have 17 digits. */
static void long_times_and_counts_are_whole(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);
	const uint64_t most = UINT64_C(1) << 56;

	window->since = 2 * most - 64;
	window->ready = 2 * most - 32;
	add_name(window, 1, 0, "a");
	add_counted(window, VPMC_TIMELINE_BEGIN, 1, 2 * most - 16, most - 5);
	add_counted(window, VPMC_TIMELINE_END, 1, 2 * most + 64, most + 10);
	assert_string_equal(
		timeline("--times", "0x16", 0),
		HEAD NAMES("9")
			REGION("9", "a", "144115188075855860",
			       "144115188075855940", LEAF_INSTRUCTIONS("8"))
				TAIL("144115188075855808", "0", "0", "0", "0"));
}

static void no_time_goes_back(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	add_name(window, 1, 0, "a");
	add_begin(window, 1, 1100);
	add_end(window, 1, 1050, 7);
	add_begin(window, 1, 1070);
	add_end(window, 1, 1200, 7);
	assert_string_equal(timeline("--times", "0x16", 0),
			    HEAD NAMES("9") REGION("9", "a", "1100", "1100",
						   LEAF_INSTRUCTIONS("0"))
				    REGION("9", "a", "1100", "1200",
					   LEAF_INSTRUCTIONS("0"))
					    TAIL("1000", "0", "2", "0", "0"));
}

#define OTHER(what)                                                  \
	"{\"ph\":\"M\",\"cat\":\"__metadata\",\"pid\":8,\"tid\":88," \
	"\"name\":\"" what "\",\"args\":{\"name\":\"a\\\"b\"}}"

/* The windows of a thread may be in any order. A switch from one thread to another is shown. */
static void each_thread_stands_by_itself(void **state)
{
	struct vpmc_timeline_window *window = add_window(2, 9, 1);

	add_name(window, 1, 0, "a");
	add_begin(window, 1, 1100);
	window = add_window(1, 8, 1);
	window->tid = 88;
	window->since = 900;
	add_name(window, 1, 0, "c");
	window = add_window(2, 9, 1);
	window->anew = 0;
	window->since = 1200;
	window->ready = 1300;
	add_end(window, 1, 1400, 7);
	assert_string_equal(
		timeline("--times", "0x16", 0), HEAD
		"\n" OTHER("process_name") ",\n" OTHER("thread_name") "," NAMES("9") ",\n" EVENT(
			"X", "perfex", "9",
			"(timeline)") "\"tsc\":[1200,1300],\"args\":{}}" REGION("9",
										"a",
										"1100",
										"1400",
										LEAF_INSTRUCTIONS(
											"0"))
			TAIL("900", "0", "0", "0", "0"));
}

/* The program was killed between copying its window and clearing it. */
static void a_copied_window_is_read_once(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);
	struct vpmc_timeline_window *copy = add_window(1, 9, 1);
	const char *found;

	copy->turn = window->turn;
	add_name(copy, 1, 0, "a");
	add_begin(copy, 1, 1100);
	add_end(copy, 1, 1200, 27);
	/* The program had begun to clear the window. */
	add_begin(window, 1, 1100);
	found = strstr(timeline("--times", "0x16", 0), "\"name\":\"a\"");
	assert_non_null(found);
	assert_null(strstr(found + 1, "\"name\":\"a\""));
	assert_null(strstr(text, "\"name\":\"?\""));
}

/* While perfex reads the file, another process fills its window and clears it. */
static void go_on(int fd, size_t size)
{
	struct vpmc_timeline_window *window = (void *)(file.bytes + size);

	if (size != VPMC_TIMELINE_WINDOW)
		return;
	fake_before_pread = NULL;
	if (pwrite(fd, window, size, 2L * VPMC_TIMELINE_WINDOW) < 0)
		abort();
	memset(window + 1, 0, size - sizeof(*window));
	window->used = 0;
	window->turn++;
	if (pwrite(fd, window, size, VPMC_TIMELINE_WINDOW) < 0)
		abort();
}

static void a_window_that_is_emptied_meanwhile_is_read(void **state)
{
	note_nested(1);
	fake_before_pread = go_on;
	timeline("--times", "0x16", 0);
	fake_before_pread = NULL;
	check_says(text, EVENT("X", "region", "77", "outer"));
}

static void what_is_lost_is_told(void **state)
{
	note_nested(1);
	file.head.lost = 12;
	check_says(timeline("--times", "0x16", 211), "\"lost_entries\":12,");
	check_says(stderr_text, "perfex: 12 begins and ends of regions are"
				" missing in the timeline");
	check_says(text, EVENT("X", "region", "77", "outer"));
}

/* No data that a program writes can harm perfex. */
static void garbage_is_left_out(void **state)
{
	struct vpmc_timeline_window *window = add_window(1, 9, 1);

	window->events = UINT32_MAX;
	add_end(window, 1, 1100, 7);
	add_end(window, UINT32_MAX, 1100, 7);
	add(window, 77, 1, 1);
	add(window, VPMC_TIMELINE_NAME, UINT32_MAX, 1);
	add(window, VPMC_TIMELINE_NAME, 0, 1);
	/* The name has no end, and is longer than all entries together. */
	add(window, VPMC_TIMELINE_NAME, 1, UINT64_MAX);
	memset(next_place(window), 'x', vpmc_timeline_size(window->events));
	window = add_window(1, 9, 1);
	window->anew = 0;
	window->since = 0;
	window->used = UINT32_MAX;
	/* The file ends in the middle of the last window. */
	file.head.windows++;
	timeline("--times", "0x16", 0);
	check_says(text, "\"ends_without_begin\":2,");
	assert_string_equal(strstr(text, "\n],"),
			    TAIL("0", "0", "0", "2", "0"));
	/* An empty file is not valid either. */
	PERFEX_EXITS(211, "--timeline", written, "sh", "-c",
		     ": >\"$VPMC_TIMELINE_FILE\"");
	check_says(stderr_text, "perfex: there is no timeline");
}

static void without_regions_there_is_an_empty_timeline(void **state)
{
	assert_string_equal(timeline("--times", "0x16", 0),
			    HEAD TAIL("0", "0", "0", "0", "0"));
}

static void a_file_that_cannot_be_written_is_told_before(void **state)
{
	PERFEX_EXITS(210, "--timeline", "/nowhere/t", "touch", written);
	check_sentence("/nowhere/t");
	PERFEX_EXITS(200, "--timeline", "/tmp/%x", "true");
	check_sentence("%%x ... --timeline");
	setenv("TMPDIR", "/nowhere", 1);
	PERFEX_EXITS(210, "--timeline", written, "true");
	check_sentence("/nowhere ... TMPDIR");
	unsetenv("TMPDIR");
	PERFEX_EXITS(210, "--timeline", "/dev/full", "true");
	check_says(stderr_text, "cannot write the timeline to"
				" /dev/full");
}

/* Each file gets only one kind of output. */
static void report_plot_and_timeline_have_files_of_their_own(void **state)
{
	static const char plot[] = "/tmp/../dev/null";

	PERFEX_EXITS(200, "-o", written, "--timeline", written, "touch", noted);
	check_sentence("%s ... --timeline", written);
	PERFEX_EXITS(200, "--interval=1", "--plot", written, "--timeline",
		     written, "true");
	check_sentence("%s ... --timeline", written);
	PERFEX_EXITS(0, "--interval=1", "-o", "/dev/null", "--plot", plot,
		     "--timeline", written, "true");
}

/* Programs that run before and after the command are not in the timeline. */
static void what_runs_around_has_no_timeline(void **state)
{
	static const char line[] = "test -z \"$VPMC_TIMELINE_FILE\"";

	PERFEX_EXITS(0, "--timeline", written, "--pre", line, "--post", line,
		     "true");
}

/* If the command has not run, there is nothing to write. */
static void without_a_run_the_file_stays(void **state)
{
	fill(written, "before");
	PERFEX_EXITS(127, "--timeline", written, "/nowhere");
	check_file(written, "before");
}

static const char *const others[] = {
	"-l",	  "-i",	      "-p1",	     "-r2",
	"--runs", "--system", "--multiplex", "--compare",
};

static void other_options_do_not_go_with_it(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(others); i++) {
		PERFEX_EXITS(200, "--timeline", written, others[i]);
		check_sentence("cannot be combined with");
		check_says(stderr_text, "--timeline");
	}
	PERFEX_EXITS(200, "--timeline=a", "--timeline=b", "true");
	check_sentence("--timeline ... twice");
}

/*
 * The program enlarges the file as far as the file system permits, without writing to it. A
 * tmpfs permits files of 2^32 - 1 windows and more; other file systems may permit less.
 */
static void a_file_may_have_any_size(void **state)
{
	char want[sizeof(text)];

	(void)state;
	if (!access("/dev/shm", W_OK))
		setenv("TMPDIR", "/dev/shm", 1);
	note_nested(1);
	snprintf(want, sizeof(want), "%s",
		 timeline("--regions", "instructions_executed", 0));
	at_end = "truncate -s 281474976645120 \"$VPMC_TIMELINE_FILE\" ||"
		 " truncate -s 8T \"$VPMC_TIMELINE_FILE\"";
	assert_string_equal(timeline("--regions", "instructions_executed", 0),
			    want);
	at_end = "true";
	unsetenv("TMPDIR");
}

#define TIMELINE_TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

static const struct CMUnitTest tests[] = {
	TIMELINE_TEST(counts_are_without_costs_or_with_them),
	TIMELINE_TEST(a_file_may_have_any_size),
	TIMELINE_TEST(costs_of_all_regions_within_are_taken_out),
	TIMELINE_TEST(an_event_that_cannot_happen_has_a_reason),
	TIMELINE_TEST(events_have_names_of_their_own),
	TIMELINE_TEST(what_has_no_count_or_no_end_says_so),
	TIMELINE_TEST(open_regions_of_the_dead_last_to_the_end),
	TIMELINE_TEST(open_regions_of_a_thread_last_until_it_exits),
	TIMELINE_TEST(times_of_a_thread_differ),
	TIMELINE_TEST(equal_numbers_at_one_time_are_two_threads),
	TIMELINE_TEST(exclusive_counts_go_by_the_region_around),
	TIMELINE_TEST(what_comes_before_its_begin_is_within_it),
	TIMELINE_TEST(a_handlers_regions_come_after_what_they_interrupt),
	TIMELINE_TEST(what_is_apart_is_not_counted),
	TIMELINE_TEST(what_is_apart_may_come_before_the_begin),
	TIMELINE_TEST(numbers_and_times_have_any_size),
	TIMELINE_TEST(long_times_and_counts_are_whole),
	TIMELINE_TEST(no_time_goes_back),
	TIMELINE_TEST(each_thread_stands_by_itself),
	TIMELINE_TEST(a_copied_window_is_read_once),
	TIMELINE_TEST(a_window_that_is_emptied_meanwhile_is_read),
	TIMELINE_TEST(what_is_lost_is_told),
	TIMELINE_TEST(garbage_is_left_out),
	TIMELINE_TEST(without_regions_there_is_an_empty_timeline),
	TIMELINE_TEST(a_file_that_cannot_be_written_is_told_before),
	TIMELINE_TEST(report_plot_and_timeline_have_files_of_their_own),
	TIMELINE_TEST(what_runs_around_has_no_timeline),
	TIMELINE_TEST(without_a_run_the_file_stays),
	TIMELINE_TEST(other_options_do_not_go_with_it),
};

UNIT_MAIN(tests)

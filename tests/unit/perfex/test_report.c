// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the output of perfex. Programs read this output, so a change breaks them. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_says.h"
#include "events/list.h"
#include "fake_driver.h"
#include "report/report.h"

static char *text;
static size_t size;
static FILE *out;

/* An empty pattern selects all events. */
static char *const none[] = { NULL };

static int open_text(void **state)
{
	out = open_memstream(&text, &size);
	return out ? 0 : -1;
}

static int free_text(void **state)
{
	free(text);
	return 0;
}

static void print(const struct events *events, const struct vpmc_counts *counts)
{
	struct report report = { .events = events, .counts = counts };

	print_report(out, FORMAT_TEXT, false, &report);
}

static void check_text(const char *expected)
{
	fclose(out);
	assert_string_equal(text, expected);
}

static void a_report_has_the_number_that_an_event_waits_for(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5mmx"),
		.sel = { { 0x16, 0, VPMC_USER | VPMC_KERNEL },
			 { 0x16, 1, VPMC_USER | VPMC_AFTER(VPMC_AFTER_MAX) } },
		.nr = 2,
	};
	const struct vpmc_counts counts = { .count = { 8, 3 } };

	print(&events, &counts);
	check_text(
		"                   8  0x16   instructions_executed:uk\n"
		"                   3  0x16   instructions_executed:u:after=268435455\n");
}

static void a_report_has_count_code_and_name(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5mmx"),
		.sel = { { 0x16, 0, VPMC_USER },
			 { 0x100, 1, VPMC_USER | VPMC_KERNEL } },
		.nr = 2,
	};
	const struct vpmc_counts counts = { .count = { 10000000, 0 } };

	print(&events, &counts);
	check_text("            10000000  0x16   instructions_executed:u\n"
		   "                   0  0x100  clocks:uk\n");
}

static void the_largest_count_fits_its_column(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5mmx"),
		.sel = { { 0x2b, 1, VPMC_KERNEL } },
		.nr = 1,
	};
	const struct vpmc_counts counts = { .count = { UINT64_MAX } };

	print(&events, &counts);
	check_text("18446744073709551615  0x2b   mmx_instructions_v_pipe:k\n");
}

static void an_event_is_called_as_the_user_calls_it(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5"),
		.sel = { { 0x16, 0, VPMC_USER }, { 0x16, 1, VPMC_USER } },
		.name = { "instructions", "" },
		.nr = 2,
	};
	const struct vpmc_counts counts = { .count = { 7, 7 } };

	print(&events, &counts);
	check_text("                   7  0x16   instructions:u\n"
		   "                   7  0x16   instructions_executed:u\n");
}

static void what_is_not_the_whole_is_reported(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5"),
		.sel = { { 0x12, 0, VPMC_USER } },
		.nr = 1,
	};
	struct vpmc_counts counts = {
		.count = { 5 }, .other_events = 2, .revoked = 3, .running = 4
	};

	print(&events, &counts);
	counts.other_events = counts.revoked = counts.running = 1;
	print(&events, &counts);
	check_text("                   5  0x12   branches:u\n"
		   "# 2 threads are missing in these counts: other events were"
		   " counted there\n"
		   "# 3 threads are missing in these counts: a privileged"
		   " program, or one in another user namespace, was"
		   " executed there, or the counters were taken away\n"
		   "# 4 processes are still running: these counts contain what"
		   " was counted there so far\n"
		   "                   5  0x12   branches:u\n"
		   "# 1 thread is missing in these counts: other events were"
		   " counted there\n"
		   "# 1 thread is missing in these counts: a privileged"
		   " program, or one in another user namespace, was"
		   " executed there, or the counters were taken away\n"
		   "# 1 process is still running: these counts contain what"
		   " was counted there so far\n");
}

/* A share below the whole time, even one of 0, is never printed as 100 %. */
static void the_share_of_the_time_is_rounded_down(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5"),
		.sel = { { 0x12, 0, VPMC_USER },
			 { 0x12, 0, VPMC_USER },
			 { 0x12, 0, VPMC_USER } },
		.nr = 3,
		.shared = true,
	};
	const struct vpmc_counts counts = {
		.tsc = UINT64_MAX,
		.count = { 5, 5, 5 },
		.time = { UINT64_MAX - 1, UINT64_MAX / 3 * 2, 1 },
	};
	const double times[] = { (double)counts.time[0], (double)counts.time[1],
				 1 };
	struct vpmc_spread spread = { .nr = 3 };
	struct report report = { .events = &events,
				 .counts = &counts,
				 .spread = &spread };
	size_t i;

	for (i = 0; i < 3; i++)
		spread.event[i] = (struct vpmc_turns_of){
			.nr = 100,
			.count_squares = 0.25,
			.products = 0.05 * times[i],
			.time_squares = 0.01 * times[i] * times[i],
		};
	print_report(out, FORMAT_TEXT, false, &report);
	check_text("                   5  0x12   branches:u"
		   "  # projected from 99.9% of the time, 5 to 6 (95 %)\n"
		   "                   8  0x12   branches:u"
		   "  # projected from 66.6% of the time, 7 to 8 (95 %)\n"
		   "18446744073709551615  0x12   branches:u"
		   "  # projected from 0.0% of the time,"
		   " 18446744073709551615 to 18446744073709551615 (95 %)\n");
}

static void the_machine_is_one_property_per_line(void **state)
{
	const struct vpmc_machine machine = {
		.pmu = "p5mmx",
		.abi = 1,
		.counters = 2,
		.counter_bits = 40,
		.rdpmc = 1,
		.vendor = "GenuineIntel",
		.family = 5,
		.model = 4,
		.stepping = 3,
		.emulated = 1,
		.generation = 12,
	};

	print_machine(out, &machine);
	check_text("processor   GenuineIntel family 5 model 4 stepping 3\n"
		   "pmu         p5mmx\n"
		   "counters    2\n"
		   "fixed       0\n"
		   "bits        40\n"
		   "rdpmc       yes\n"
		   "abi         1\n"
		   "generation  12\n"
		   "system      no\n"
		   "machine     emulated\n");
}

static void hardware_is_called_hardware(void **state)
{
	const struct vpmc_machine machine = { .pmu = "p5", .system = 1 };

	print_machine(out, &machine);
	fclose(out);
	check_says(text, "processor   unknown family 0");
	check_says(text, "rdpmc       no\n");
	check_says(text, "system      yes\n");
	check_says(text, "machine     hardware\n");
}

static const char *find_line(const char *name)
{
	static char line[200];
	const char *start = strstr(text, name);
	const char *end;

	assert_non_null(start);
	end = strchr(start, '\n');
	while (start > text && start[-1] != '\n')
		start--;
	snprintf(line, sizeof(line), "%.*s", (int)(end - start), start);
	return line;
}

static void a_list_has_code_counters_name_and_description(void **state)
{
	const struct vpmc_machine machine = { .counters = 2 };

	print_events(out, vpmc_pmu_find("p5mmx"), &machine, VPMC_USER, none);
	fclose(out);
	assert_string_equal(find_line("clocks  "),
			    "0x100  0,1  clocks                          "
			    "processor clocks, whatever the processor does");
	assert_string_equal(find_line("rsb_overflows"),
			    "0x39   1    rsb_overflows                   "
			    "overflows of the return stack buffer");
	assert_null(strstr(text, "not emulated"));
}

static void a_list_has_the_fixed_counters_behind_the_others(void **state)
{
	const struct vpmc_machine machine = { .counters = 8, .fixed = 3 };

	print_events(out, vpmc_pmu_find("intel"), &machine, VPMC_USER, none);
	fclose(out);
	check_says(find_line("instructions  "), ",6,7,8  inst");
	check_says(find_line(" cycles  "), ",6,7,9  cycles");
	check_says(find_line("ref-cycles  "), "0x300  10   ref");
	check_says(find_line("branches  "), ",6,7  branches");
}

/*
 * The generic names come first. A generic name without an event on this processor is shown with
 * the reason.
 */
static void a_list_begins_with_the_generic_names(void **state)
{
	const struct vpmc_machine machine = { .counters = 2 };

	print_events(out, vpmc_pmu_find("p5"), &machine, VPMC_USER, none);
	fclose(out);
	assert_ptr_equal(
		strstr(text, "0x16   0,1  instructions                    "
			     "instructions executed; one with REP counts once\n"
			     "0x100  0,1  cycles                          "
			     "processor clocks, whatever the processor does\n"
			     "-      -    ref-cycles                      "
			     "clocks of a fixed rate (cannot be counted: the"
			     " processor\n"
			     "                                            "
			     "has no other clock than its own, so count"
			     " cycles)\n"),
		text);
	check_says(text, "\n0x100  0,1  clocks ");
}

static void a_list_marks_what_cannot_happen(void **state)
{
	static const struct fake_cpuid leaves[] = {
		{ 0x40000002, 0x12, { 1 } },
		{ 0x40000002, 0x22, { 0 } },
		{ 0x40000002, 0x03, { 3 } },
		{ 0x40000002, 0x100, { 5 } },
	};
	const struct vpmc_machine machine = { .emulated = 1, .counters = 2 };

	fake_setup(state);
	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	print_events(out, vpmc_pmu_find("p5"), &machine, VPMC_USER, none);
	fclose(out);
	assert_null(strstr(find_line("branches "), "not emulated"));
	check_says(find_line("flops "), "  (not emulated here) f");
	check_says(find_line("data_read_miss "), "  (modelled) d");
	check_says(find_line("clocks  "), "  (one per instruction) p");
}

/* Names of libpfm4 may be of any length. */
static void a_list_fits_a_hundred_columns(void **state)
{
	static const char *const families[] = { "p5", "p5mmx", "p6", "intel",
						"amd" };
	const struct vpmc_machine machine = { .counters = 8 };
	const char *line;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(families); i++)
		print_events(out, vpmc_pmu_find(families[i]), &machine,
			     VPMC_USER, none);
	fclose(out);
	for (line = text; *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 10, 100);
}

static void a_list_can_have_what_a_pattern_names(void **state)
{
	const struct vpmc_machine machine = { .counters = 2 };
	char *const patterns[] = { (char *)"TLB", (char *)"flops", NULL };
	char *const nothing[] = { (char *)"no such", NULL };

	assert_int_equal(print_events(out, vpmc_pmu_find("p5"), &machine,
				      VPMC_USER, patterns),
			 3);
	assert_int_equal(print_events(out, vpmc_pmu_find("p5"), &machine,
				      VPMC_USER, nothing),
			 0);
	check_text("0x02   0,1  data_tlb_miss                   "
		   "data accesses that miss the data TLB\n"
		   "0x0d   0,1  code_tlb_miss                   "
		   "instruction fetches that miss the code TLB\n"
		   "0x22   0,1  flops                           "
		   "floating-point operations, integer multiplies too\n");
}

/* The events have the requested modes. */
static void a_list_marks_what_happens_in_kernel_mode_alone(void **state)
{
	const struct vpmc_machine machine = { .counters = 2 };

	print_events(out, vpmc_pmu_find("p5"), &machine, VPMC_USER, none);
	fflush(out);
	check_says(find_line("hardware_interrupts"),
		   "  (never in user mode) interrupts taken");
	rewind(out);
	print_events(out, vpmc_pmu_find("p5"), &machine,
		     VPMC_USER | VPMC_KERNEL, none);
	fclose(out);
	assert_null(strstr(find_line("hardware_interrupts"), "never"));
}

/* A count of 0 would look as if it had been counted. */
static void what_cannot_happen_has_no_number(void **state)
{
	const struct events events = {
		.pmu = vpmc_pmu_find("p5"),
		.sel = { { 0x13, 0, VPMC_USER }, { 0x14, 1, VPMC_USER } },
		.never = { "not emulated here", "not emulated here" },
		.nr = 2,
	};
	const struct vpmc_counts counts = { .count = { 0, 3 } };

	print(&events, &counts);
	check_text("                   -  0x13   btb_hits:u"
		   "  # not emulated here\n"
		   "                   3  0x14   taken_branch_or_btb_hit:u\n");
}

#define REPORT_TEST(f) cmocka_unit_test_setup_teardown(f, open_text, free_text)

static const struct CMUnitTest tests[] = {
	REPORT_TEST(a_report_has_the_number_that_an_event_waits_for),
	REPORT_TEST(a_report_has_count_code_and_name),
	REPORT_TEST(the_largest_count_fits_its_column),
	REPORT_TEST(an_event_is_called_as_the_user_calls_it),
	REPORT_TEST(what_is_not_the_whole_is_reported),
	REPORT_TEST(the_share_of_the_time_is_rounded_down),
	REPORT_TEST(the_machine_is_one_property_per_line),
	REPORT_TEST(hardware_is_called_hardware),
	REPORT_TEST(a_list_has_code_counters_name_and_description),
	REPORT_TEST(a_list_has_the_fixed_counters_behind_the_others),
	REPORT_TEST(a_list_begins_with_the_generic_names),
	REPORT_TEST(a_list_marks_what_cannot_happen),
	REPORT_TEST(a_list_marks_what_happens_in_kernel_mode_alone),
	REPORT_TEST(a_list_fits_a_hundred_columns),
	REPORT_TEST(a_list_can_have_what_a_pattern_names),
	REPORT_TEST(what_cannot_happen_has_no_number),
};

UNIT_MAIN(tests)

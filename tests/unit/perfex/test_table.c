// SPDX-License-Identifier: GPL-2.0-only
/* This file tests that the event tables agree with the manuals and with the driver. */
#include "unit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "pmu/p5_cesr.h"
#include "vpmc.h"

/* These are the families, and their names for clocks. */
static const struct {
	const char *name;
	const char *clocks;
	uint32_t code;
} pmus[] = {
	{ "p5", "clocks", VPMC_P5_CLOCKS },
	{ "p5mmx", "clocks", VPMC_P5_CLOCKS },
	{ "p6", "cpu_clk_unhalted", 0x79 },
};

static void families_are_found_by_name(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pmus); i++)
		assert_string_equal(vpmc_pmu_name(vpmc_pmu_find(pmus[i].name)),
				    pmus[i].name);
	assert_null(vpmc_pmu_find("p7"));
	assert_null(vpmc_pmu_find(""));
}

static void check_names(const struct vpmc_event_info *table, size_t nr)
{
	size_t i, j;

	for (i = 0; i < nr; i++) {
		size_t length = strlen(table[i].name);

		assert_int_equal(
			strspn(table[i].name,
			       "abcdefghijklmnopqrstuvwxyz_0123456789"),
			length);
		/* A name that begins with a digit would be read as a number. */
		assert_false(strchr("0123456789", table[i].name[0]));
		/* Longer names would not fit the columns of perfex -l. */
		assert_in_range(length, 1, 30);
		assert_in_range(strlen(table[i].description), 1, 70);
		for (j = 0; j < i; j++)
			assert_string_not_equal(table[i].name, table[j].name);
	}
}

static void names_are_unique_and_well_formed(void **state)
{
	size_t i, nr;

	for (i = 0; i < ARRAY_SIZE(pmus); i++) {
		const struct vpmc_event_info *table =
			vpmc_event_table(vpmc_pmu_find(pmus[i].name), &nr);

		check_names(table, nr);
	}
}

static void clocks_lead_and_codes_ascend(void **state)
{
	const struct vpmc_event_info *table;
	size_t i, j, nr;

	for (i = 0; i < ARRAY_SIZE(pmus); i++) {
		table = vpmc_event_table(vpmc_pmu_find(pmus[i].name), &nr);
		assert_string_equal(table[0].name, pmus[i].clocks);
		assert_int_equal(table[0].code, pmus[i].code);
		for (j = 2; j < nr; j++)
			assert_true(
				table[j - 1].code < table[j].code ||
				(table[j - 1].code == table[j].code &&
				 table[j - 1].counters < table[j].counters));
	}
}

/* Check that the table has each code of the driver exactly once for each counter. */
static void check_codes(const char *pmu, u64 codes)
{
	const struct vpmc_event_info *table;
	unsigned int code, counter;
	size_t i, nr;

	table = vpmc_event_table(vpmc_pmu_find(pmu), &nr);
	for (code = 0; code < 64; code++) {
		for (counter = 0; counter < 32; counter++) {
			unsigned int found = 0;
			bool expected =
				codes >> code & 1 && counter < P5_NR_COUNTERS;

			for (i = 0; i < nr; i++)
				found += table[i].code == code &&
					 table[i].counters >> counter & 1;
			assert_int_equal(found, expected);
		}
	}
}

static void the_tables_hold_what_the_driver_counts(void **state)
{
	check_codes("p5", P5_EVENTS);
	check_codes("p5mmx", P5_EVENTS | P5_EVENTS_MMX);
}

/* There are 38 events (Safford 1997, section 2.4), 18 codes twice with MMX, and clocks. */
static void the_tables_have_their_sizes(void **state)
{
	size_t nr;

	vpmc_event_table(vpmc_pmu_find("p5"), &nr);
	assert_int_equal(nr, 38 + 1);
	vpmc_event_table(vpmc_pmu_find("p5mmx"), &nr);
	assert_int_equal(nr, 38 + 2 * 18 + 1);
}

static void check_entries(const struct vpmc_pmu *pmu)
{
	const struct vpmc_event_info *table;
	struct vpmc_event_sel by_name, by_code;
	size_t i, nr;
	char text[40];

	table = vpmc_event_table(pmu, &nr);
	for (i = 0; i < nr; i++) {
		assert_int_equal(vpmc_event_parse(pmu, table[i].name, VPMC_USER,
						  &by_name, NULL),
				 0);
		assert_ptr_equal(vpmc_event_lookup(pmu, &by_name), &table[i]);

		snprintf(text, sizeof(text), "0x%" PRIx64 "@%d", table[i].code,
			 __builtin_ctz(table[i].counters));
		assert_int_equal(vpmc_event_parse(pmu, text, VPMC_USER,
						  &by_code, NULL),
				 0);
		assert_ptr_equal(vpmc_event_lookup(pmu, &by_code), &table[i]);
	}
}

static void every_entry_is_found_by_name_and_by_code(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pmus); i++)
		check_entries(vpmc_pmu_find(pmus[i].name));
}

static void no_entry_is_found_for_no_event(void **state)
{
	static const struct vpmc_event_sel rows[] = {
		{ 0x10, 0, VPMC_USER },
		{ 0x16, 2, VPMC_USER },
		{ 0x2b, VPMC_ANY_COUNTER, VPMC_USER },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_null(
			vpmc_event_lookup(vpmc_pmu_find("p5mmx"), &rows[i]));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(families_are_found_by_name),
	cmocka_unit_test(names_are_unique_and_well_formed),
	cmocka_unit_test(clocks_lead_and_codes_ascend),
	cmocka_unit_test(the_tables_hold_what_the_driver_counts),
	cmocka_unit_test(the_tables_have_their_sizes),
	cmocka_unit_test(every_entry_is_found_by_name_and_by_code),
	cmocka_unit_test(no_entry_is_found_for_no_event),
};

UNIT_MAIN(tests)

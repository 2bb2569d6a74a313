// SPDX-License-Identifier: GPL-2.0-only
/* This file tests that records of very many processes do not cost more than they need. */
#include "unit.h"

#include <stdlib.h>

#include "fake_driver.h"
#include "fake_system.h"
#include "run/thread_records.h"

#define MANY 100000UL

/* With 200 bytes for each record this would be 20 MB. The limit is the least that suffices. */
static void many_records_take_little_memory(void **state)
{
	const struct events events = { .nr = 2 };
	struct records records = { .events = &events };
	struct vpmc *vpmc = fake_open();
	unsigned int i;

	fake->record[0] = (struct vpmc_record){ .nr_counts = 2,
						.count = { 7, 9 },
						.what = VPMC_RECORD_LAST };
	fake->nr_records = 1;
	for (i = 1; i <= MANY; i++) {
		fake->records_taken = 0;
		fake->record[0].pid = (int)i;
		assert_int_equal(take_records(vpmc, &records), 0);
	}
	assert_int_equal(records.nr, MANY);
	assert_int_equal(record_size(&events), 48);
	assert_true(fake_system->largest <= MANY * 48 * 2);
	fold_records(&records);
	assert_int_equal(records.nr, MANY);
	for (i = 0; i < MANY; i++) {
		assert_int_equal(record_at(&records, i)->pid, i + 1);
		assert_int_equal(record_at(&records, i)->value[1], 9);
	}
	free(records.memory);
	vpmc_close(vpmc);
}

/* Only if events share counters do records have times as well as counts. */
static void records_have_times_where_they_are_needed(void **state)
{
	struct events events = { .nr = 2, .shared = true };
	struct records records = { .events = &events };
	struct vpmc *vpmc = fake_open();

	fake->record[0] = (struct vpmc_record){ .pid = 1,
						.nr_counts = 2,
						.tsc = 100,
						.count = { 7, 9 },
						.time = { 30, 70 } };
	fake->record[1] = fake->record[0];
	fake->nr_records = 2;
	assert_int_equal(take_records(vpmc, &records), 0);
	fold_records(&records);
	assert_int_equal(records.nr, 1);
	assert_memory_equal(record_at(&records, 0)->value,
			    ((const uint64_t[]){ 14, 18, 60, 140, 200 }), 40);
	free(records.memory);
	vpmc_close(vpmc);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(many_records_take_little_memory,
			       fake_system_setup),
	cmocka_unit_test_setup(records_have_times_where_they_are_needed,
			       fake_system_setup),
};

UNIT_MAIN(tests)

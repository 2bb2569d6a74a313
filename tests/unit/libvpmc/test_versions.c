// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests a program that was compiled with an older or newer version of the library than
 * the version that runs. The newer version is the present one with more fields in each structure
 * that may grow: see the Makefile.
 *
 * The program's structures end where its memory ends, so an access beyond a structure that the
 * program knows ends the test.
 */
#include "unit.h"

#include <errno.h>
#include <linux/vpmc.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vpmc_region.h>

#include "fake_driver.h"
#include "fake_regions.h"

#define UNTOUCHED 0xa5

/* Return room for a structure, followed by memory that cannot be accessed. */
static void *room(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(memory != MAP_FAILED);
	assert_true(size <= page);
	assert_int_equal(mprotect(memory + page, page, PROT_NONE), 0);
	return memset(memory + page - size, UNTOUCHED, size);
}

#define ROOM(pointer) ((pointer) = room(sizeof(*(pointer))))

/* Fields that the library does not know are zero. */
#ifdef VPMC_NEWER
#define CHECK_NEWER(pointer)                                     \
	assert_memory_equal((pointer)->newer,                    \
			    ((const uint64_t[VPMC_NEWER]){ 0 }), \
			    sizeof((pointer)->newer))
#else
#define CHECK_NEWER(pointer) ((void)(pointer))
#endif

static struct vpmc *start(void)
{
	static const struct vpmc_event_sel sel = { 0x16, VPMC_ANY_COUNTER,
						   VPMC_USER };
	struct vpmc *vpmc = fake_open();

	fake->cpuid[0] = (struct fake_cpuid){
		0, 0, { 1, 0x756e6547, 0x6c65746e, 0x49656e69 }
	};
	fake->cpuid[1] = (struct fake_cpuid){ 1, 0, { 0x543, 0, 0, 1 << 23 } };
	fake->nr_cpuid = 2;
	assert_int_equal(vpmc_start(vpmc, &sel, 1, VPMC_RECORDS, NULL), 0);
	return vpmc;
}

static void counts_are_read(void **state)
{
	struct vpmc *vpmc = start();
	struct vpmc_counts *counts;
	struct rusage *usage;
	unsigned int whose;

	ROOM(usage);
	for (whose = VPMC_THREAD; whose <= VPMC_ALL; whose++) {
		ROOM(counts);
		assert_int_equal(vpmc_read(vpmc, (enum vpmc_whose)whose, counts,
					   NULL),
				 0);
		assert_int_equal(counts->nr, 2);
		CHECK_NEWER(counts);
	}
	for (whose = VPMC_THREAD; whose <= VPMC_CHILDREN; whose++) {
		ROOM(counts);
		assert_int_equal(vpmc_read_usage(vpmc, (enum vpmc_whose)whose,
						 counts, usage, NULL),
				 0);
		assert_int_equal(counts->nr, 2);
		CHECK_NEWER(counts);
	}
	vpmc_close(vpmc);
}

static void counts_are_added(void **state)
{
	struct vpmc *vpmc = start();
	struct vpmc_counts *sum, *more;

	ROOM(sum);
	ROOM(more);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, sum, NULL), 0);
	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, more, NULL), 0);
	assert_int_equal(vpmc_counts_add(sum, more, NULL), 0);
	assert_int_equal(sum->count[0], 2 * more->count[0]);
	assert_int_equal(sum->set, more->set);
	more->tsc = 12;
	more->time[0] = 11;
	more->time[1] = 12;
	assert_true(vpmc_is_projected(more, 0));
	assert_false(vpmc_is_projected(more, 1));
	vpmc_close(vpmc);
}

static void events_are_told(void **state)
{
	struct vpmc *vpmc = start();
	struct vpmc_event_set *set;

	ROOM(set);
	assert_int_equal(vpmc_events(vpmc, VPMC_SELF, set, NULL), 0);
	assert_int_equal(set->nr, 1);
	assert_int_equal(set->sel[0].code, 0x16);
	CHECK_NEWER(set);
	vpmc_close(vpmc);
}

static void records_are_taken(void **state)
{
	struct vpmc *vpmc = start();
	struct vpmc_thread_record *record;

	fake->record[0] = (struct vpmc_record){
		.pid = 100, .tid = 101, .nr_counts = 1, .count = { 4 }
	};
	fake->nr_records = 1;
	ROOM(record);
	assert_int_equal(vpmc_next_record(vpmc, record, NULL), 0);
	assert_int_equal(record->tid, 101);
	assert_int_equal(record->count[0], 4);
	CHECK_NEWER(record);
	vpmc_close(vpmc);
}

static void system_mode_is_read(void **state)
{
	struct vpmc *vpmc = start();
	struct vpmc_system_counts *counts;

	ROOM(counts);
	assert_int_equal(vpmc_system_read(vpmc, VPMC_EVERY_CPU, counts, NULL),
			 0);
	assert_int_equal(counts->cpus, fake->system.cpus);
	assert_int_equal(counts->count[0], fake->system.count[0]);
	CHECK_NEWER(counts);
	vpmc_close(vpmc);
}

static void signals_are_decoded(void **state)
{
	const struct vpmc_siginfo told = { .event = 3, .start = { 21, 2 } };
	siginfo_t signal = { .si_code = VPMC_SI_CODE };
	struct vpmc_signal_info *info;

	memcpy((char *)&signal + offsetof(siginfo_t, si_addr), &told,
	       sizeof(told));
	ROOM(info);
	assert_int_equal(vpmc_signal_decode(&signal, info), 0);
	assert_int_equal(info->event, 3);
	assert_int_equal(info->start, 21 | 2ULL << 32);
	CHECK_NEWER(info);
}

static void machines_are_described(void **state)
{
	const struct vpmc_event_sel interrupts = { 0x27, VPMC_ANY_COUNTER,
						   VPMC_USER };
	struct vpmc *vpmc = start();
	struct vpmc_machine *machine, *here;

	ROOM(machine);
	ROOM(here);
	assert_int_equal(vpmc_info(vpmc, machine, NULL), 0);
	CHECK_NEWER(machine);
	assert_non_null(vpmc_pmu_here(here));
	CHECK_NEWER(here);
	assert_string_equal(here->vendor, machine->vendor);
	assert_int_equal(machine->family, 5);

	/* These functions read the older structure. */
	assert_int_equal(vpmc_event_emulation(machine, &interrupts),
			 VPMC_EXACT);
	assert_string_equal(vpmc_event_never(vpmc_pmu_of(vpmc), machine,
					     &interrupts),
			    "never in user mode");
	vpmc_close(vpmc);
}

/* Read tables in the library's memory by the offsets with which the program was compiled. */
static void tables_are_read(void **state)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5");
	const struct vpmc_event_info *info;
	const struct vpmc_named_event *named;
	struct vpmc_event_sel sel;
	unsigned int i;
	size_t nr;

	for (info = vpmc_event_table(pmu, &nr); nr; info++, nr--) {
		assert_int_equal(vpmc_event_parse(pmu, info->name, VPMC_USER,
						  &sel, NULL),
				 0);
		assert_int_equal(sel.code, info->code);
	}
	for (i = 0; (named = vpmc_generic_event(pmu, i)); i++)
		assert_true(!named->refusal ==
			    !vpmc_event_parse(pmu, named->info.name, VPMC_USER,
					      &sel, NULL));
	assert_int_equal(i, 9);
}

static void regions_are_read(void **state)
{
	struct vpmc_regions *regions;

	fake->map_errno = EOPNOTSUPP;
	regions_start(1);
	vpmc_region_begin("outer");
	vpmc_region_begin("inner");
	regions_work(20);
	vpmc_region_end("inner");
	vpmc_region_end("outer");
	assert_int_equal(vpmc_regions_read(&regions, VPMC_SELF, 0, NULL), 0);
	assert_int_equal(regions->nr, 2);
	assert_string_equal(regions->region[0].name, "outer");
	assert_string_equal(regions->region[1].name, "inner");
	assert_int_equal(regions->region[1].exclusive[0], 20);
	vpmc_regions_free(regions);
}

static void histograms_are_updated(void **state)
{
	const uint32_t period = 1000;
	struct vpmc_histograms *histograms;
	struct vpmc_profiled *profiled;
	struct vpmc *vpmc = fake_open();

	ROOM(profiled);
	assert_int_equal(vpmc_profile(vpmc, &period, 1, NULL, 0, 4096,
				      &histograms, NULL),
			 0);
	fake_sample(0, 1, 0, 0x1000);
	vpmc_profile_update(histograms, profiled);
	assert_int_equal(profiled->others, 1);
	CHECK_NEWER(profiled);
	vpmc_profile_close(histograms);
	vpmc_close(vpmc);
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(counts_are_read),
	DRIVER_TEST(counts_are_added),
	DRIVER_TEST(events_are_told),
	DRIVER_TEST(records_are_taken),
	DRIVER_TEST(system_mode_is_read),
	DRIVER_TEST(signals_are_decoded),
	DRIVER_TEST(histograms_are_updated),
	DRIVER_TEST(machines_are_described),
	DRIVER_TEST(tables_are_read),
	cmocka_unit_test_setup_teardown(regions_are_read, regions_setup,
					regions_teardown),
};

UNIT_MAIN(tests)

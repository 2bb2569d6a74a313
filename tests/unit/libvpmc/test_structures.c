// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests structures that programs allocate. If a program was compiled with an older or
 * newer version of the library, the library fills in the fields that both versions know. Fields
 * keep their offsets.
 */
#include "unit.h"

#include <linux/vpmc.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <vpmc_region.h>

#include "check_error.h"
#include "fake_driver.h"

/* The structures of a newer program have this many bytes of unknown fields. */
#define MORE 24

/* This memory must not be written to. */
#define UNTOUCHED 0xa5

/* Read the counts, and fill in @size bytes. */
static int read_counts(struct vpmc *vpmc, void *to, size_t size)
{
	return vpmc_read_sized(vpmc, VPMC_SELF, to, size, NULL);
}

static int read_usage(struct vpmc *vpmc, void *to, size_t size)
{
	struct rusage usage;

	return vpmc_read_usage_sized(vpmc, VPMC_SELF, to, size, &usage, NULL);
}

static int read_events(struct vpmc *vpmc, void *to, size_t size)
{
	return vpmc_events_sized(vpmc, VPMC_SELF, to, size, NULL);
}

static int read_system(struct vpmc *vpmc, void *to, size_t size)
{
	/* The counts of system mode grow with each read, so begin again. */
	fake->system_reads = 0;
	return vpmc_system_read_sized(vpmc, VPMC_EVERY_CPU, to, size, NULL);
}

static int take_record(struct vpmc *vpmc, void *to, size_t size)
{
	fake->records_taken = 0;
	return vpmc_next_record_sized(vpmc, to, size, NULL);
}

static int describe(struct vpmc *vpmc, void *to, size_t size)
{
	return vpmc_info_sized(vpmc, to, size, NULL);
}

static int describe_here(struct vpmc *vpmc, void *to, size_t size)
{
	return vpmc_pmu_here_sized(to, size) ? 0 : -1;
}

static int decode(struct vpmc *vpmc, void *to, size_t size)
{
	const struct vpmc_siginfo told = { .event = 3, .start = { 21, 2 } };
	siginfo_t info = { .si_code = VPMC_SI_CODE };

	memcpy((char *)&info + offsetof(siginfo_t, si_addr), &told,
	       sizeof(told));
	return vpmc_signal_decode_sized(&info, to, size);
}

static int profile(struct vpmc *vpmc, void *to, size_t size)
{
	const uint32_t period = 1000;
	struct vpmc_histograms *histograms;
	struct vpmc *other = fake_open();

	assert_int_equal(vpmc_profile(other, &period, 1, NULL, 0, 4096,
				      &histograms, NULL),
			 0);
	fake_sample(0, 1, 1, 0x1000);
	vpmc_profile_update_sized(histograms, to, size);
	vpmc_profile_close(histograms);
	vpmc_close(other);
	return 0;
}

static const struct {
	int (*fill)(struct vpmc *vpmc, void *to, size_t size);
	size_t known;
} structures[] = {
	{ read_counts, sizeof(struct vpmc_counts) },
	{ read_usage, sizeof(struct vpmc_counts) },
	{ read_events, sizeof(struct vpmc_event_set) },
	{ read_system, sizeof(struct vpmc_system_counts) },
	{ take_record, sizeof(struct vpmc_thread_record) },
	{ describe, sizeof(struct vpmc_machine) },
	{ describe_here, sizeof(struct vpmc_machine) },
	{ decode, sizeof(struct vpmc_signal_info) },
	{ profile, sizeof(struct vpmc_profiled) },
};

/* No structure is larger than this, including the memory after it. */
#define ROOM (2048 + MORE)

static void prepare(void)
{
	fake->read.tsc = 12;
	fake->read.time[0] = 12;
	fake->record[0] = (struct vpmc_record){
		.pid = 100,
		.tid = 101,
		.comm = "worker",
		.nr_counts = 2,
		.count = { 4, UINT64_MAX },
		.time = { 12, 3 },
		.stopped = 5,
	};
	fake->nr_records = 1;
	fake->cpuid[0] = (struct fake_cpuid){
		0, 0, { 1, 0x756e6547, 0x6c65746e, 0x49656e69 }
	};
	fake->cpuid[1] = (struct fake_cpuid){ 1, 0, { 0x543, 0, 0, 1 << 23 } };
	fake->nr_cpuid = 2;
}

static void check_filled(const unsigned char *got, size_t size,
			 const unsigned char *whole, size_t known)
{
	size_t i;

	assert_memory_equal(got, whole, size < known ? size : known);
	for (i = known; i < size; i++)
		assert_int_equal(got[i], 0);
	for (i = size; i < ROOM; i++)
		assert_int_equal(got[i], UNTOUCHED);
}

static void any_size_is_filled_in_as_far_as_it_is_known(void **state)
{
	_Alignas(8) unsigned char whole[ROOM], got[ROOM];
	const unsigned char nothing[ROOM] = { 0 };
	struct vpmc *vpmc = fake_open();
	size_t i, size;

	prepare();
	assert_int_equal(vpmc_start(vpmc,
				    &(struct vpmc_event_sel){ 0x16, 0, 1 }, 1,
				    VPMC_RECORDS, NULL),
			 0);
	for (i = 0; i < ARRAY_SIZE(structures); i++) {
		memset(whole, 0, sizeof(whole));
		assert_int_equal(structures[i].fill(vpmc, whole,
						    structures[i].known),
				 0);
		assert_memory_not_equal(whole, nothing, structures[i].known);
		for (size = 0; size <= structures[i].known + MORE; size++) {
			/* In a structure of the known size, unused parts are left unchanged. */
			if (size == structures[i].known)
				continue;
			memset(got, UNTOUCHED, sizeof(got));
			assert_int_equal(structures[i].fill(vpmc, got, size),
					 0);
			check_filled(got, size, whole, structures[i].known);
		}
	}
	vpmc_close(vpmc);
}

static void inline_functions_tell_the_size_of_their_program(void **state)
{
	struct {
		struct vpmc_counts counts;
		unsigned char behind[MORE];
	} got = { .behind = { UNTOUCHED } };
	struct vpmc *vpmc = fake_open();

	assert_int_equal(vpmc_read(vpmc, VPMC_SELF, &got.counts, NULL), 0);
	assert_int_equal(got.counts.nr, 2);
	assert_int_equal(got.counts.count[0], 1000);
	assert_int_equal(got.behind[0], UNTOUCHED);
	vpmc_close(vpmc);
}

static void a_handle_has_a_descriptor(void **state)
{
	struct vpmc *vpmc = fake_open(), *other = fake_open();

	assert_true(vpmc_fd(vpmc) >= 0);
	assert_int_equal(vpmc_fd(vpmc), vpmc_fd(vpmc));
	assert_int_not_equal(vpmc_fd(vpmc), vpmc_fd(other));
	vpmc_close(vpmc);
	vpmc_close(other);
}

/* Behave like a program that was compiled with another version of <vpmc_region.h>. */
static void regions_of_another_version_are_refused(void **state)
{
	struct vpmc_regions *regions;
	struct vpmc_error err;

	vpmc_region_thread.version = VPMC_REGION_VERSION + 1;
	vpmc_region_begin("refused");
	vpmc_region_end("refused");
	assert_int_equal(vpmc_regions_read(&regions, VPMC_SELF, 0, &err),
			 VPMC_E_ABI);
	check_error(vpmc_regions_open(&err), &err, VPMC_E_ABI,
		    "version 3 ... compile the program again");
	vpmc_region_thread.version = VPMC_REGION_VERSION;
}

#if defined(__x86_64__) && defined(__LP64__)

/* These are the offsets of fields in version 0.1. New fields follow the last one. */
#define PLACE(structure, field, offset)                               \
	_Static_assert(offsetof(struct structure, field) == (offset), \
		       #structure "." #field)
PLACE(vpmc_error, code, 0);
PLACE(vpmc_error, text, 4);
_Static_assert(sizeof(struct vpmc_error) == 516, "never grows");
PLACE(vpmc_event_sel, code, 0);
PLACE(vpmc_event_sel, counter, 8);
PLACE(vpmc_event_sel, modes, 12);
_Static_assert(sizeof(struct vpmc_event_sel) == 16, "never grows");
PLACE(vpmc_event_info, code, 0);
PLACE(vpmc_event_info, counters, 8);
PLACE(vpmc_event_info, name, 16);
PLACE(vpmc_event_info, description, 24);
_Static_assert(sizeof(struct vpmc_event_info) == 32, "never grows");
PLACE(vpmc_named_event, info, 0);
PLACE(vpmc_named_event, refusal, 32);
PLACE(vpmc_machine, pmu, 0);
PLACE(vpmc_machine, abi, 16);
PLACE(vpmc_machine, counters, 20);
PLACE(vpmc_machine, counter_bits, 24);
PLACE(vpmc_machine, rdpmc, 28);
PLACE(vpmc_machine, vendor, 32);
PLACE(vpmc_machine, family, 48);
PLACE(vpmc_machine, model, 52);
PLACE(vpmc_machine, stepping, 56);
PLACE(vpmc_machine, emulated, 60);
PLACE(vpmc_machine, generation, 64);
PLACE(vpmc_machine, system, 72);
PLACE(vpmc_machine, map, 76);
PLACE(vpmc_machine, fixed, 80);
PLACE(vpmc_counts, generation, 0);
PLACE(vpmc_counts, start, 8);
PLACE(vpmc_counts, tsc, 16);
PLACE(vpmc_counts, activity, 24);
PLACE(vpmc_counts, running, 28);
PLACE(vpmc_counts, other_events, 32);
PLACE(vpmc_counts, revoked, 36);
PLACE(vpmc_counts, nr, 40);
PLACE(vpmc_counts, count, 48);
PLACE(vpmc_counts, time, 304);
PLACE(vpmc_counts, set, 560);
PLACE(vpmc_counts, stopped, 568);
PLACE(vpmc_counts, unwaited, 572);
PLACE(vpmc_event_set, generation, 0);
PLACE(vpmc_event_set, start, 8);
PLACE(vpmc_event_set, nr, 16);
PLACE(vpmc_event_set, sel, 24);
PLACE(vpmc_thread_record, pid, 0);
PLACE(vpmc_thread_record, tid, 4);
PLACE(vpmc_thread_record, command, 8);
PLACE(vpmc_thread_record, last, 24);
PLACE(vpmc_thread_record, restarted, 28);
PLACE(vpmc_thread_record, other_events, 32);
PLACE(vpmc_thread_record, revoked, 36);
PLACE(vpmc_thread_record, lost, 40);
PLACE(vpmc_thread_record, limited, 44);
PLACE(vpmc_thread_record, tsc, 48);
PLACE(vpmc_thread_record, nr, 56);
PLACE(vpmc_thread_record, count, 64);
PLACE(vpmc_thread_record, time, 320);
PLACE(vpmc_thread_record, stopped, 576);
PLACE(vpmc_signal_info, event, 0);
PLACE(vpmc_signal_info, count, 8);
PLACE(vpmc_signal_info, start, 16);
PLACE(vpmc_profile_range, buckets, 0);
PLACE(vpmc_profile_range, size, 8);
PLACE(vpmc_profile_range, offset, 16);
PLACE(vpmc_profile_range, scale, 24);
PLACE(vpmc_profile_range, width, 28);
PLACE(vpmc_profile_range, event, 30);
_Static_assert(sizeof(struct vpmc_profile_range) == 32, "never grows");
PLACE(vpmc_profiled, counted, 0);
PLACE(vpmc_profiled, outside, 8);
PLACE(vpmc_profiled, others, 16);
PLACE(vpmc_profiled, saturated, 24);
PLACE(vpmc_profiled, late, 32);
PLACE(vpmc_profiled, lost, 40);
PLACE(vpmc_profiled, hidden, 48);
PLACE(vpmc_profiled, invalid, 56);
PLACE(vpmc_system_counts, generation, 0);
PLACE(vpmc_system_counts, tsc, 8);
PLACE(vpmc_system_counts, activity, 16);
PLACE(vpmc_system_counts, cpus, 20);
PLACE(vpmc_system_counts, nr, 24);
PLACE(vpmc_system_counts, count, 32);
PLACE(vpmc_regions, generation, 0);
PLACE(vpmc_regions, events, 8);
PLACE(vpmc_regions, threads, 12);
PLACE(vpmc_regions, running, 16);
PLACE(vpmc_regions, other_events, 20);
PLACE(vpmc_regions, mismatches, 24);
PLACE(vpmc_regions, restarts, 28);
PLACE(vpmc_regions, lost, 32);
PLACE(vpmc_regions, stopped, 36);
PLACE(vpmc_regions, nr, 40);
PLACE(vpmc_regions, region, 48);
PLACE(vpmc_region_counts, name, 0);
PLACE(vpmc_region_counts, flags, 8);
PLACE(vpmc_region_counts, calls, 16);
PLACE(vpmc_region_counts, inclusive, 24);
PLACE(vpmc_region_counts, exclusive, 56);
_Static_assert(sizeof(struct vpmc_region_counts) == 88, "never grows");

/* If one of these offsets changes, so must VPMC_REGION_VERSION. */
PLACE(vpmc_region, parent, 0);
PLACE(vpmc_region, recent, 8);
PLACE(vpmc_region, begins, 16);
PLACE(vpmc_region, ends, 20);
PLACE(vpmc_region_match, site, 0);
PLACE(vpmc_region_match, two, 8);
PLACE(vpmc_region_match, timed, 16);
PLACE(vpmc_region_sums, calls, 0);
PLACE(vpmc_region_sums, sum, 8);
PLACE(vpmc_region_outside, match, 4096);
_Static_assert(VPMC_REGION_PAGE_SIZE == 4096, "of x86");
PLACE(vpmc_region_thread, region, 0);
PLACE(vpmc_region_thread, page, 8);
PLACE(vpmc_region_thread, version, 16);
PLACE(vpmc_region_thread, timeline, 24);
PLACE(vpmc_region_timeline, next, 0);
PLACE(vpmc_region_timeline, begins, 8);
PLACE(vpmc_region_timeline, ends, 16);
PLACE(vpmc_region_timeline, done, 24);
_Static_assert(VPMC_REGION_VERSION == 3, "its places are listed here");

#endif

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(any_size_is_filled_in_as_far_as_it_is_known),
	DRIVER_TEST(inline_functions_tell_the_size_of_their_program),
	DRIVER_TEST(a_handle_has_a_descriptor),
	DRIVER_TEST(regions_of_another_version_are_refused),
};

UNIT_MAIN(tests)

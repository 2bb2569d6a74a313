// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests vpmc_profile(). Each sample is in the bucket that profil(3) would choose, or is
 * counted in a number that names the reason. An update makes no system call.
 */
#include "unit.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_error.h"
#include "fake_driver.h"

#define RING 4096UL

static const uint32_t two_periods[] = { 1000, 1000 };

/* Write a sample of this process into ring 0. */
static void sample(unsigned int event, uint64_t address)
{
	fake_sample(0, 1, (uint32_t)getpid() - 100,
		    (uint64_t)event << VPMC_WHERE_EVENT_SHIFT | address);
}

static struct vpmc_histograms *
open_histograms(struct vpmc *vpmc, const struct vpmc_profile_range *range,
		size_t nr)
{
	struct vpmc_histograms *histograms;

	assert_int_equal(vpmc_profile(vpmc, two_periods, 2, range, nr, RING,
				      &histograms, NULL),
			 0);
	return histograms;
}

#define NONE 99

static const struct {
	uintptr_t offset;
	uint32_t scale;
	uint16_t width;
	uint64_t address;
	unsigned int bucket;
} places[] = {
	/* one bucket of 2 bytes for 2 bytes of code */
	{ 0x1000, 65536, 2, 0xfff, NONE },
	{ 0x1000, 65536, 2, 0x1000, 0 },
	{ 0x1000, 65536, 2, 0x1001, 0 },
	{ 0x1000, 65536, 2, 0x1002, 1 },
	{ 0x1000, 65536, 2, 0x103f, 31 },
	{ 0x1000, 65536, 2, 0x1040, NONE },
	/* for 4 bytes, and for 1 */
	{ 0x1000, 32768, 2, 0x1003, 0 },
	{ 0x1000, 32768, 2, 0x1004, 1 },
	{ 0x1000, 131072, 2, 0x1002, 2 },
	/* one of 4 bytes for 4 */
	{ 0x1000, 65536, 4, 0x1003, 0 },
	{ 0x1000, 65536, 4, 0x103f, 15 },
	{ 0x1000, 65536, 4, 0x1040, NONE },
	/* for all 4 GB: (0xffffffff / 2 * 3) / 65536 is more than there are */
	{ 0, 3, 2, 0x8123, 0 },
	{ 0, 3, 2, 0xaaaaa, 15 },
	{ 0, 3, 2, 0xffffffff, NONE },
	/* 2^48, because (2^36 / 4 * 2^30) / 65536 is computed with more than 64 bits */
	{ 0, 1 << 30, 4, 0x1000000000, NONE },
	/* not used */
	{ 0, 0, 2, 0, NONE },
	{ 0, 1, 2, 0, NONE },
};

static void a_bucket_is_that_of_profil(void **state)
{
	_Alignas(4) unsigned char buckets[64];
	struct vpmc_profile_range range = { .buckets = buckets,
					    .size = sizeof(buckets) };
	unsigned int i, k, found, value;
	struct vpmc_histograms *histograms;
	struct vpmc_profiled profiled;
	struct vpmc *vpmc;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		memset(buckets, 0, sizeof(buckets));
		range.offset = places[i].offset;
		range.scale = places[i].scale;
		range.width = places[i].width;
		vpmc = fake_open();
		histograms = open_histograms(vpmc, &range, 1);
		sample(0, places[i].address);
		vpmc_profile_update(histograms, &profiled);
		found = NONE;
		for (k = 0; k < sizeof(buckets) / range.width; k++) {
			value = range.width == 2
					? ((const uint16_t *)buckets)[k]
					: ((const uint32_t *)buckets)[k];
			assert_true(value <= 1);
			if (value)
				found = k;
		}
		assert_int_equal(found, places[i].bucket);
		assert_int_equal(profiled.counted, found != NONE);
		assert_int_equal(profiled.outside, found == NONE);
		vpmc_profile_close(histograms);
		vpmc_close(vpmc);
	}
}

/* Return the next number of a repeatable sequence. */
static uint64_t draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return *seed >> 24;
}

static uint64_t bucket_with_128_bits(uint64_t distance, uint32_t scale)
{
	return (uint64_t)((unsigned __int128)(distance / 4) * scale / 65536);
}

/* For any address and scale, the bucket is the same as with arithmetic in 128 bits. */
static void large_numbers_do_not_overflow(void **state)
{
	static uint32_t buckets[1 << 16];
	struct vpmc_profile_range range = {
		buckets, sizeof(buckets), 0, 0, 4, 0
	};
	struct vpmc_histograms *histograms;
	struct vpmc_profiled profiled;
	struct vpmc *vpmc;
	uint64_t seed = 1, distance, bucket;
	unsigned int i, inside = 0;

	for (i = 0; i < 2000; i++) {
		range.scale = (uint32_t)draw(&seed) >> i % 30 | 2;
		range.offset = (uintptr_t)draw(&seed) | 1;
		distance = (draw(&seed) % (1 << 17) << 16) / range.scale * 4 +
			   draw(&seed) % 4;
		bucket = bucket_with_128_bits(distance, range.scale);
		vpmc = fake_open();
		histograms = open_histograms(vpmc, &range, 1);
		sample(0, range.offset + distance);
		vpmc_profile_update(histograms, &profiled);
		vpmc_profile_close(histograms);
		vpmc_close(vpmc);
		assert_int_equal(profiled.counted,
				 bucket < ARRAY_SIZE(buckets));
		if (!profiled.counted)
			continue;
		assert_int_equal(buckets[bucket], 1);
		buckets[bucket] = 0;
		inside++;
	}
	assert_true(inside > 500 && inside < 1500);
	for (i = 0; i < ARRAY_SIZE(buckets); i++)
		assert_int_equal(buckets[i], 0);
}

static void each_sample_is_in_one_number(void **state)
{
	uint16_t first[4] = { 0 }, second[4] = { 0, 65534 }, rest[2] = { 0 };
	uint32_t other[2] = { 0, UINT32_MAX };
	const struct vpmc_profile_range range[] = {
		{ rest, sizeof(rest), 0, 2, 2, 0 },
		{ first, sizeof(first), 0x1000, 65536, 2, 0 },
		{ second, sizeof(second), 0x1006, 65536, 2, 0 },
		{ other, sizeof(other), 0x1000, 65536, 4, 1 },
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_histograms *histograms = open_histograms(vpmc, range, 4);
	const struct vpmc_change map = { .tsc = 1, .end = 1 };
	const struct vpmc_profiled want = { .counted = 4,
					    .outside = 4,
					    .others = 1,
					    .saturated = 2,
					    .late = 1,
					    .lost = 5,
					    .hidden = 4 };
	struct vpmc_profiled profiled;

	fake_change(0, VPMC_CHANGE_MAP, &map, "/bin/prog");
	sample(0, 0x1001);
	/* Two ranges contain this address. The first range receives the sample. */
	sample(0, 0x1006);
	sample(0, 0x1008);
	sample(0, 0x1009);
	/* No range of the event contains these addresses. */
	sample(0, 0x100e);
	sample(0, VPMC_WHERE_LATE | 0x10);
	sample(0, VPMC_WHERE_KERNEL | 0xc0001000);
	sample(1, 0x1003);
	sample(1, 0x1007);
	sample(1, 0x1008);
	/* This sample is from another process. */
	fake_sample(1, 1, 1, 0x1001);
	fake_ring(0)->lost = 2;
	fake_ring(1)->lost = 3;
	fake_ring(1)->hidden = 4;
	vpmc_profile_update(histograms, &profiled);
	assert_int_equal(first[0], 1);
	assert_int_equal(first[3], 1);
	/* The second sample of this bucket found the largest value. */
	assert_int_equal(second[1], UINT16_MAX);
	assert_int_equal(rest[0], 3);
	assert_int_equal(rest[1], 0);
	assert_int_equal(other[0], 1);
	assert_int_equal(other[1], UINT32_MAX);
	assert_memory_equal(&profiled, &want, sizeof(want));

	sample(0, 0x1001);
	vpmc_profile_update(histograms, &profiled);
	vpmc_profile_update(histograms, &profiled);
	assert_int_equal(first[0], 2);
	assert_int_equal(profiled.counted, 5);
	vpmc_profile_close(histograms);
	vpmc_profile_close(NULL);
	vpmc_close(vpmc);
}

/* In this mode, the kernel kills a process that makes any system call except for exit(2). */
static void an_update_makes_no_system_call(void **state)
{
	uint16_t buckets[4] = { 0 };
	const struct vpmc_profile_range range = { buckets, sizeof(buckets),
						  0x1000,  65536,
						  2,	   0 };
	struct vpmc *vpmc = fake_open();
	struct vpmc_histograms *histograms = open_histograms(vpmc, &range, 1);
	struct vpmc_profiled profiled;
	int status;
	pid_t pid;

	sample(0, 0x1002);
	pid = fork();
	if (!pid) {
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
			_exit(2);
		vpmc_profile_update(histograms, &profiled);
		syscall(SYS_exit, profiled.counted != 1 || buckets[1] != 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	vpmc_profile_close(histograms);
	vpmc_close(vpmc);
}

static void rings_are_as_large_as_possible(void **state)
{
	struct vpmc_histograms *histograms = NULL;
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	int ret;

	assert_int_equal(vpmc_profile(vpmc, two_periods, 2, NULL, 0, 0,
				      &histograms, NULL),
			 0);
	assert_int_equal(fake->sampling.ring_size, 1 << 20);
	vpmc_profile_close(histograms);
	histograms = NULL;
	fake->samples_errno = ENOMEM;
	ret = vpmc_profile(vpmc, two_periods, 2, NULL, 0, 0, &histograms, &err);
	check_error(ret, &err, VPMC_E_MEMORY, "RLIMIT_MEMLOCK");
	assert_int_equal(fake->sampling.ring_size, RING);
	ret = vpmc_profile(vpmc, two_periods, 2, NULL, 0, 1 << 14, &histograms,
			   &err);
	check_error(ret, &err, VPMC_E_MEMORY, "RLIMIT_MEMLOCK");
	assert_int_equal(fake->sampling.ring_size, 1 << 14);
	assert_null(histograms);
	vpmc_close(vpmc);
}

static uint32_t numbers[2];

static const struct {
	struct vpmc_profile_range range;
	const char *words;
} wrong[] = {
	{ { numbers, 8, 0, 2, 3, 0 }, "buckets of 3 bytes ... range 1" },
	{ { NULL, 8, 0, 2, 4, 0 }, "range 1 ... numbers of 4 bytes" },
	{ { (char *)numbers + 2, 4, 0, 2, 4, 0 }, "range 1 ... of 4 bytes" },
	{ { numbers, 8, 0, 2, 2, 2 }, "range 1 ... event 2 ... 3 events" },
};

static void wrong_ranges_are_refused(void **state)
{
	struct vpmc_profile_range range[2] = { { numbers, 8, 0, 2, 4, 1 } };
	struct vpmc_histograms *histograms = NULL;
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		range[1] = wrong[i].range;
		ret = vpmc_profile(vpmc, two_periods, 2, range, 2, RING,
				   &histograms, &err);
		check_error(ret, &err, VPMC_E_ARGUMENT, wrong[i].words);
	}
	assert_null(histograms);
	assert_int_equal(fake->sampling.size, 0);
	vpmc_close(vpmc);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_bucket_is_that_of_profil, fake_setup),
	cmocka_unit_test_setup(large_numbers_do_not_overflow, fake_setup),
	cmocka_unit_test_setup(each_sample_is_in_one_number, fake_setup),
	cmocka_unit_test_setup(an_update_makes_no_system_call, fake_setup),
	cmocka_unit_test_setup(rings_are_as_large_as_possible, fake_setup),
	cmocka_unit_test_setup(wrong_ranges_are_refused, fake_setup),
};

UNIT_MAIN(tests)

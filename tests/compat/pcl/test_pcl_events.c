// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests which codes of the manuals PCL's events use on each family of processors, or that
 * there is no such event.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "fake_driver.h"
#include "pcl.h"

int __wrap_pclint_mhz(void);

int __wrap_pclint_mhz(void)
{
	return 100;
}

/* Each row describes a processor by its counters and EAX of leaf 1. */
struct processor {
	const char *pmu;
	const char *vendor;
	uint32_t signature;
	unsigned int counters;
	/* This number of PCL's events can be counted there. */
	int events;
};

static const struct processor p5 = { "p5", "GenuineIntel", 0x52c, 2, 33 };
static const struct processor mmx = { "p5mmx", "GenuineIntel", 0x543, 2, 36 };
static const struct processor p6 = { "p6", "GenuineIntel", 0x673, 2, 31 };
static const struct processor p4 = { "p4", "GenuineIntel", 0xf29, 18, 18 };
static const struct processor prescott = { "p4", "GenuineIntel", 0xf43, 18,
					   18 };
static const struct processor core = { "intel", "GenuineIntel", 0x6e8, 2, 10 };
static const struct processor core2 = { "intel", "GenuineIntel", 0x6fb, 2, 39 };
static const struct processor nehalem = { "intel", "GenuineIntel", 0x106a5, 4,
					  38 };
/*
 * If these three have Hyper-Threading, loads and stores count both threads, so they lack 4
 * events.
 */
static const struct processor sandybridge = { "intel", "GenuineIntel", 0x206a7,
					      4, 34 };
static const struct processor ivybridge = { "intel", "GenuineIntel", 0x306a9, 4,
					    34 };
static const struct processor haswell = { "intel", "GenuineIntel", 0x306c3, 4,
					  34 };
static const struct processor skylake = { "intel", "GenuineIntel", 0x506e3, 4,
					  38 };
static const struct processor icelake = { "intel", "GenuineIntel", 0x706e5, 4,
					  37 };
/* The model of this processor is not known. */
static const struct processor later = { "intel", "GenuineIntel", 0xf06f0, 4,
					7 };
static const struct processor k7 = { "amd", "AuthenticAMD", 0x662, 4, 22 };
static const struct processor k8 = { "amd", "AuthenticAMD", 0xf61, 4, 34 };
static const struct processor fam10h = { "amd", "AuthenticAMD", 0x100f42, 4,
					 34 };
static const struct processor fam14h = { "amd", "AuthenticAMD", 0x500f10, 4,
					 33 };
static const struct processor fam15h = { "amd", "AuthenticAMD", 0x600f12, 6,
					 36 };
static const struct processor fam16h = { "amd", "AuthenticAMD", 0x700f01, 4,
					 24 };
static const struct processor zen = { "amd", "AuthenticAMD", 0x800f12, 6, 35 };
static const struct processor zen3 = { "amd", "AuthenticAMD", 0xa20f10, 6, 35 };
static const struct processor zen5 = { "amd", "AuthenticAMD", 0xb40f40, 6, 35 };

static const struct processor *const processors[] = {
	&p5,	  &mmx,	    &p6,	  &p4,	      &prescott, &core,
	&core2,	  &nehalem, &sandybridge, &ivybridge, &haswell,	 &skylake,
	&icelake, &later,   &k7,	  &k8,	      &fam10h,	 &fam14h,
	&fam15h,  &fam16h,  &zen,	  &zen3,      &zen5
};

static PCL_DESCR_TYPE init(const struct processor *processor)
{
	const char *vendor = processor->vendor;
	uint32_t words[3];
	PCL_DESCR_TYPE descr;

	memcpy(words, vendor, sizeof(words));
	snprintf(fake->info.pmu, sizeof(fake->info.pmu), "%s", processor->pmu);
	fake->info.nr_counters = processor->counters;
	fake->nr_cpuid = 2;
	fake->cpuid[0] = (struct fake_cpuid){
		.leaf = 0, .regs = { 1, words[0], words[2], words[1] }
	};
	fake->cpuid[1] =
		(struct fake_cpuid){ .leaf = 1,
				     .regs = { processor->signature } };
	assert_int_equal(PCLinit(&descr), PCL_SUCCESS);
	return descr;
}

static void a_processor_has_so_many_events(void **state)
{
	size_t i;
	int event;

	for (i = 0; i < ARRAY_SIZE(processors); i++) {
		PCL_DESCR_TYPE descr = init(processors[i]);
		int nr = 0;

		for (event = 0; event < PCL_MAX_EVENT; event++) {
			const int status =
				PCLquery(descr, &event, 1, PCL_MODE_USER);

			if (status != PCL_NOT_SUPPORTED)
				assert_int_equal(status, PCL_SUCCESS);
			nr += status == PCL_SUCCESS;
		}
		if (nr != processors[i]->events)
			print_error("%s %#x: %d events\n", processors[i]->pmu,
				    processors[i]->signature, nr);
		assert_int_equal(nr, processors[i]->events);
		PCLexit(descr);
	}
}

/* This value ends the codes of a row. */
#define END UINT64_MAX

static const struct {
	const struct processor *processor;
	int event;
	uint64_t code[5];
} rows[] = {
	{ &p5, PCL_L1DCACHE_READ, { 0x00, END } },
	{ &p5, PCL_L1DCACHE_WRITE, { 0x01, END } },
	{ &p5, PCL_L1DCACHE_READWRITE, { 0x28, END } },
	{ &p5, PCL_L1DCACHE_MISS, { 0x29, END } },
	{ &p5, PCL_L1ICACHE_READ, { 0x0c, END } },
	{ &p5, PCL_L1ICACHE_MISS, { 0x0e, END } },
	{ &p5, PCL_ITLB_MISS, { 0x0d, END } },
	{ &p5, PCL_DTLB_MISS, { 0x02, END } },
	{ &p5, PCL_CYCLES, { 0x100, END } },
	{ &p5, PCL_FP_INSTR, { 0x22, END } },
	{ &p5, PCL_LOADSTORE_INSTR, { 0x28, END } },
	{ &p5, PCL_INSTR, { 0x16, END } },
	{ &p5, PCL_JUMP, { 0x12, END } },
	{ &p5, PCL_ATOMIC, { 0x1c, END } },
	{ &p5, PCL_STALL_LOAD, { 0x1a, END } },
	{ &p5, PCL_STALL_STORE, { 0x19, END } },
	{ &p5, PCL_MFLOPS, { 0x22, 0x100, END } },
	{ &p5, PCL_IPC, { 0x16, 0x100, END } },
	{ &p5, PCL_L1DCACHE_MISSRATE, { 0x29, 0x28, END } },
	{ &p5, PCL_MEM_FP_RATIO, { 0x28, 0x22, END } },
	{ &p5, PCL_L1CACHE_MISS, { 0x29, 0x0e, END } },
	{ &mmx, PCL_JUMP_UNSUCCESS, { 0x35, END } },
	{ &mmx, PCL_JUMP_SUCCESS, { 0x12, 0x35, END } },
	{ &mmx, PCL_STALL_FP, { 0x32, END } },
	{ &p6, PCL_L1DCACHE_MISS, { 0x45, END } },
	{ &p6, PCL_L1ICACHE_READ, { 0x80, END } },
	{ &p6, PCL_L1ICACHE_MISS, { 0x81, END } },
	{ &p6, PCL_L2CACHE_READWRITE, { 0x0f2e, END } },
	{ &p6, PCL_L2CACHE_MISS, { 0x24, END } },
	{ &p6, PCL_L2DCACHE_READ, { 0x0f29, END } },
	{ &p6, PCL_L2DCACHE_WRITE, { 0x0f2a, END } },
	{ &p6, PCL_L2DCACHE_READWRITE, { 0x0f29, 0x0f2a, END } },
	{ &p6, PCL_L2ICACHE_READ, { 0x0f28, END } },
	{ &p6, PCL_ITLB_MISS, { 0x85, END } },
	{ &p6, PCL_CYCLES, { 0x79, END } },
	{ &p6, PCL_FP_INSTR, { 0xc1, END } },
	{ &p6, PCL_LOADSTORE_INSTR, { 0x43, END } },
	{ &p6, PCL_INSTR, { 0xc0, END } },
	{ &p6, PCL_JUMP_SUCCESS, { 0xc4, 0xc5, END } },
	{ &p6, PCL_JUMP_UNSUCCESS, { 0xc5, END } },
	{ &p6, PCL_JUMP, { 0xc4, END } },
	{ &p6, PCL_STALL, { 0xa2, END } },
	{ &p6, PCL_L1DCACHE_MISSRATE, { 0x45, 0x43, END } },
	{ &p4, PCL_L1DCACHE_MISS, { 0xa00412000200, END } },
	{ &p4, PCL_L1ICACHE_MISS, { 0x106000200, END } },
	{ &p4, PCL_L2CACHE_READ, { 0xe00118020e00, END } },
	{ &p4, PCL_L2CACHE_HIT, { 0xe00118000e00, END } },
	{ &p4, PCL_L2CACHE_MISS, { 0xe00118020000, END } },
	{ &p4, PCL_TLB_MISS, { 0x800102000600, END } },
	{ &p4, PCL_ITLB_HIT, { 0x600130000a00, END } },
	{ &p4, PCL_ITLB_MISS, { 0x600130000400, END } },
	{ &p4, PCL_DTLB_MISS, { 0x800102000200, END } },
	{ &p4, PCL_JUMP_SUCCESS, { 0xa0040c000a00, END } },
	{ &p4, PCL_JUMP_UNSUCCESS, { 0xa0040c001400, END } },
	{ &p4, PCL_JUMP, { 0xa0040c001e00, END } },
	{ &p4, PCL_STALL_STORE, { 0x200402004000, END } },
	{ &prescott, PCL_IPC, { 0x800404000600, 0xc00126000200, END } },
	{ &prescott,
	  PCL_L2DCACHE_MISSRATE,
	  { 0xe00118020000, 0xe00118020e00, END } },
	{ &core2, PCL_L2CACHE_HIT, { 0x4f2e, 0x412e, END } },
	{ &core2, PCL_LOADSTORE_INSTR, { 0x01c0, 0x02c0, END } },
	{ &core2, PCL_IPC, { 0xc0, 0x3c, END } },
	{ &core2, PCL_L1DCACHE_READWRITE, { 0x0f40, 0x0f41, END } },
	{ &core2, PCL_L2DCACHE_MISS, { 0x4129, 0x412a, END } },
	{ &core2, PCL_TLB_MISS, { 0x0108, 0x1282, END } },
	{ &nehalem, PCL_L1DCACHE_MISSRATE, { 0x0151, 0x010b, 0x020b, END } },
	{ &nehalem, PCL_L1ICACHE_MISS, { 0x0280, END } },
	{ &nehalem, PCL_L2CACHE_MISS, { 0x0324, 0x0124, 0x0824, 0x2024, END } },
	{ &nehalem, PCL_ITLB_MISS, { 0x0285, END } },
	{ &nehalem, PCL_STALL_STORE, { 0x08a2, END } },
	{ &sandybridge, PCL_L1CACHE_MISS, { 0x0151, 0x0280, END } },
	{ &sandybridge, PCL_L2DCACHE_HIT, { 0x0124, 0x0424, END } },
	{ &sandybridge, PCL_DTLB_MISS, { 0x0108, 0x0149, END } },
	{ &sandybridge, PCL_ATOMIC, { 0x21d0, END } },
	{ &ivybridge, PCL_DTLB_MISS, { 0x8108, 0x0149, END } },
	{ &ivybridge, PCL_ITLB_MISS, { 0x0185, END } },
	{ &haswell, PCL_L1ICACHE_READ, { 0x0180, 0x0280, END } },
	{ &haswell, PCL_L2CACHE_HIT, { 0xe724, 0x2724, END } },
	{ &haswell, PCL_STALL, { 0x01a2, END } },
	{ &skylake, PCL_L1ICACHE_MISS, { 0x0283, END } },
	{ &skylake,
	  PCL_L2DCACHE_MISSRATE,
	  { 0x2124, 0x2224, 0xe124, 0xe224, END } },
	{ &icelake, PCL_TLB_MISS, { 0x0e08, 0x0e49, 0x0e85, END } },
	{ &icelake, PCL_L2ICACHE_HIT, { 0xe424, 0x2424, END } },
	{ &skylake, PCL_LOAD_INSTR, { 0x81d0, END } },
	{ &skylake, PCL_JUMP_SUCCESS, { 0xc4, 0xc5, END } },
	{ &k7, PCL_L1CACHE_HIT, { 0x40, 0x41, 0x80, 0x81, END } },
	{ &k7, PCL_L1DCACHE_MISSRATE, { 0x41, 0x40, END } },
	{ &k7, PCL_DTLB_MISS, { 0x46, END } },
	{ &k8, PCL_ITLB_MISS, { 0x85, END } },
	{ &k8, PCL_CYCLES, { 0x76, END } },
	{ &fam10h, PCL_TLB_MISS, { 0x0746, 0x0385, END } },
	{ &k8, PCL_L2CACHE_HIT, { 0x037d, 0x037e, END } },
	{ &fam10h, PCL_L2DCACHE_MISSRATE, { 0x027e, 0x027d, END } },
	{ &fam10h, PCL_LOADSTORE_INSTR, { 0x40, END } },
	{ &k8, PCL_STALL, { 0xd1, END } },
	{ &fam10h, PCL_STALL, { 0xd1, END } },
	{ &fam15h, PCL_STALL, { 0xd1, END } },
	{ &fam14h, PCL_DTLB_MISS, { 0x0c46, END } },
	{ &fam14h, PCL_L2ICACHE_MISS, { 0x017e, END } },
	{ &fam15h, PCL_L1CACHE_HIT, { 0x40, 0x0141, 0x80, 0x81, END } },
	{ &fam15h, PCL_TLB_MISS, { 0x7746, END } },
	{ &fam15h, PCL_L2CACHE_MISS, { 0x037e, END } },
	{ &fam15h, PCL_LOADSTORE_INSTR, { 0x0529, 0x0629, END } },
	{ &fam16h, PCL_L1DCACHE_MISSRATE, { 0x41, 0x40, END } },
	{ &fam16h, PCL_ITLB_MISS, { 0x0385, END } },
	{ &zen, PCL_L1DCACHE_MISS, { 0xc860, END } },
	{ &zen, PCL_L1ICACHE_MISS, { 0x81, END } },
	{ &zen, PCL_L2DCACHE_MISSRATE, { 0x0864, 0xf864, END } },
	{ &zen, PCL_TLB_MISS, { 0xf045, 0x0785, END } },
	{ &zen3, PCL_L1ICACHE_MISS, { 0x10000188e, END } },
	{ &zen3, PCL_L1DCACHE_HIT, { 0x0729, 0xe860, END } },
	{ &zen5, PCL_L1CACHE_MISS, { 0xe060, 0x10000188e, END } },
	{ &zen, PCL_JUMP_UNSUCCESS, { 0xc3, END } },
	{ &zen, PCL_STORE_INSTR, { 0x0629, END } },
};

static void events_have_the_codes_of_the_manuals(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		PCL_DESCR_TYPE descr = init(rows[i].processor);
		int event = rows[i].event;

		assert_int_equal(PCLstart(descr, &event, 1, PCL_MODE_USER),
				 PCL_SUCCESS);
		for (j = 0; rows[i].code[j] != END; j++)
			assert_int_equal(fake->started.event[j].code,
					 rows[i].code[j]);
		assert_int_equal(fake->started.nr_events, j);
		PCLexit(descr);
	}
}

/* An event that only some counters can count gets one of these counters. */
static void events_are_on_counters_that_have_them(void **state)
{
	static const struct {
		const struct processor *processor;
		int event;
		unsigned int nr;
		unsigned int counter[4];
	} bound[] = {
		{ &nehalem, PCL_L1DCACHE_MISS, 1, { 0 } },
		{ &fam15h, PCL_L1ICACHE_HIT, 2, { 0, 1 } },
		{ &fam15h, PCL_L2DCACHE_MISSRATE, 2, { 1, 0 } },
		{ &fam15h, PCL_DTLB_MISS, 1, { 2 } },
		{ &fam15h, PCL_STALL, 1, { 2 } },
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(bound); i++) {
		PCL_DESCR_TYPE descr = init(bound[i].processor);
		int event[] = { PCL_CYCLES, bound[i].event };

		assert_int_equal(PCLstart(descr, event, 2, PCL_MODE_USER),
				 PCL_SUCCESS);
		for (j = 0; j < bound[i].nr; j++)
			assert_int_equal(fake->started.event[1 + j].counter,
					 bound[i].counter[j]);
		PCLexit(descr);
	}
}

static void what_a_family_lacks_is_refused(void **state)
{
	static const struct {
		const struct processor *processor;
		int event;
	} lacking[] = {
		{ &p5, PCL_JUMP_UNSUCCESS },   { &p5, PCL_L2CACHE_MISS },
		{ &p5, PCL_L1CACHE_HIT },      { &mmx, PCL_TLB_HIT },
		{ &p6, PCL_LOAD_INSTR },       { &p6, PCL_DTLB_MISS },
		{ &p4, PCL_LOAD_INSTR },       { &p4, PCL_FP_INSTR },
		{ &core2, PCL_FP_INSTR },      { &later, PCL_L2CACHE_MISS },
		{ &k7, PCL_LOAD_INSTR },       { &k7, PCL_L2CACHE_MISS },
		{ &icelake, PCL_STALL },       { &zen, PCL_STALL },
		{ &fam16h, PCL_L2CACHE_MISS }, { &k7, PCL_STALL },
		{ &fam14h, PCL_STALL },	       { &fam16h, PCL_STALL },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lacking); i++) {
		PCL_DESCR_TYPE descr = init(lacking[i].processor);
		int event = lacking[i].event;

		assert_int_equal(PCLquery(descr, &event, 1, PCL_MODE_USER),
				 PCL_NOT_SUPPORTED);
		PCLexit(descr);
	}
}

#define TEST(name) cmocka_unit_test_setup(name, fake_setup)

static const struct CMUnitTest tests[] = {
	TEST(a_processor_has_so_many_events),
	TEST(events_have_the_codes_of_the_manuals),
	TEST(events_are_on_counters_that_have_them),
	TEST(what_a_family_lacks_is_refused),
};

UNIT_MAIN(tests)

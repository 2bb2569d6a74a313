// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the generic names on each family of processors: the codes of the manuals, or
 * the reason why there is no code.
 */
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#include "check_says.h"
#include "fake_driver.h"
#include "vpmc.h"

static const char *const names[] = {
	"instructions", "cycles",	 "ref-cycles",
	"branches",	"branch-misses", "cache-references",
	"cache-misses", "loads",	 "stores",
};

/* This value instead of a code means that the event is refused. */
#define NONE UINT64_MAX

#define CORE  0xc0, 0x3c, 0x13c, 0xc4, 0xc5, 0x4f2e, 0x412e
#define INTEL 0xc0, 0x3c, 0x300, 0xc4, 0xc5, 0x4f2e, 0x412e
#define AMD   0xc0, 0x76, NONE, 0xc2, 0xc3
#define ZEN4  0xc0, 0x76, 0x100000120, 0xc2, 0xc3

/*
 * These Intel processors do not have fixed counters, so each name must have a code for general
 * counters.
 */
#define NO_FIXED "intel without fixed counters"

/* Each row has EAX of CPUID leaf 1 of a processor. */
static const struct {
	const char *pmu;
	const char *vendor;
	uint32_t signature;
	uint64_t codes[ARRAY_SIZE(names)];
} rows[] = {
	{ "p5",
	  "GenuineIntel",
	  0x52c,
	  { 0x16, 0x100, NONE, 0x12, NONE, 0x28, 0x29, 0x00, 0x01 } },
	{ "p5mmx",
	  "GenuineIntel",
	  0x543,
	  { 0x16, 0x100, NONE, 0x12, 0x35, 0x28, 0x29, 0x00, 0x01 } },
	{ "p6",
	  "GenuineIntel",
	  0x673,
	  { 0xc0, 0x79, NONE, 0xc4, 0xc5, 0x0f2e, 0x012e, NONE, NONE } },
	/* Core; Core 2; Nehalem, Westmere */
	{ NO_FIXED, "GenuineIntel", 0x006e8, { CORE, NONE, NONE } },
	{ "intel", "GenuineIntel", 0x006fb, { INTEL, 0x01c0, 0x02c0 } },
	{ "intel", "GenuineIntel", 0x10661, { INTEL, 0x01c0, 0x02c0 } },
	{ "intel", "GenuineIntel", 0x10676, { INTEL, 0x01c0, 0x02c0 } },
	{ "intel", "GenuineIntel", 0x106d1, { INTEL, 0x01c0, 0x02c0 } },
	{ "intel", "GenuineIntel", 0x106a5, { INTEL, 0x010b, 0x020b } },
	{ "intel", "GenuineIntel", 0x106e5, { INTEL, 0x010b, 0x020b } },
	{ "intel", "GenuineIntel", 0x206e6, { INTEL, 0x010b, 0x020b } },
	{ "intel", "GenuineIntel", 0x20655, { INTEL, 0x010b, 0x020b } },
	{ "intel", "GenuineIntel", 0x206c2, { INTEL, 0x010b, 0x020b } },
	{ "intel", "GenuineIntel", 0x206f2, { INTEL, 0x010b, 0x020b } },
	/* Sandy Bridge, Ivy Bridge, Haswell, Broadwell */
	{ "intel", "GenuineIntel", 0x206a7, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x206d7, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x306a9, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x306e4, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x306c3, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x306f2, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x40651, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x40661, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x306d4, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x40671, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x406f1, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x50662, { INTEL, 0x81d0, 0x82d0 } },
	/* Skylake and its successors; Ice Lake, Tiger Lake, Rocket Lake */
	{ "intel", "GenuineIntel", 0x406e3, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x506e3, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x50654, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x806ea, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x906ed, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0xa0652, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0xa0660, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x606a6, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x606c1, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x706e5, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x806c1, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0x806d1, { INTEL, 0x81d0, 0x82d0 } },
	{ "intel", "GenuineIntel", 0xa0671, { INTEL, 0x81d0, 0x82d0 } },
	/* An Atom; another maker's processor with a model of Intel's */
	{ "intel", "GenuineIntel", 0x106c2, { INTEL, NONE, NONE } },
	{ "intel", "CentaurHauls", 0x006fb, { INTEL, NONE, NONE } },
	/* K7, Jaguar; K8, 10h to 12h; Bobcat; Zen to Zen 5 */
	{ "amd", "AuthenticAMD", 0x00662, { AMD, 0x40, 0x41, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x700f01,
	  { AMD, 0x40, 0x41, 0x0529, 0x0629 } },
	{ "amd", "AuthenticAMD", 0x00f4a, { AMD, 0x077d, 0x077e, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x100f42,
	  { AMD, 0x077d, 0x077e, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x200f31,
	  { AMD, 0x077d, 0x077e, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x300f10,
	  { AMD, 0x077d, 0x077e, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x500f20,
	  { AMD, 0x037d, 0x037e, NONE, NONE } },
	{ "amd",
	  "AuthenticAMD",
	  0x800f12,
	  { AMD, 0xf960, 0x0964, 0x0529, 0x0629 } },
	{ "amd",
	  "AuthenticAMD",
	  0xa00f11,
	  { AMD, 0xf960, 0x0964, 0x0529, 0x0629 } },
	{ "amd",
	  "AuthenticAMD",
	  0xa10f11,
	  { ZEN4, 0xf960, 0x0964, 0x0529, 0x0629 } },
	{ "amd",
	  "AuthenticAMD",
	  0xb40f40,
	  { ZEN4, 0xf960, 0x0964, 0x0529, 0x0629 } },
	/* Family 15h */
	{ "amd",
	  "AuthenticAMD",
	  0x600f12,
	  { AMD, 0x40, 0x0141, 0x0529, 0x0629 } },
	/* a model that is not known yet */
	{ "amd", "AuthenticAMD", 0xc00f00, { AMD, NONE, NONE, NONE, NONE } },
};

/* Fake this processor. Its leaf 0AH returns @eax and @ebx, and is missing if @eax is 0. */
static void be(const char *vendor, uint32_t signature, uint32_t eax,
	       uint32_t ebx)
{
	struct fake_cpuid leaves[] = {
		{ 0, 0, { 0x16 } },
		{ 1, 0, { signature } },
		{ 0x0a, 0, { eax, ebx } },
	};

	memcpy(&leaves[0].regs[1], vendor, 4);
	memcpy(&leaves[0].regs[3], vendor + 4, 4);
	memcpy(&leaves[0].regs[2], vendor + 8, 4);
	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = eax ? 3 : 2;
}

static void check_refusal(const struct vpmc_named_event *event,
			  const struct vpmc_error *err)
{
	assert_non_null(event->refusal);
	check_says(err->text, event->info.name);
	check_says(err->text, event->refusal);
	check_says(event->refusal, ", so ");
	assert_true(strlen(err->text) < sizeof(err->text) - 1);
}

static const struct vpmc_pmu *find_pmu(const char *name)
{
	const struct vpmc_pmu *pmu;
	struct vpmc *vpmc;

	if (strcmp(name, NO_FIXED) != 0)
		return vpmc_pmu_find(name);
	strcpy(fake->info.pmu, "intel");
	vpmc = fake_open();
	pmu = vpmc_pmu_of(vpmc);
	vpmc_close(vpmc);
	return pmu;
}

static void check_row(size_t row, size_t name)
{
	const struct vpmc_pmu *pmu = find_pmu(rows[row].pmu);
	const struct vpmc_named_event *event =
		vpmc_generic_event(pmu, (unsigned int)name);
	const uint64_t code = rows[row].codes[name];
	struct vpmc_event_sel sel = { .code = 0 };
	struct vpmc_error err = { .text = "" };
	const int ret =
		vpmc_event_parse(pmu, names[name], VPMC_USER, &sel, &err);

	assert_string_equal(event->info.name, names[name]);
	assert_in_range(strlen(event->info.description), 1, 70);
	if (ret != (code == NONE ? VPMC_E_UNKNOWN_EVENT : 0) ||
	    (!ret && (sel.code != code || event->info.code != code)))
		fail_msg("%s %x: %s is 0x%" PRIx64 ", not 0x%" PRIx64 ": %s",
			 rows[row].pmu, rows[row].signature, names[name],
			 sel.code, code, err.text);
	if (ret)
		check_refusal(event, &err);
	else
		assert_null(event->refusal);
}

static void a_generic_name_has_the_code_of_the_manual(void **state)
{
	size_t row, name;

	for (row = 0; row < ARRAY_SIZE(rows); row++) {
		be(rows[row].vendor, rows[row].signature, 0, 0);
		for (name = 0; name < ARRAY_SIZE(names); name++)
			check_row(row, name);
	}
}

static void there_are_nine_of_them(void **state)
{
	assert_null(vpmc_generic_event(vpmc_pmu_find("p5"), 9));
	assert_null(vpmc_generic_event(vpmc_pmu_find("p5"), UINT32_MAX));
}

/* If CPUID has no data, codes that depend on the processor are unknown. */
static void without_cpuid_the_family_decides(void **state)
{
	struct vpmc_event_sel sel;
	struct vpmc_error err;

	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("intel"), "branches",
					  VPMC_USER, &sel, NULL),
			 0);
	assert_int_equal(sel.code, 0xc4);
	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("intel"), "loads",
					  VPMC_USER, &sel, &err),
			 VPMC_E_UNKNOWN_EVENT);
	check_says(err.text, "libvpmc does not know this one");
}

/* Each row has a name, and its bit in leaf 0AH. */
static const struct {
	const char *name;
	unsigned int bit;
} architectural[] = {
	{ "cycles", 0 },	   { "instructions", 1 }, { "ref-cycles", 2 },
	{ "cache-references", 3 }, { "cache-misses", 4 }, { "branches", 5 },
	{ "branch-misses", 6 },
};

static int parse_on_intel(const char *name, uint32_t eax, uint32_t ebx)
{
	struct vpmc_event_sel sel;
	struct vpmc_error err;
	int ret;

	be("GenuineIntel", 0x106a5, eax, ebx);
	ret = vpmc_event_parse(find_pmu(NO_FIXED), name, VPMC_USER, &sel, &err);
	if (ret)
		check_says(err.text, "CPUID (leaf 0AH)");
	return ret;
}

static void architectural_events_may_be_missing(void **state)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(architectural); i++) {
		const char *name = architectural[i].name;
		const unsigned int bit = architectural[i].bit;

		for (j = 0; j < ARRAY_SIZE(architectural); j++)
			assert_int_equal(
				parse_on_intel(name, 0x07300403,
					       1U << architectural[j].bit),
				i == j ? VPMC_E_UNKNOWN_EVENT : 0);
		/*
		 * EAX has the number of valid bits of EBX. An event with a bit beyond them is
		 * unknown.
		 */
		assert_int_equal(parse_on_intel(name, (bit + 1) << 24, 0), 0);
		assert_int_equal(parse_on_intel(name, bit << 24 | 3, 0),
				 VPMC_E_UNKNOWN_EVENT);
	}
}

static void an_event_of_one_counter_gets_it(void **state)
{
	struct vpmc_event_sel sel;

	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5mmx"),
					  "Branch-Misses:k", VPMC_USER, &sel,
					  NULL),
			 0);
	assert_int_equal(sel.counter, 0);
	assert_int_equal(sel.modes, VPMC_KERNEL);
	assert_int_equal(vpmc_event_parse(vpmc_pmu_find("p5mmx"),
					  "branch-misses@1", VPMC_USER, &sel,
					  NULL),
			 VPMC_E_WRONG_COUNTER);
}

static const struct {
	const char *text;
	const char *name;
} called[] = {
	{ "0x16", "instructions_executed" },
	{ "22@1:uk", "instructions_executed" },
	{ "Instructions_Executed:k", "instructions_executed" },
	{ "INSTRUCTIONS@0", "instructions" },
	{ "0x2b@1", "mmx_instructions_v_pipe" },
};

static void an_event_keeps_the_name_that_it_is_given(void **state)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");
	char name[VPMC_EVENT_NAME_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(called); i++) {
		assert_int_equal(
			vpmc_event_name(pmu, called[i].text, name, NULL), 0);
		assert_string_equal(name, called[i].name);
	}
	assert_int_equal(vpmc_event_name(pmu, "no_such", name, NULL),
			 VPMC_E_UNKNOWN_EVENT);
	assert_string_equal(name, "mmx_instructions_v_pipe");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(a_generic_name_has_the_code_of_the_manual),
	DRIVER_TEST(there_are_nine_of_them),
	DRIVER_TEST(without_cpuid_the_family_decides),
	DRIVER_TEST(architectural_events_may_be_missing),
	DRIVER_TEST(an_event_of_one_counter_gets_it),
	DRIVER_TEST(an_event_keeps_the_name_that_it_is_given),
};

UNIT_MAIN(tests)

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests how the library identifies the processor, and finds out whether it is emulated.
 */
#include "unit.h"

#include <string.h>

#include "check_says.h"
#include "fake_driver.h"

#define HYPERVISOR 0x80000000
#define VENDOR                                                \
	{                                                     \
		0, 0,                                         \
		{                                             \
			1, 0x756e6547, 0x6c65746e, 0x49656e69 \
		}                                             \
	}
#define SIGNATURE 0x434d5056 /* "VPMC" */

/* Set up CPUID with leaf 1, and with the emulator's leaf if there is one. */
static void use_cpuid(uint32_t version, uint32_t leaf_1_ecx, uint32_t signature)
{
	const struct fake_cpuid leaves[] = {
		VENDOR,
		{ 1, 0, { version, 0, leaf_1_ecx, 0 } },
		{ 0x40000002, 0, { 0, signature, 0, 0 } },
	};

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
}

static struct vpmc_machine get_machine(void)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_machine machine;

	memset(&machine, 0x55, sizeof(machine));
	assert_int_equal(vpmc_info(vpmc, &machine, NULL), 0);
	vpmc_close(vpmc);
	return machine;
}

static void the_driver_describes_the_counters(void **state)
{
	struct vpmc_machine machine;

	fake->info.generation = 9;
	machine = get_machine();
	assert_string_equal(machine.pmu, "p5mmx");
	assert_int_equal(machine.abi, VPMC_ABI_VERSION);
	assert_int_equal(machine.counters, 2);
	assert_int_equal(machine.fixed, 0);
	assert_int_equal(machine.counter_bits, 40);
	assert_int_equal(machine.rdpmc, 1);
	assert_int_equal(machine.map, 1);
	assert_int_equal(machine.generation, 9);

	assert_int_equal(machine.system, 0);

	strcpy(fake->info.pmu, "intel");
	fake->info.nr_fixed = 3;
	fake->info.features = VPMC_FEATURE_RDPMC;
	fake->info.system = 1;
	machine = get_machine();
	assert_int_equal(machine.counters, 2);
	assert_int_equal(machine.fixed, 3);
	assert_int_equal(machine.rdpmc, 1);
	assert_int_equal(machine.map, 0);

	fake->info.features = 0;
	machine = get_machine();
	assert_int_equal(machine.rdpmc, 0);
	assert_int_equal(machine.system, 1);
}

static void an_unterminated_name_does_no_harm(void **state)
{
	struct vpmc *vpmc;
	struct vpmc_error err;

	memset(fake->info.pmu, 'x', sizeof(fake->info.pmu));
	assert_int_equal(vpmc_open(&vpmc, &err), VPMC_E_UNSUPPORTED);
	check_says(err.text, "(xxxxxxxxxxxxxxx, 2");
}

static void processors_are_told_by_cpuid(void **state)
{
	static const struct {
		uint32_t version;
		unsigned int family;
		unsigned int model;
		unsigned int stepping;
	} rows[] = {
		{ 0x00000543, 5, 4, 3 },
		{ 0x0000052c, 5, 2, 12 },
		/*
		 * The processor's type, here an OverDrive, is not part of family, model or
		 * stepping.
		 */
		{ 0x00001543, 5, 4, 3 },
		/* These processors have an extended model and an extended family. */
		{ 0x000106a5, 6, 26, 5 },
		{ 0x00100f42, 16, 4, 2 },
	};
	struct vpmc_machine machine;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		use_cpuid(rows[i].version, 0, 0);
		machine = get_machine();
		assert_string_equal(machine.vendor, "GenuineIntel");
		assert_int_equal(machine.family, rows[i].family);
		assert_int_equal(machine.model, rows[i].model);
		assert_int_equal(machine.stepping, rows[i].stepping);
		assert_int_equal(machine.emulated, 0);
	}
}

static void no_cpuid_is_no_emulator(void **state)
{
	struct vpmc_machine machine;

	machine = get_machine();
	assert_string_equal(machine.vendor, "");
	assert_int_equal(machine.family, 0);
	assert_int_equal(machine.emulated, 0);
}

static void the_emulator_is_told_by_bit_and_word(void **state)
{
	use_cpuid(0x543, HYPERVISOR, SIGNATURE);
	assert_int_equal(get_machine().emulated, 1);

	/*
	 * Without the bit of a hypervisor, the leaf has no meaning, because a processor also
	 * answers leaves above its last leaf.
	 */
	use_cpuid(0x543, 0, SIGNATURE);
	assert_int_equal(get_machine().emulated, 0);

	/* The leaf has the signature of another hypervisor. */
	use_cpuid(0x543, HYPERVISOR, 0x4b4d564b);
	assert_int_equal(get_machine().emulated, 0);

	/* The emulator's leaf is missing. */
	fake->nr_cpuid--;
	assert_int_equal(get_machine().emulated, 0);
}

static int emulation(const struct vpmc_machine *machine, uint64_t code)
{
	const struct vpmc_event_sel sel = { code, VPMC_ANY_COUNTER, VPMC_USER };

	return vpmc_event_emulation(machine, &sel);
}

static void only_events_that_are_emulated_count_there(void **state)
{
	static const struct fake_cpuid leaves[] = {
		{ 0x40000002, 0x28, { 1, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x01, { 0, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x01c0, { 1, SIGNATURE, 0, 0 } },
	};
	struct vpmc_machine machine = { .emulated = 1 };

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	assert_int_equal(emulation(&machine, 0x28), VPMC_EXACT);
	assert_int_equal(emulation(&machine, 0x01), VPMC_NOT_EMULATED);
	/*
	 * The leaf is that of event and unit mask. The fields above the unit mask have no
	 * effect.
	 */
	assert_int_equal(emulation(&machine, 0x01c0), VPMC_EXACT);
	assert_int_equal(emulation(&machine, 0x018401c0), VPMC_EXACT);

	machine.emulated = 0;
	assert_int_equal(emulation(&machine, 0x01), VPMC_EXACT);
}

static void modelled_events_are_told_from_exact_ones(void **state)
{
	/* Event 36h is modelled on counter 0, and missing on counter 1. */
	static const struct fake_cpuid leaves[] = {
		{ 0x40000002, 0x03, { 3, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x16, { 1, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x36, { 3, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x10036, { 3, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x20036, { 0, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x100, { 5, SIGNATURE, 0, 0 } },
	};
	const struct vpmc_event_sel clocks = { 0x100, VPMC_ANY_COUNTER,
					       VPMC_USER };
	const struct vpmc_event_sel exact = { 0x16, VPMC_ANY_COUNTER,
					      VPMC_USER };
	const struct vpmc_event_sel modelled = { 0x03, VPMC_ANY_COUNTER,
						 VPMC_USER };
	const struct vpmc_event_sel first = { 0x36, 0, VPMC_USER };
	const struct vpmc_event_sel second = { 0x36, 1, VPMC_USER };
	const struct vpmc_pmu *pmu = vpmc_pmu_find("p5mmx");
	struct vpmc_machine machine = { .emulated = 1 };

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	assert_int_equal(emulation(&machine, 0x03), VPMC_MODELLED);
	assert_int_equal(emulation(&machine, 0x16), VPMC_EXACT);
	assert_int_equal(emulation(&machine, 0x36), VPMC_MODELLED);
	assert_int_equal(emulation(&machine, 0x100), VPMC_PER_INSTRUCTION);
	assert_int_equal(vpmc_event_emulation(&machine, &clocks),
			 VPMC_PER_INSTRUCTION);
	assert_null(vpmc_event_never(pmu, &machine, &clocks));
	assert_int_equal(vpmc_event_emulation(&machine, &modelled),
			 VPMC_MODELLED);
	assert_int_equal(vpmc_event_emulation(&machine, &exact), VPMC_EXACT);
	assert_int_equal(vpmc_event_emulation(&machine, &first), VPMC_MODELLED);
	assert_int_equal(vpmc_event_emulation(&machine, &second),
			 VPMC_NOT_EMULATED);
	assert_null(vpmc_event_never(pmu, &machine, &first));
	assert_string_equal(vpmc_event_never(pmu, &machine, &second),
			    "not emulated here");

	machine.emulated = 0;
	assert_int_equal(vpmc_event_emulation(&machine, &modelled), VPMC_EXACT);
}

/* Each row has CPUID of a processor, its family, and its numbers of counters. */
static const struct {
	const char *vendor;
	uint32_t version;
	uint32_t features;
	uint32_t architectural[4];
	uint32_t extended;
	const char *pmu;
	unsigned int counters;
	unsigned int fixed;
} heres[] = {
	{ "GenuntelineI", 0x52c, 0, { 0 }, 0, "p5", 2, 0 },
	{ "GenuntelineI", 0x543, 1 << 23, { 0 }, 0, "p5mmx", 2, 0 },
	{ "GenuntelineI", 0x683, 1 << 23, { 0 }, 0, "p6", 2, 0 },
	{ "GenuntelineI", 0x6b1, 1 << 23, { 0 }, 0, "p6", 2, 0 },
	{ "GenuntelineI", 0xf29, 1 << 23, { 0 }, 0, "p4", 18, 0 },
	/* A Pentium M, and virtual machines that hide the counters, have no family. */
	{ "GenuntelineI", 0x6d8, 1 << 23, { 0 }, 0, NULL, 0, 0 },
	{ "GenuntelineI", 0x506e3, 1 << 23, { 0 }, 0, NULL, 0, 0 },
	{ "GenuntelineI", 0x806f8, 1 << 23, { 0 }, 0, NULL, 0, 0 },
	{ "GenuntelineI", 0x6e8, 0, { 0x07280201, 0, 0, 3 }, 0, "intel", 2, 0 },
	{ "GenuntelineI", 0x6f6, 0, { 0x07280202, 0, 0, 3 }, 0, "intel", 2, 3 },
	{ "GenuntelineI",
	  0x706e5,
	  0,
	  { 0x08300805, 0, 0, 4 },
	  0,
	  "intel",
	  8,
	  3 },
	{ "AuthcAMDenti", 0xf4a, 0, { 0 }, 0, "amd", 4, 0 },
	{ "AuthcAMDenti", 0x800f11, 0, { 0 }, 1 << 23, "amd", 6, 0 },
	{ "GenuntelineI", 0x433, 0, { 0 }, 0, NULL, 0, 0 },
	{ "CyriteadxIns", 0x540, 0, { 0 }, 0, NULL, 0, 0 },
};

static void counters_are_known_without_a_driver(void **state)
{
	const struct vpmc_pmu *pmu;
	struct vpmc_machine machine;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(heres); i++) {
		struct fake_cpuid leaves[] = {
			{ 0, 0, { 10 } },
			{ 1, 0, { heres[i].version, 0, 0, heres[i].features } },
			{ 0x80000001, 0, { 0, 0, heres[i].extended, 0 } },
			{ 0x0a, 0, { 0 } },
		};

		/* EBX, ECX and EDX have the vendor's name in another order. */
		memcpy(&leaves[0].regs[1], heres[i].vendor, 12);
		memcpy(leaves[3].regs, heres[i].architectural, 16);
		memcpy(fake->cpuid, leaves, sizeof(leaves));
		fake->nr_cpuid = ARRAY_SIZE(leaves);
		pmu = vpmc_pmu_here(&machine);
		if (!heres[i].pmu) {
			assert_null(pmu);
			continue;
		}
		assert_string_equal(vpmc_pmu_name(pmu), heres[i].pmu);
		assert_string_equal(machine.pmu, heres[i].pmu);
		assert_int_equal(machine.counters, heres[i].counters);
		assert_int_equal(machine.fixed, heres[i].fixed);
	}
}

static const char *never(const char *pmu, const struct vpmc_machine *machine,
			 uint64_t code, unsigned int modes)
{
	const struct vpmc_event_sel sel = { code, VPMC_ANY_COUNTER, modes };

	return vpmc_event_never(vpmc_pmu_find(pmu), machine, &sel);
}

static void an_event_that_cannot_happen_has_a_reason(void **state)
{
	/*
	 * The emulator does not have event 28h, and leaf 0AH says that mispredicted branches
	 * are missing.
	 */
	static const struct fake_cpuid leaves[] = {
		{ 0x40000002, 0x28, { 0, SIGNATURE, 0, 0 } },
		{ 0x40000002, 0x27, { 1, SIGNATURE, 0, 0 } },
		{ 0x0a, 0, { 0x07300402, 1 << 6, 0, 0 } },
	};
	struct vpmc_machine machine = { .emulated = 1 };

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	assert_string_equal(never("p5", &machine, 0x28, VPMC_USER),
			    "not emulated here");
	assert_string_equal(never("p5", &machine, 0x27, VPMC_USER),
			    "never in user mode");
	assert_null(never("p5mmx", &machine, 0x27, VPMC_USER | VPMC_KERNEL));

	machine.emulated = 0;
	assert_null(never("p5", &machine, 0x28, VPMC_USER));
	assert_string_equal(never("p5mmx", &machine, 0x27, VPMC_USER),
			    "never in user mode");
	/* CPUID describes only this processor, not other families. */
	assert_null(never("intel", &machine, 0xc5, VPMC_USER));
	strcpy(machine.vendor, "GenuineIntel");
	assert_string_equal(never("intel", &machine, 0xc5, VPMC_USER),
			    "not on this processor");
	assert_null(never("intel", &machine, 0xc4, VPMC_USER));
	assert_null(never("intel", &machine, 0xabcd, VPMC_USER));
}

/* The codes are in the order of the bits of EBX. */
static const uint64_t architectural[] = { 0x003c, 0x00c0, 0x013c, 0x4f2e,
					  0x412e, 0x00c4, 0x00c5 };

static void each_architectural_event_has_its_bit(void **state)
{
	struct vpmc_machine machine = { .vendor = "GenuineIntel" };
	size_t lacking, i;

	fake->nr_cpuid = 1;
	for (lacking = 0; lacking < ARRAY_SIZE(architectural); lacking++) {
		fake->cpuid[0] = (struct fake_cpuid){
			0x0a, 0, { 0x07300402, 1U << lacking, 0, 0 }
		};
		for (i = 0; i < ARRAY_SIZE(architectural); i++) {
			const char *why = never("intel", &machine,
						architectural[i], VPMC_USER);

			if (!why != (i != lacking))
				fail_msg("bit %zu: 0x%04x is %s", lacking,
					 (unsigned int)architectural[i],
					 why ? why : "there");
		}
	}
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)

static const struct CMUnitTest tests[] = {
	DRIVER_TEST(the_driver_describes_the_counters),
	DRIVER_TEST(an_unterminated_name_does_no_harm),
	DRIVER_TEST(processors_are_told_by_cpuid),
	DRIVER_TEST(no_cpuid_is_no_emulator),
	DRIVER_TEST(the_emulator_is_told_by_bit_and_word),
	DRIVER_TEST(only_events_that_are_emulated_count_there),
	DRIVER_TEST(modelled_events_are_told_from_exact_ones),
	DRIVER_TEST(counters_are_known_without_a_driver),
	DRIVER_TEST(an_event_that_cannot_happen_has_a_reason),
	DRIVER_TEST(each_architectural_event_has_its_bit),
};

UNIT_MAIN(tests)

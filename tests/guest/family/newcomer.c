// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file adds a family of processors that the driver does not support. Its processors are those
 * of Intel's family 15, and its only counter always has the value 0. The test copies this file to
 * vpmc/pmu/, changes no other file, and finds the family in the guest.
 */
#include <asm/cpu_device_id.h>

#include "pmu/pmu.h"

static enum vpmc_reason newcomer_find_counters(u64 code, u32 *counters)
{
	*counters = 1;
	return VPMC_REASON_NONE;
}

static u64 newcomer_encode(const struct vpmc_event *event)
{
	return 1;
}

static void newcomer_init_cpu(void)
{
}

static void newcomer_write_control(const struct vpmc_load *load)
{
}

static bool newcomer_holds(u64 control)
{
	return true;
}

static void newcomer_read_counters(u32 used, u64 *value)
{
	value[0] = 0;
}

static void newcomer_exchange(unsigned long used, struct vpmc_counter *from,
			      struct vpmc_counter *to)
{
}

static void newcomer_write_counter(unsigned int counter, u64 value)
{
}

static void newcomer_write_counters(const u64 *value)
{
}

static const struct vpmc_pmu newcomer_pmu = {
	.name = "newcomer",
	.nr_counters = 1,
	.counter_bits = 40,
	.counter_mask = GENMASK_ULL(39, 0),
	.find_counters = newcomer_find_counters,
	.encode = newcomer_encode,
	.init_cpu = newcomer_init_cpu,
	.write_control = newcomer_write_control,
	.holds = newcomer_holds,
	.read_counters = newcomer_read_counters,
	.exchange = newcomer_exchange,
	.write_counter = newcomer_write_counter,
	.write_counters = newcomer_write_counters,
};

static const struct x86_cpu_id newcomer_ids[] = {
	X86_MATCH_VENDOR_FAM(INTEL, 15, NULL),
	{}
};

static const struct vpmc_pmu *__init newcomer_probe(const char **hidden)
{
	return x86_match_cpu(newcomer_ids) ? &newcomer_pmu : NULL;
}

/* Do nothing, because this family has no register that could be proved to count. */
static void __init newcomer_describe(struct vpmc_proof *proof)
{
}

VPMC_FAMILY(newcomer);

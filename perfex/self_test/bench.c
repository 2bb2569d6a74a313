// SPDX-License-Identifier: GPL-2.0-only
/* Find what the checks of the self-test need, and give their verdicts. */
#include "self_test/bench.h"

#include <inttypes.h>
#include <stdarg.h>

/* Find an event of user mode, and the counters that count it. */
static int find_event(struct bench *bench, const struct vpmc_pmu *pmu,
		      const char *name, struct vpmc_event_sel *sel,
		      uint32_t *counters, struct vpmc_error *err)
{
	const int failure = vpmc_event_parse(pmu, name, VPMC_USER, sel, err);

	if (!failure)
		*counters = vpmc_event_accepted(pmu, &bench->machine,
						vpmc_event_lookup(pmu, sel));
	return failure;
}

int describe_bench(struct bench *bench, struct vpmc *vpmc,
		   struct vpmc_error *err)
{
	const struct vpmc_pmu *pmu = vpmc_pmu_of(vpmc);
	int failure = vpmc_info(vpmc, &bench->machine, err);

	if (!failure)
		failure =
			find_event(bench, pmu, "instructions",
				   &bench->instructions, &bench->counters, err);
	if (!failure)
		failure = find_event(bench, pmu, "branches", &bench->branches,
				     &bench->branch_counters, err);
	CPU_ZERO(&bench->cpus);
	CPU_SET(0, &bench->cpus);
	sched_getaffinity(0, sizeof(bench->cpus), &bench->cpus);
	while (!CPU_ISSET(bench->cpu, &bench->cpus))
		bench->cpu++;
	return failure;
}

bool stay_on(size_t cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return !sched_setaffinity(0, sizeof(cpus), &cpus);
}

bool is_right(const struct bench *bench, uint64_t count, uint64_t wanted)
{
	const uint64_t usual = EXCESS_LEAST + wanted / EXCESS_PER,
		       excess = usual < bench->excess ? usual : bench->excess;

	return count >= wanted && count - wanted <= excess;
}

void give(struct verdict *verdict, enum outcome outcome, const char *format,
	  ...)
{
	va_list args;

	verdict->outcome = outcome;
	va_start(args, format);
	vsnprintf(verdict->detail, sizeof(verdict->detail), format, args);
	va_end(args);
}

void give_error(struct verdict *verdict, const struct vpmc_error *err)
{
	give(verdict, CHECK_FAILED, "%s", err->text);
}

bool judge(const struct bench *bench, struct verdict *verdict, uint64_t count,
	   uint64_t wanted)
{
	if (is_right(bench, count, wanted)) {
		give(verdict, CHECK_PASSED, "%" PRIu64, wanted);
		return true;
	}
	give(verdict, CHECK_FAILED, "%" PRIu64 " instead of %" PRIu64, count,
	     wanted);
	return false;
}

void name_part(struct verdict *verdict, const char *part, unsigned int number)
{
	const struct verdict without = *verdict;

	give(verdict, without.outcome, "%s %u: %.*s", part, number,
	     DETAIL_MAX / 2, without.detail);
}

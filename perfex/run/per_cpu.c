// SPDX-License-Identifier: GPL-2.0-only
/* Read the counts of each processor in system mode. */
#include "run/per_cpu.h"

#include <stdlib.h>
#include <string.h>

/* No kernel supports more processors. Their numbers may have gaps. */
#define NUMBERS_MAX 8192

static int make_room(struct cpus *cpus)
{
	const size_t room = cpus->room ? 2 * cpus->room : 8;
	struct cpu *cpu;

	if (cpus->nr < cpus->room)
		return 0;
	cpu = reallocarray(cpus->cpu, room, sizeof(*cpu));
	if (!cpu) {
		complain("no memory for the counts of %zu processors: choose"
			 " one with --cpu",
			 room);
		return PERFEX_SYSTEM;
	}
	cpus->cpu = cpu;
	cpus->room = room;
	return 0;
}

static int add_cpu(struct cpus *cpus, int number,
		   const struct vpmc_system_counts *counts,
		   struct vpmc_counts *sum)
{
	struct cpu *cpu;
	int status = make_room(cpus);

	if (status)
		return status;
	cpu = &cpus->cpu[cpus->nr++];
	cpu->number = number;
	memcpy(cpu->count, counts->count, sizeof(cpu->count));
	for (sum->nr = 0; sum->nr < counts->nr; sum->nr++)
		sum->count[sum->nr] += counts->count[sum->nr];
	return 0;
}

int read_cpus(struct vpmc *vpmc, int which, struct cpus *cpus,
	      struct vpmc_counts *sum)
{
	const bool is_one = which != VPMC_EVERY_CPU;
	struct vpmc_system_counts counts;
	struct vpmc_error err;
	unsigned int nr = 1;
	int number = is_one ? which : 0, status = 0, ret;

	*sum = (struct vpmc_counts){ .nr = 0 };
	cpus->nr = 0;
	if (!is_one) {
		if (vpmc_system_read(vpmc, which, &counts, &err))
			return complain_vpmc(&err);
		nr = counts.cpus;
	}
	for (; !status && cpus->nr < nr && number < NUMBERS_MAX; number++) {
		ret = vpmc_system_read(vpmc, number, &counts, &err);
		if (ret == VPMC_E_NO_CPU && !is_one)
			continue;
		if (ret)
			return complain_vpmc(&err);
		if (is_one || counts.cpus)
			status = add_cpu(cpus, number, &counts, sum);
	}
	return status;
}

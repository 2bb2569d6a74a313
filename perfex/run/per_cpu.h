/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares what each processor has counted in system mode. */
#ifndef PERFEX_PER_CPU_H
#define PERFEX_PER_CPU_H

#include "util/perfex.h"

/**
 * struct cpu - a processor
 * @number: of it
 * @count: what it has counted, in the order of the events
 */
struct cpu {
	int number;
	uint64_t count[VPMC_COUNTS_MAX];
};

/**
 * struct cpus - all that count
 * @cpu: in the order of their numbers
 * @nr: how many
 * @room: for how many there is memory
 */
struct cpus {
	struct cpu *cpu;
	size_t nr;
	size_t room;
};

/**
 * read_cpus() - read the counts of each processor
 * @vpmc: the handle that has system mode
 * @which: a processor, or VPMC_EVERY_CPU
 * @cpus: receives them, in the memory that it has; zeroed before the first call. The
 *	caller frees @cpu, in any case.
 * @sum: receives their sum
 *
 * Processors that have not counted are left out: they were never switched on.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_cpus(struct vpmc *vpmc, int which, struct cpus *cpus,
	      struct vpmc_counts *sum);

#endif /* PERFEX_PER_CPU_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the counts of each processor in system mode. */
#ifndef PERFEX_PER_CPU_H
#define PERFEX_PER_CPU_H

#include "util/perfex.h"

/**
 * struct cpu - a processor
 * @number: number of the processor
 * @count: its counts, in the order of the events
 */
struct cpu {
	int number;
	uint64_t count[VPMC_COUNTS_MAX];
};

/**
 * struct cpus - all processors that count
 * @cpu: the processors, in the order of their numbers
 * @nr: number of processors
 * @room: number of processors that fit into the memory at @cpu
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
 * @cpus: receives the processors; zeroed before the first call. The function enlarges the memory
 *	if necessary, and the caller frees cpus->cpu, even after a failure.
 * @sum: receives the sum over the processors
 *
 * Processors that have not counted are left out, because they were offline all the time.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int read_cpus(struct vpmc *vpmc, int which, struct cpus *cpus,
	      struct vpmc_counts *sum);

#endif /* PERFEX_PER_CPU_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the minimum, typical and maximum costs of events, for the library
 * and for perfex.irix.
 *
 * A table of costs is a text with one line for each event:
 *
 *	22 instructions_executed  0 0 1 clks
 *
 * A line has the event's number and name, the typical, the minimum and the maximum cost,
 * and their unit, clks or nsec. A comment begins with '#'.
 */
#ifndef LIBPERFEX_COSTS_H
#define LIBPERFEX_COSTS_H

#include <stdio.h>
#include <vpmc.h>

/* This file has the costs for all programs of a machine. */
#define PERFEXINT_COSTS_FILE "/etc/perfex.costs"

/* No family of counters has more events with names. */
#define PERFEXINT_COSTS_MAX 256

enum perfexint_unit { PERFEXINT_CLKS, PERFEXINT_NSEC };

/* Tables and reports have the three costs in this order. */
enum perfexint_extent {
	PERFEXINT_TYPICAL,
	PERFEXINT_MINIMUM,
	PERFEXINT_MAXIMUM,
	PERFEXINT_EXTENTS
};

/**
 * struct perfexint_cost - the costs of an event
 * @name: name of the event
 * @cost: costs, indexed by enum perfexint_extent
 * @unit: unit of @cost
 */
struct perfexint_cost {
	const char *name;
	double cost[PERFEXINT_EXTENTS];
	enum perfexint_unit unit;
};

/**
 * struct perfexint_costs - the costs of a processor's events
 * @pmu: the processor's counters
 * @nr: number of events
 * @event: their costs, in the order of vpmc_event_table()
 */
struct perfexint_costs {
	const struct vpmc_pmu *pmu;
	size_t nr;
	struct perfexint_cost event[PERFEXINT_COSTS_MAX];
};

/*
 * These are the costs that are built in for one family of counters. The table names their
 * sources.
 */
extern const struct perfexint_cost perfexint_p5_costs[];
extern const size_t perfexint_nr_p5_costs;

/**
 * perfexint_builtin_costs() - get the costs that are built in
 * @pmu: the processor's counters
 * @costs: receives the costs. An event without documented costs has the typical and minimum cost 0
 *	and the maximum cost of one clock, so that reports list it at the end.
 */
void perfexint_builtin_costs(const struct vpmc_pmu *pmu,
			     struct perfexint_costs *costs);

/**
 * perfexint_load_costs() - replace costs by the costs in a file
 * @costs: from perfexint_builtin_costs(); unchanged after an error
 * @path: the file
 * @err: receives the error
 *
 * Return: 0, VPMC_E_SYSTEM (the file cannot be read), VPMC_E_SYNTAX (a line is not a cost),
 * VPMC_E_UNKNOWN_EVENT.
 */
int perfexint_load_costs(struct perfexint_costs *costs, const char *path,
			 struct vpmc_error *err);

/**
 * perfexint_default_costs() - get the costs of this machine
 * @pmu: the processor's counters
 * @costs: receives the costs in PERFEXINT_COSTS_FILE if this file exists, and the
 *	built-in costs of other events
 * @err: receives the error
 *
 * Return: 0, or as perfexint_load_costs().
 */
int perfexint_default_costs(const struct vpmc_pmu *pmu,
			    struct perfexint_costs *costs,
			    struct vpmc_error *err);

/**
 * perfexint_write_costs() - write a table that perfexint_load_costs() reads
 * @out: stream to write to
 * @costs: the costs
 */
void perfexint_write_costs(FILE *out, const struct perfexint_costs *costs);

/**
 * perfexint_clocks() - convert a cost into clocks
 * @costs: the costs
 * @name: name of the event
 * @extent: one of its three costs
 * @mhz: clocks per microsecond
 *
 * Return: the cost, or 0 if @costs does not have the event.
 */
double perfexint_clocks(const struct perfexint_costs *costs, const char *name,
			enum perfexint_extent extent, double mhz);

/**
 * perfexint_mhz() - find out the clock rate of the processor
 * @path: a file like /proc/cpuinfo
 *
 * Return: the rate in MHz that the kernel has measured, or 0 if the file does not have
 * it.
 */
double perfexint_mhz(const char *path);

#define PERFEXINT_CPUINFO "/proc/cpuinfo"

#endif /* LIBPERFEX_COSTS_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the minimum, typical and maximum costs of events, for the library
 * and for perfex.irix.
 *
 * A table of costs is a text with a line for each event:
 *
 *	22 instructions_executed  0 0 1 clks
 *
 * its number and name, the typical, the minimum and the maximum cost, and the unit of the
 * three, clks or nsec. What stands behind '#' is a comment.
 */
#ifndef LIBPERFEX_COSTS_H
#define LIBPERFEX_COSTS_H

#include <stdio.h>
#include <vpmc.h>

/* Costs for all programs of a machine. */
#define PERFEXINT_COSTS_FILE "/etc/perfex.costs"

/* More than any family of counters has events with names. */
#define PERFEXINT_COSTS_MAX 256

enum perfexint_unit { PERFEXINT_CLKS, PERFEXINT_NSEC };

/* The three costs, in the order in which tables and reports have them. */
enum perfexint_extent {
	PERFEXINT_TYPICAL,
	PERFEXINT_MINIMUM,
	PERFEXINT_MAXIMUM,
	PERFEXINT_EXTENTS
};

/**
 * struct perfexint_cost - what an event costs
 * @name: the event's
 * @cost: by enum perfexint_extent
 * @unit: of @cost
 */
struct perfexint_cost {
	const char *name;
	double cost[PERFEXINT_EXTENTS];
	enum perfexint_unit unit;
};

/**
 * struct perfexint_costs - what the events of a processor cost
 * @pmu: the processor's counters
 * @nr: how many events there are
 * @event: their costs, in the order of vpmc_event_table()
 */
struct perfexint_costs {
	const struct vpmc_pmu *pmu;
	size_t nr;
	struct perfexint_cost event[PERFEXINT_COSTS_MAX];
};

/* The costs that are built in, for one family of counters, with their sources. */
extern const struct perfexint_cost perfexint_p5_costs[];
extern const size_t perfexint_nr_p5_costs;

/**
 * perfexint_builtin_costs() - the costs that are built in
 * @pmu: the processor's counters
 * @costs: receives them. An event of which nothing is documented costs 0, 0 and
 *	at most 1 clock, so that reports have it at the end.
 */
void perfexint_builtin_costs(const struct vpmc_pmu *pmu,
			     struct perfexint_costs *costs);

/**
 * perfexint_load_costs() - replace costs by those of a file
 * @costs: from perfexint_builtin_costs(); as they were after an error
 * @path: the file
 * @err: receives the error
 *
 * Return: 0, VPMC_E_SYSTEM (the file cannot be read), VPMC_E_SYNTAX (a line is no cost),
 * VPMC_E_UNKNOWN_EVENT.
 */
int perfexint_load_costs(struct perfexint_costs *costs, const char *path,
			 struct vpmc_error *err);

/**
 * perfexint_default_costs() - the costs of this machine
 * @pmu: the processor's counters
 * @costs: receives those that are built in, replaced by those of
 *	PERFEXINT_COSTS_FILE if there is such a file
 * @err: receives the error
 *
 * Return: 0, or as perfexint_load_costs().
 */
int perfexint_default_costs(const struct vpmc_pmu *pmu,
			    struct perfexint_costs *costs,
			    struct vpmc_error *err);

/**
 * perfexint_write_costs() - write a table that perfexint_load_costs() reads
 * @out: where to
 * @costs: the costs
 */
void perfexint_write_costs(FILE *out, const struct perfexint_costs *costs);

/**
 * perfexint_clocks() - a cost in clocks
 * @costs: the costs
 * @name: of the event
 * @extent: which of the three
 * @mhz: how many clocks a microsecond has
 *
 * Return: the cost, 0 if @costs have no such event.
 */
double perfexint_clocks(const struct perfexint_costs *costs, const char *name,
			enum perfexint_extent extent, double mhz);

/**
 * perfexint_mhz() - how fast the processor is
 * @path: a file like /proc/cpuinfo
 *
 * Return: MHz, as the kernel has measured them, or 0 if it does not say.
 */
double perfexint_mhz(const char *path);

#define PERFEXINT_CPUINFO "/proc/cpuinfo"

#endif /* LIBPERFEX_COSTS_H */

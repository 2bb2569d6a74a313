/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the tables of the events that make up each PCL event, one table for
 * each family of processors.
 */
#ifndef PCL_MAKE_UP_H
#define PCL_MAKE_UP_H

#include <stddef.h>

#include "vpmc.h"

/*
 * This stands for the time stamp counter instead of an event. The time stamp counter
 * counts even while other threads run.
 */
#define PCLINT_TSC "tsc"

/**
 * struct pclint_make_up - the composition of one of PCL's events
 * @event: number of PCL's event
 * @sum: events as for vpmc_event_parse(), with " + " or " - " between them. An event
 *	without a name is given a name: "l2_ld=0x0f29".
 * @per: for a ratio, the divisor, which is also a sum; else NULL
 */
struct pclint_make_up {
	int event;
	const char *sum;
	const char *per;
};

/* Initialize an event that is a count, and one that is a ratio. */
#define PCLINT_COUNT(event, sum)     \
	{                            \
		(event), (sum), NULL \
	}
#define PCLINT_RATIO(event, sum, per) \
	{                             \
		(event), (sum), (per) \
	}

/**
 * struct pclint_table - a table of make-ups, ordered by their numbers
 * @entry: the make-ups
 * @nr: number of make-ups
 */
struct pclint_table {
	const struct pclint_make_up *entry;
	size_t nr;
};

#define PCLINT_TABLE(entries)                                     \
	{                                                         \
		(entries), sizeof(entries) / sizeof((entries)[0]) \
	}

/* A family has at most this number of tables. */
#define PCLINT_TABLES 7

/**
 * struct pclint_family - a family of processors
 * @name: its name, as from vpmc_pmu_name()
 * @cpuid_family: CPUID's family; 0 for all families
 * @first: lowest of CPUID's models
 * @last: highest of CPUID's models; 0 for all models
 * @table: its tables. If several tables have an event, the first one is used.
 */
struct pclint_family {
	const char *name;
	unsigned int cpuid_family;
	unsigned int first;
	unsigned int last;
	const struct pclint_table *table[PCLINT_TABLES];
};

extern const struct pclint_table pclint_p5, pclint_p5mmx, pclint_p6, pclint_p4;
extern const struct pclint_table pclint_intel_l2, pclint_core2, pclint_nehalem,
	pclint_rqsts, pclint_demand, pclint_sandybridge, pclint_icache,
	pclint_icache_64b, pclint_walks, pclint_ivybridge, pclint_icelake;
extern const struct pclint_table pclint_amd_l1, pclint_amd_together,
	pclint_amd_l2, pclint_amd_dispatch, pclint_amd_f15h, pclint_amd_tlb,
	pclint_amd_tlb_pages, pclint_amd_tlb_levels, pclint_amd_zen,
	pclint_amd_f17h, pclint_amd_f19h, pclint_amd_f1ah;

/* pclint_family() - get the family with index @i, or NULL if there are only @i families */
const struct pclint_family *pclint_family(size_t i);

/* pclint_family_of() - find the family of a processor; returns NULL if there is none */
const struct pclint_family *
pclint_family_of(const struct vpmc_machine *machine);

/**
 * pclint_make_up() - find the make-up of an event
 * @family: family of the processor
 * @event: number of PCL's event
 *
 * Return: a constant object, or NULL if the processors do not have the event.
 */
const struct pclint_make_up *pclint_make_up(const struct pclint_family *family,
					    int event);

#endif /* PCL_MAKE_UP_H */

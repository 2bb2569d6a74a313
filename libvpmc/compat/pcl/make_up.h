/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares the tables of the events that make up each PCL event, one table for
 * each family of processors.
 */
#ifndef PCL_MAKE_UP_H
#define PCL_MAKE_UP_H

#include <stddef.h>

#include "vpmc.h"

/* In place of an event: the time stamp counter, whoever runs. */
#define PCLINT_TSC "tsc"

/**
 * struct pclint_make_up - what one of PCL's events is made of
 * @event: its number
 * @sum: events as vpmc_event_parse() takes them, with " + " or " - " between them. An
 *	event without a name is given one: "l2_ld=0x0f29".
 * @per: of a ratio the divisor, a sum too; else NULL
 */
struct pclint_make_up {
	int event;
	const char *sum;
	const char *per;
};

/* An event that is a count, and one that is a ratio. */
#define PCLINT_COUNT(event, sum)     \
	{                            \
		(event), (sum), NULL \
	}
#define PCLINT_RATIO(event, sum, per) \
	{                             \
		(event), (sum), (per) \
	}

/**
 * struct pclint_table - make-ups in the order of their numbers
 * @entry: these
 * @nr: how many
 */
struct pclint_table {
	const struct pclint_make_up *entry;
	size_t nr;
};

#define PCLINT_TABLE(entries)                                     \
	{                                                         \
		(entries), sizeof(entries) / sizeof((entries)[0]) \
	}

/* The most tables of a family. */
#define PCLINT_TABLES 7

/**
 * struct pclint_family - a family of processors
 * @name: as vpmc_pmu_name() has it
 * @cpuid_family: CPUID's family; 0 for all
 * @first: CPUID's model, from this one
 * @last: up to this one; 0 for all
 * @table: of an event that several have the first is meant
 */
struct pclint_family {
	const char *name;
	unsigned int cpuid_family;
	unsigned int first;
	unsigned int last;
	const struct pclint_table *table[PCLINT_TABLES];
};

extern const struct pclint_table pclint_any, pclint_p5, pclint_p5mmx, pclint_p6;
extern const struct pclint_table pclint_intel, pclint_intel_l2, pclint_core2,
	pclint_nehalem, pclint_rqsts, pclint_demand, pclint_sandybridge,
	pclint_icache, pclint_icache_64b, pclint_walks, pclint_ivybridge,
	pclint_icelake;
extern const struct pclint_table pclint_amd, pclint_amd_l1, pclint_amd_together,
	pclint_amd_l2, pclint_amd_dispatch, pclint_amd_f15h, pclint_amd_tlb,
	pclint_amd_tlb_pages, pclint_amd_tlb_levels, pclint_amd_zen,
	pclint_amd_f17h, pclint_amd_f19h, pclint_amd_f1ah;

/* pclint_family() - the one of number @i, or NULL if there are only @i */
const struct pclint_family *pclint_family(size_t i);

/* pclint_family_of() - the one that a processor belongs to, or NULL */
const struct pclint_family *
pclint_family_of(const struct vpmc_machine *machine);

/**
 * pclint_make_up() - what an event is made of
 * @family: on which processors
 * @event: its number
 *
 * Return: a constant object, or NULL if they do not have it.
 */
const struct pclint_make_up *pclint_make_up(const struct pclint_family *family,
					    int event);

#endif /* PCL_MAKE_UP_H */

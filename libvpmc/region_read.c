// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: tables for the program.
 */
#include <stdlib.h>
#include <string.h>

#define VPMC_REGION_NO_PROBE
#include "region.h"
#include "region_fold.h"
#include "region_handle.h"
#include "region_process.h"

static void copy_entry(struct vpmc_region_counts *to,
		       const struct region_entry *from, bool net)
{
	to->name = from->name;
	to->flags = from->flags;
	to->calls = from->calls;
	memcpy(to->inclusive, from->inclusive[net], sizeof(to->inclusive));
	memcpy(to->exclusive, from->exclusive[net], sizeof(to->exclusive));
}

/* One block of memory, with the regions behind the table. */
static struct vpmc_regions *make_table(const struct region_list *list, bool net)
{
	struct vpmc_regions *table;
	size_t i;

	table = calloc(1, sizeof(*table) + list->nr * sizeof(*table->region));
	if (!table)
		return NULL;
	*table = list->about;
	table->nr = list->nr;
	table->region = (struct vpmc_region_counts *)(void *)(table + 1);
	for (i = 0; i < list->nr; i++)
		copy_entry(&table->region[i], &list->entry[i], net);
	return table;
}

static int collect(struct region_list *list, enum vpmc_whose whose)
{
	int ret = whose == VPMC_SELF
			  ? vpmcint_region_collected(list, vpmcint_regions)
			  : 0;

	return ret || !vpmcint_regions
		       ? ret
		       : vpmcint_region_fold(vpmcint_regions, list);
}

int vpmc_regions_read(struct vpmc_regions **regions, enum vpmc_whose whose,
		      unsigned int flags, struct vpmc_error *err)
{
	struct region_list list = { .nr = 0 };
	struct vpmc_regions *table = NULL;
	int ret;

	if ((whose != VPMC_THREAD && whose != VPMC_SELF) ||
	    flags & ~(unsigned int)VPMC_REGIONS_NET)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot read regions: there are those of"
				    " VPMC_THREAD and of VPMC_SELF, with"
				    " VPMC_REGIONS_NET or without");
	ret = vpmcint_region_open_handle(err);
	if (ret)
		return ret;
	ret = collect(&list, whose);
	if (!ret && !list.about.threads)
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot read regions: none was begun"
				    " there");
	if (!ret)
		table = make_table(&list, flags & VPMC_REGIONS_NET);
	free(list.entry);
	if (!table)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot read regions: out of memory");
	*regions = table;
	return 0;
}

void vpmc_regions_free(struct vpmc_regions *regions)
{
	free(regions);
}

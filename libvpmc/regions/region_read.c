// SPDX-License-Identifier: LGPL-2.1-or-later
/* Return tables of a program's regions and their counts. */
#include <stdlib.h>
#include <string.h>

#include "regions/region.h"
#include "regions/region_fold.h"
#include "regions/region_handle.h"
#include "regions/region_process.h"
#include "regions/region_signals.h"

/* Copy an entry. Returns the unused rest of @names. */
static char *copy_entry(struct vpmc_region_counts *to,
			const struct region_entry *from, bool net, char *names)
{
	to->name = names;
	to->flags = from->flags;
	to->calls = from->calls;
	memcpy(to->inclusive, from->inclusive[net], sizeof(to->inclusive));
	memcpy(to->exclusive, from->exclusive[net], sizeof(to->exclusive));
	return stpcpy(names, from->name) + 1;
}

static size_t size_of_names(const struct region_list *list)
{
	size_t i, size = 0;

	for (i = 0; i < list->nr; i++)
		size += strlen(list->entry[i].name) + 1;
	return size;
}

/* Create a table in one block of memory. The regions and their names follow the table. */
static struct vpmc_regions *make_table(const struct region_list *list, bool net)
{
	struct vpmc_regions *table;
	char *names;
	size_t i;

	table = calloc(1, sizeof(*table) + list->nr * sizeof(*table->region) +
				  size_of_names(list));
	if (!table)
		return NULL;
	*table = list->about;
	/* The counts after the events are for perfex. */
	if (table->events > list->set.nr)
		table->events = list->set.nr;
	table->nr = list->nr;
	table->region = (struct vpmc_region_counts *)(void *)(table + 1);
	names = (char *)(table->region + list->nr);
	for (i = 0; i < list->nr; i++)
		names = copy_entry(&table->region[i], &list->entry[i], net,
				   names);
	return table;
}

/* Add the regions of the calling thread, at one moment. */
static int add_own(struct region_list *list)
{
	sigset_t before;
	int ret;

	vpmcint_region_hold_signals(&before);
	ret = vpmcint_region_fold(vpmcint_regions, list);
	vpmcint_region_release_signals(&before);
	return ret;
}

static int collect(struct region_list *list, enum vpmc_whose whose)
{
	int ret = whose == VPMC_SELF
			  ? vpmcint_region_collected(list, vpmcint_regions)
			  : 0;

	return ret || !vpmcint_regions ? ret : add_own(list);
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
				    "cannot read regions: give VPMC_THREAD or"
				    " VPMC_SELF, with VPMC_REGIONS_NET or"
				    " without flags");
	ret = vpmcint_region_open_handle(err);
	if (ret)
		return ret;
	vpmcint_region_settle();
	ret = collect(&list, whose);
	if (!ret && !list.about.threads)
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot read regions: no region was begun");
	if (!ret)
		table = make_table(&list, flags & VPMC_REGIONS_NET);
	vpmcint_region_free_list(&list);
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

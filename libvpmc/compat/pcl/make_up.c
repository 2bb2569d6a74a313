// SPDX-License-Identifier: LGPL-2.1-or-later
/* See make_up.h. */
#include "make_up.h"

#include "pcl.h"

static const struct pclint_make_up any[] = {
	PCLINT_COUNT(PCL_ELAPSED_CYCLES, PCLINT_TSC),
};

const struct pclint_table pclint_any = PCLINT_TABLE(any);

/* Those of some models come before those of all. */
static const struct pclint_family families[] = {
	{ "p5", NULL, { &pclint_p5, &pclint_any } },
	{ "p5mmx", NULL, { &pclint_p5mmx, &pclint_p5, &pclint_any } },
	{ "p6", NULL, { &pclint_p6, &pclint_any } },
	{ "intel", NULL, { &pclint_intel, &pclint_any } },
	{ "amd", NULL, { &pclint_amd, &pclint_any } },
};

const struct pclint_family *pclint_family(size_t i)
{
	return i < sizeof(families) / sizeof(families[0]) ? &families[i] : NULL;
}

static const struct pclint_make_up *find_in(const struct pclint_table *table,
					    int event)
{
	size_t i;

	for (i = 0; i < table->nr; i++) {
		if (table->entry[i].event == event)
			return &table->entry[i];
	}
	return NULL;
}

const struct pclint_make_up *pclint_make_up(const struct pclint_family *family,
					    int event)
{
	const struct pclint_make_up *found = NULL;
	size_t i;

	for (i = 0; !found && i < PCLINT_TABLES && family->table[i]; i++)
		found = find_in(family->table[i], event);
	return found;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares lists of regions by name. */
#ifndef LIBVPMC_REGION_LIST_H
#define LIBVPMC_REGION_LIST_H

#include "regions/region_data.h"

/* vpmcint_region_hash() - of a text */
uint32_t vpmcint_region_hash(const char *text);

/**
 * vpmcint_region_entry() - find a region, or add it to a list
 * @list: the list
 * @name: of the region; the list has a copy
 * @hash: of the name
 *
 * Return: where it is in list->entry, or -1 without memory.
 */
long vpmcint_region_entry(struct region_list *list, const char *name,
			  uint32_t hash);

/**
 * vpmcint_region_copy_list() - copy a list
 * @to: receives the copy
 * @from: the list
 *
 * Return: 0 or VPMC_E_MEMORY; in either case the copy has to be freed.
 */
int vpmcint_region_copy_list(struct region_list *to,
			     const struct region_list *from);

/* vpmcint_region_free_list() - free what is in a list, which is all 0 then */
void vpmcint_region_free_list(struct region_list *list);

#endif /* LIBVPMC_REGION_LIST_H */

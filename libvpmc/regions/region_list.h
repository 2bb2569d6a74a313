/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares lists of regions by name. */
#ifndef LIBVPMC_REGION_LIST_H
#define LIBVPMC_REGION_LIST_H

#include "regions/region_data.h"

/* vpmcint_region_hash() - compute the hash of a text */
uint32_t vpmcint_region_hash(const char *text);

/**
 * vpmcint_region_entry() - find a region, or add it to a list
 * @list: the list
 * @name: name of the region, which the list copies
 * @hash: hash of @name
 *
 * Return: its index in list->entry, or -1 if there is no memory.
 */
long vpmcint_region_entry(struct region_list *list, const char *name,
			  uint32_t hash);

/**
 * vpmcint_region_copy_list() - copy a list
 * @to: receives the copy
 * @from: the list
 *
 * Return: 0 or VPMC_E_MEMORY; in both cases the copy must be freed.
 */
int vpmcint_region_copy_list(struct region_list *to,
			     const struct region_list *from);

/* vpmcint_region_free_list() - free the contents of a list, which is all 0 then */
void vpmcint_region_free_list(struct region_list *list);

#endif /* LIBVPMC_REGION_LIST_H */

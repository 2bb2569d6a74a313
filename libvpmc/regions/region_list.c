// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keep lists of regions by name, and add up the places of each region. */
#include <stdlib.h>
#include <string.h>
#include <vpmc_region_list.h>

/* Compute a hash by FNV-1a. */
uint32_t vpmcint_region_hash(const char *text)
{
	uint32_t hash = 2166136261U;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	return hash;
}

/* Returns the place in the index that has the name, or a free place for the name. */
static size_t *find_place(const struct region_list *list, const char *name,
			  uint32_t hash)
{
	size_t i = hash & (list->places - 1);
	const struct region_entry *entry;

	while (list->index[i]) {
		entry = &list->entry[list->index[i] - 1];
		if (entry->hash == hash && !strcmp(entry->name, name))
			break;
		i = (i + 1) & (list->places - 1);
	}
	return &list->index[i];
}

/* Make room for one more entry, so that at most half of the index is used. */
static int grow(struct region_list *list)
{
	const size_t places = list->places ? 2 * list->places : 64;
	struct region_entry *entry;
	size_t *index;
	size_t i;

	if (list->nr < list->places / 2)
		return 0;
	entry = reallocarray(list->entry, places / 2, sizeof(*entry));
	if (!entry)
		return -1;
	list->entry = entry;
	index = calloc(places, sizeof(*index));
	if (!index)
		return -1;
	free(list->index);
	list->index = index;
	list->places = places;
	for (i = 0; i < list->nr; i++)
		*find_place(list, entry[i].name, entry[i].hash) = i + 1;
	return 0;
}

long vpmcint_region_entry(struct region_list *list, const char *name,
			  uint32_t hash)
{
	struct region_entry *entry;
	size_t *place;

	if (grow(list))
		return -1;
	place = find_place(list, name, hash);
	if (!*place) {
		entry = &list->entry[list->nr];
		memset(entry, 0, sizeof(*entry));
		entry->name = strdup(name);
		if (!entry->name)
			return -1;
		entry->hash = hash;
		*place = ++list->nr;
	}
	return (long)*place - 1;
}

int vpmcint_region_copy_list(struct region_list *to,
			     const struct region_list *from)
{
	const struct region_entry *entry;
	char *name;
	long at;
	size_t i;

	memset(to, 0, sizeof(*to));
	to->set = from->set;
	to->about = from->about;
	for (i = 0; i < from->nr; i++) {
		entry = &from->entry[i];
		at = vpmcint_region_entry(to, entry->name, entry->hash);
		if (at < 0)
			return VPMC_E_MEMORY;
		name = to->entry[at].name;
		to->entry[at] = *entry;
		to->entry[at].name = name;
	}
	return 0;
}

void vpmcint_region_free_list(struct region_list *list)
{
	size_t i;

	for (i = 0; i < list->nr; i++)
		free(list->entry[i].name);
	free(list->entry);
	free(list->index);
	memset(list, 0, sizeof(*list));
}

static uint64_t less(uint64_t count, uint64_t cost)
{
	return count > cost ? count - cost : 0;
}

void vpmcint_region_subtract_cost(struct region_counts *counts,
				  const struct region_inside *inside,
				  const uint64_t *own, const uint64_t *pair,
				  unsigned int events)
{
	unsigned int i;
	uint64_t cost;

	for (i = 0; i < events; i++) {
		cost = counts->calls * own[i] + inside->calls * pair[i];
		counts->inclusive[1][i] = less(counts->inclusive[0][i], cost);
	}
}

void vpmcint_region_add_inside(struct region_inside *around,
			       const struct region_counts *counts,
			       const struct region_inside *inside,
			       unsigned int events)
{
	unsigned int i;

	around->calls += counts->calls + inside->calls;
	for (i = 0; i < events; i++) {
		around->counts[0][i] += counts->inclusive[0][i];
		around->counts[1][i] += counts->inclusive[1][i];
	}
	around->broken |= counts->flags & VPMC_REGION_NO_INCLUSIVE;
}

void vpmcint_region_add_place(struct region_entry *entry,
			      const struct region_counts *counts,
			      const struct region_inside *inside,
			      unsigned int events)
{
	const bool outermost = !entry->nesting++;
	unsigned int i, net;

	entry->calls += counts->calls;
	for (i = 0; i < 2 * events; i++) {
		net = i & 1;
		if (outermost)
			entry->inclusive[net][i / 2] +=
				counts->inclusive[net][i / 2];
		entry->exclusive[net][i / 2] +=
			less(counts->inclusive[net][i / 2],
			     inside->counts[net][i / 2]);
	}
	entry->flags |= counts->flags;
	if (counts->flags & VPMC_REGION_NO_INCLUSIVE || inside->broken)
		entry->flags |= VPMC_REGION_NO_EXCLUSIVE;
}

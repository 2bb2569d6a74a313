// SPDX-License-Identifier: GPL-2.0-only
/* Count samples at the same instruction. */
#include "profile/spots.h"

#include <stdlib.h>

#define FIRST_ROOM 1024

static bool is_same(const struct spot *a, const struct spot *b)
{
	return a->offset == b->offset && a->object == b->object &&
	       a->program == b->program && a->region == b->region &&
	       a->event == b->event && a->callers == b->callers;
}

/* Return the slot of a spot. The slot is empty if the table does not have the spot. */
static struct spot *slot_of(const struct spots *spots, const struct spot *spot)
{
	uint64_t hash =
		spot->offset ^ (uint64_t)spot->object << 40 ^
		(uint64_t)spot->program << 20 ^ (uint64_t)spot->region << 30 ^
		(uint64_t)spot->event << 59 ^ (uint64_t)spot->callers << 12;
	size_t i = (size_t)(hash * 0x9e3779b97f4a7c15ULL >> 32);

	while (spots->slot[i & (spots->room - 1)].samples &&
	       !is_same(&spots->slot[i & (spots->room - 1)], spot))
		i++;
	return &spots->slot[i & (spots->room - 1)];
}

/*
 * Double the table. Up to four fifths of its slots are in use, because it is the largest table.
 */
static bool enlarge(struct spots *spots)
{
	struct spots larger = { .room = spots->room ? 2 * spots->room
						    : FIRST_ROOM,
				.nr = spots->nr };
	size_t i;

	larger.slot = calloc(larger.room, sizeof(*larger.slot));
	if (!larger.slot)
		return false;
	for (i = 0; i < spots->room; i++) {
		if (spots->slot[i].samples)
			*slot_of(&larger, &spots->slot[i]) = spots->slot[i];
	}
	free(spots->slot);
	*spots = larger;
	return true;
}

bool count_at(struct spots *spots, const struct spot *spot)
{
	struct spot *slot;

	if (spots->nr >= spots->room / 5 * 4 && !enlarge(spots))
		return false;
	slot = slot_of(spots, spot);
	if (slot->samples) {
		slot->samples += spot->samples;
		return true;
	}
	*slot = *spot;
	spots->nr++;
	return true;
}

static int compare_spots(const void *a, const void *b)
{
	const struct spot *one = *(const struct spot *const *)a;
	const struct spot *other = *(const struct spot *const *)b;

	if (one->event != other->event)
		return one->event < other->event ? -1 : 1;
	if (one->program != other->program)
		return one->program < other->program ? -1 : 1;
	if (one->region != other->region)
		return one->region < other->region ? -1 : 1;
	if (one->object != other->object)
		return one->object < other->object ? -1 : 1;
	return (one->offset > other->offset) - (one->offset < other->offset);
}

const struct spot **order_spots(const struct spots *spots, size_t *nr)
{
	const struct spot **sorted =
		calloc(spots->nr + 1, sizeof(struct spot *));
	size_t i;

	*nr = 0;
	for (i = 0; sorted && i < spots->room; i++) {
		if (spots->slot[i].samples)
			sorted[(*nr)++] = &spots->slot[i];
	}
	if (sorted)
		qsort(sorted, *nr, sizeof(struct spot *), compare_spots);
	return sorted;
}

void free_spots(struct spots *spots)
{
	free(spots->slot);
	*spots = (struct spots){ .nr = 0 };
}

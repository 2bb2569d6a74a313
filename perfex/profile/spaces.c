// SPDX-License-Identifier: GPL-2.0-only
/* Keep the address spaces of processes. */
#include "profile/spaces.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

/**
 * struct mappings - mappings that do not overlap, in ascending order
 * @users: number of spaces that share the mappings; only mappings with one user change
 * @nr: number of mappings
 * @mapping: the mappings
 */
struct mappings {
	uint32_t users;
	size_t nr;
	struct mapping mapping[];
};

static void drop(struct mappings *mappings)
{
	if (mappings && !--mappings->users)
		free(mappings);
}

static uint32_t first_slot(uint64_t key)
{
	return (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 32);
}

static struct space *slot_of(const struct spaces *spaces, uint64_t key)
{
	uint32_t i = first_slot(key);

	while (spaces->slot[i & (spaces->room - 1)].key &&
	       spaces->slot[i & (spaces->room - 1)].key != key)
		i++;
	return &spaces->slot[i & (spaces->room - 1)];
}

/* Double the table. At most half of its slots are in use. */
static bool enlarge(struct spaces *spaces)
{
	struct spaces larger = { .room = spaces->room ? 2 * spaces->room
						      : FIRST_ROOM,
				 .nr = spaces->nr };
	uint32_t i;

	larger.slot = calloc(larger.room, sizeof(*larger.slot));
	if (!larger.slot)
		return false;
	for (i = 0; i < spaces->room; i++) {
		if (spaces->slot[i].key)
			*slot_of(&larger, spaces->slot[i].key) =
				spaces->slot[i];
	}
	free(spaces->slot);
	*spaces = larger;
	return true;
}

/* Find the space of a process, or make an empty one. Returns NULL if memory is short. */
static struct space *get_space(struct spaces *spaces, uint64_t key,
			       uint32_t program)
{
	struct space *space;

	if (spaces->nr >= spaces->room / 2 && !enlarge(spaces))
		return NULL;
	space = slot_of(spaces, key);
	if (!space->key) {
		*space = (struct space){ .key = key, .program = program };
		spaces->nr++;
	}
	return space;
}

const struct space *find_space(const struct spaces *spaces, uint64_t key)
{
	const struct space *space;

	if (!spaces->room)
		return NULL;
	space = slot_of(spaces, key);
	return space->key ? space : NULL;
}

static void append(struct mappings *mappings, const struct mapping *mapping)
{
	if (mapping->begin < mapping->end)
		mappings->mapping[mappings->nr++] = *mapping;
}

/* Append the part of an old mapping that is before the new mapping, or after it. */
static void append_rest(struct mappings *mappings, const struct mapping *old,
			const struct mapping *new, bool is_after)
{
	struct mapping rest = *old;

	if (is_after && rest.begin < new->end) {
		rest.offset += new->end - rest.begin;
		rest.begin = new->end;
	}
	if (!is_after && rest.end > new->begin)
		rest.end = new->begin;
	append(mappings, &rest);
}

bool map_into(struct spaces *spaces, uint64_t key,
	      const struct mapping *mapping)
{
	struct space *space = get_space(spaces, key, 0);
	const struct mappings *old;
	struct mappings *new;
	size_t nr, i;

	if (!space)
		return false;
	old = space->mappings;
	nr = old ? old->nr : 0;
	/* The new mapping may divide an old mapping, so allocate two more. */
	new = malloc(sizeof(*new) + (nr + 2) * sizeof(*mapping));
	if (!new)
		return false;
	new->users = 1;
	new->nr = 0;
	for (i = 0; i < nr; i++)
		append_rest(new, &old->mapping[i], mapping, false);
	append(new, mapping);
	for (i = 0; i < nr; i++)
		append_rest(new, &old->mapping[i], mapping, true);
	drop(space->mappings);
	space->mappings = new;
	return true;
}

bool clear_space(struct spaces *spaces, uint64_t key, uint32_t program)
{
	struct space *space = get_space(spaces, key, program);

	if (!space)
		return false;
	drop(space->mappings);
	space->mappings = NULL;
	space->program = program;
	return true;
}

bool copy_space(struct spaces *spaces, uint64_t key, uint64_t from_key,
		uint32_t program)
{
	const struct space *from;
	struct space *space;

	/* Make the new space first, because the table may move. */
	if (!clear_space(spaces, key, program))
		return false;
	space = slot_of(spaces, key);
	from = find_space(spaces, from_key);
	if (!from || from == space)
		return true;
	space->program = from->program;
	space->mappings = from->mappings;
	if (space->mappings)
		space->mappings->users++;
	return true;
}

/* Empty a slot. Move a later entry into the gap if a search would not find it after the gap. */
void remove_space(struct spaces *spaces, uint64_t key)
{
	const uint32_t mask = spaces->room - 1;
	struct space *slot = spaces->slot;
	uint32_t gap, i;

	if (!find_space(spaces, key))
		return;
	gap = (uint32_t)(slot_of(spaces, key) - slot);
	drop(slot[gap].mappings);
	for (i = (gap + 1) & mask; slot[i].key; i = (i + 1) & mask) {
		if (((i - first_slot(slot[i].key)) & mask) < ((i - gap) & mask))
			continue;
		slot[gap] = slot[i];
		gap = i;
	}
	slot[gap] = (struct space){ .key = 0 };
	spaces->nr--;
}

const struct mapping *find_mapping(const struct space *space, uint64_t address)
{
	const struct mappings *mappings = space->mappings;
	size_t low = 0, high = mappings ? mappings->nr : 0, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (address < mappings->mapping[middle].begin)
			high = middle;
		else if (address >= mappings->mapping[middle].end)
			low = middle + 1;
		else
			return &mappings->mapping[middle];
	}
	return NULL;
}

void free_spaces(struct spaces *spaces)
{
	uint32_t i;

	for (i = 0; i < spaces->room; i++)
		drop(spaces->slot[i].mappings);
	free(spaces->slot);
	*spaces = (struct spaces){ .nr = 0 };
}

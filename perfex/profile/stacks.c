// SPDX-License-Identifier: GPL-2.0-only
/* Number the callers of samples. */
#include "profile/stacks.h"

#include <stdlib.h>

#define FIRST_ROOM 1024

static bool is_same(const struct caller *a, const struct caller *b)
{
	return a->offset == b->offset && a->object == b->object &&
	       a->next == b->next;
}

/* Return the slot of a caller. The slot is 0 if the table does not have the caller. */
static uint32_t *slot_of(const struct stacks *stacks,
			 const struct caller *caller)
{
	uint64_t hash = caller->offset ^ (uint64_t)caller->object << 52 ^
			(uint64_t)caller->next << 28;
	uint32_t i = (uint32_t)(hash * 0x9e3779b97f4a7c15ULL >> 32);
	uint32_t *slot;

	for (;; i++) {
		slot = &stacks->slot[i & (stacks->room - 1)];
		if (!*slot || is_same(&stacks->caller[*slot - 1], caller))
			return slot;
	}
}

/* Double the table. At most half of its slots are in use. */
static bool enlarge(struct stacks *stacks)
{
	const uint32_t room = stacks->room ? 2 * stacks->room : FIRST_ROOM;
	uint32_t *slot = calloc(room, sizeof(*slot)), i;
	struct caller *caller =
		realloc(stacks->caller, room / 2 * sizeof(*caller));

	if (caller)
		stacks->caller = caller;
	if (!slot || !caller) {
		free(slot);
		return false;
	}
	free(stacks->slot);
	stacks->slot = slot;
	stacks->room = room;
	for (i = 0; i < stacks->nr; i++)
		*slot_of(stacks, &caller[i]) = i + 1;
	return true;
}

uint32_t number_caller(struct stacks *stacks, const struct caller *caller)
{
	uint32_t *slot;

	if (stacks->nr >= stacks->room / 2 && !enlarge(stacks))
		return NO_CALLER;
	slot = slot_of(stacks, caller);
	if (!*slot) {
		stacks->caller[stacks->nr++] = *caller;
		*slot = stacks->nr;
	}
	return *slot;
}

void free_stacks(struct stacks *stacks)
{
	free(stacks->caller);
	free(stacks->slot);
	*stacks = (struct stacks){ .nr = 0 };
}

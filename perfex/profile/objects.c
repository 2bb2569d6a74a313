// SPDX-License-Identifier: GPL-2.0-only
/* Number the names in a profile. */
#include "profile/objects.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

static uint32_t hash_of(const struct object *object)
{
	const char *at = object->name;
	uint32_t hash = (uint32_t)object->inode ^ object->device_minor;

	while (*at)
		hash = hash * 31 + (unsigned char)*at++;
	return hash * 2654435761U;
}

static bool is_same(const struct object *a, const struct object *b)
{
	return a->inode == b->inode && a->device_major == b->device_major &&
	       a->device_minor == b->device_minor && !strcmp(a->name, b->name);
}

/* Return the slot of an object. The slot is empty if the table does not have the object. */
static uint32_t *slot_of(const struct objects *objects,
			 const struct object *object)
{
	uint32_t i = hash_of(object);

	for (;; i++) {
		uint32_t *slot = &objects->slot[i & (objects->room - 1)];

		if (!*slot || is_same(&objects->object[*slot - 1], object))
			return slot;
	}
}

/* Double the table. At most half of its slots are in use. */
static bool enlarge(struct objects *objects)
{
	const uint32_t room = objects->room ? 2 * objects->room : FIRST_ROOM;
	struct object *object =
		realloc(objects->object, room / 2 * sizeof(*object));
	uint32_t *slot, i;

	if (!object)
		return false;
	objects->object = object;
	slot = calloc(room, sizeof(*slot));
	if (!slot)
		return false;
	free(objects->slot);
	objects->slot = slot;
	objects->room = room;
	for (i = 0; i < objects->nr; i++)
		*slot_of(objects, &objects->object[i]) = i + 1;
	return true;
}

static void note_mapped(struct object *object, uint64_t mapped)
{
	if (mapped < object->mapped)
		object->mapped = mapped;
}

uint32_t number_object(struct objects *objects, const struct object *object)
{
	uint32_t *slot;
	char *name;

	if (objects->nr >= objects->room / 2 && !enlarge(objects))
		return NO_OBJECT;
	slot = slot_of(objects, object);
	if (*slot) {
		note_mapped(&objects->object[*slot - 1], object->mapped);
		return *slot - 1;
	}
	name = strdup(object->name);
	if (!name)
		return NO_OBJECT;
	objects->object[objects->nr] = *object;
	objects->object[objects->nr].name = name;
	*slot = ++objects->nr;
	return objects->nr - 1;
}

uint32_t number_name(struct objects *objects, const char *name)
{
	const struct object object = { .name = (char *)name };

	return number_object(objects, &object);
}

void free_objects(struct objects *objects)
{
	uint32_t i;

	for (i = 0; i < objects->nr; i++)
		free(objects->object[i].name);
	free(objects->object);
	free(objects->slot);
	*objects = (struct objects){ .nr = 0 };
}

// SPDX-License-Identifier: GPL-2.0-only
/* Number texts and groups of numbers with a hash table with open addressing. */
#include "profile_formats/ids.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/growing.h"

/* Compute the FNV-1a hash of some bytes, beginning with @hash. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;

	for (; size > 0; size--)
		hash = (hash ^ *byte++) * 0x100000001b3u;
	return hash;
}

static size_t hash_key(const struct id_key *key)
{
	uint64_t hash = hash_bytes(0xcbf29ce484222325u, key->number,
				   sizeof(key->number));

	if (key->text)
		hash = hash_bytes(hash, key->text, strlen(key->text));
	return hash ^ hash >> 32;
}

static bool same_key(const struct id_key *a, const struct id_key *b)
{
	if (memcmp(a->number, b->number, sizeof(a->number)) != 0 ||
	    !a->text != !b->text)
		return false;
	return !a->text || strcmp(a->text, b->text) == 0;
}

/* Find the slot of a key, or the free slot in which to insert the key. */
static size_t *find_slot(const struct ids *ids, const struct id_key *key)
{
	size_t place = hash_key(key);

	for (;; place++) {
		size_t *slot = &ids->slot[place & (ids->room - 1)];

		if (!*slot || same_key(&ids->key[*slot - 1], key))
			return slot;
	}
}

/* Keep at least half of the slots free. */
static bool make_slots(struct ids *ids)
{
	struct ids larger = *ids;
	size_t *old = ids->slot;
	size_t i;

	if (ids->nr < ids->room / 2)
		return true;
	larger.room = ids->room ? ids->room * 2 : 64;
	larger.slot = calloc(larger.room, sizeof(*larger.slot));
	if (!larger.slot)
		return false;
	for (i = 0; i < ids->nr; i++)
		*find_slot(&larger, &ids->key[i]) = i + 1;
	ids->slot = larger.slot;
	ids->room = larger.room;
	free(old);
	return true;
}

bool find_id(struct ids *ids, const struct id_key *key, uint64_t *id)
{
	size_t *slot;

	if (!make_slots(ids))
		return false;
	slot = find_slot(ids, key);
	if (!*slot) {
		if (!grow(&ids->key, &ids->keys_room, ids->nr,
			  sizeof(*ids->key)))
			return false;
		ids->key[ids->nr++] = *key;
		*slot = ids->nr;
	}
	*id = *slot - 1;
	return true;
}

void free_ids(struct ids *ids)
{
	free(ids->key);
	free(ids->slot);
	*ids = (struct ids){ .nr = 0 };
}

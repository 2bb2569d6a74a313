/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares tables that number texts, and groups of numbers, from 0. */
#ifndef PERFEX_PROFILE_FORMATS_IDS_H
#define PERFEX_PROFILE_FORMATS_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct id_key - a text or a group of numbers
 * @text: a text, or NULL
 * @number: the numbers, 0 for a text
 */
struct id_key {
	const char *text;
	uint64_t number[3];
};

/**
 * struct ids - a table; zeroed before its first key
 * @key: the keys, indexed by their numbers; their texts must stay valid
 * @nr: number of keys
 * @keys_room: number of keys that fit into the memory
 * @slot: a hash table of the keys' numbers + 1; 0 in an empty slot
 * @room: number of slots, a power of two, or 0
 */
struct ids {
	struct id_key *key;
	size_t nr;
	size_t keys_room;
	size_t *slot;
	size_t room;
};

/**
 * find_id() - find the number of a key, and add the key if it is new
 * @ids: the table
 * @key: the key
 * @id: receives its number
 *
 * Return: false if memory is short.
 */
bool find_id(struct ids *ids, const struct id_key *key, uint64_t *id);

/* free_ids() - free the memory of a table */
void free_ids(struct ids *ids);

#endif /* PERFEX_PROFILE_FORMATS_IDS_H */

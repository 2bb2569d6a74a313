/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares tables that number texts, and groups of numbers, from 0. */
#ifndef PERFEX_PROFILE_FORMATS_IDS_H
#define PERFEX_PROFILE_FORMATS_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct id_key - what is numbered
 * @text: a text, or NULL
 * @number: numbers, 0 of a text
 */
struct id_key {
	const char *text;
	uint64_t number[3];
};

/**
 * struct ids - a table; zeroed before its first key
 * @key: the keys by their numbers; their texts must stay
 * @nr: number of keys
 * @keys_room: room for this many
 * @slot: for each value of a hash function a key's number + 1, or 0
 * @room: number of @slot, a power of two, or 0
 */
struct ids {
	struct id_key *key;
	size_t nr;
	size_t keys_room;
	size_t *slot;
	size_t room;
};

/**
 * find_id() - find the number of a key, which is added if it is new
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

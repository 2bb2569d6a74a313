/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table that counts samples at the same instruction. */
#ifndef PERFEX_PROFILE_SPOTS_H
#define PERFEX_PROFILE_SPOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct spot - an instruction of a program, for one event
 * @event: index of the event
 * @program: number of the program
 * @object: number of the file, or of other memory
 * @region: number of the innermost region's name + 1, or 0
 * @offset: offset in the file, or address in memory that is not a file
 * @callers: number of the instruction's caller (stacks.h)
 * @samples: number of samples, 0 in an empty slot
 */
struct spot {
	uint32_t event;
	uint32_t program;
	uint32_t object;
	uint32_t callers;
	uint32_t region;
	uint64_t offset;
	uint64_t samples;
};

/**
 * struct spots - the table of samples; zeroed before the first sample
 * @slot: a hash table of the spots
 * @room: number of slots, a power of two, or 0
 * @nr: number of slots in use
 */
struct spots {
	struct spot *slot;
	size_t room;
	size_t nr;
};

/**
 * count_at() - count a sample
 * @spots: the table
 * @spot: the instruction; its @samples are added
 *
 * Return: false if memory is short.
 */
bool count_at(struct spots *spots, const struct spot *spot);

/**
 * order_spots() - sort the spots by event, program, region, file and offset
 * @spots: the table, which does not change
 * @nr: receives the number of spots
 *
 * Return: an array of pointers to the spots, which the caller frees, or NULL if memory is short.
 */
const struct spot **order_spots(const struct spots *spots, size_t *nr);

/* free_spots() - free the memory of a table */
void free_spots(struct spots *spots);

#endif /* PERFEX_PROFILE_SPOTS_H */

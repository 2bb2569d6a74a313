/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of callers of samples. Equal callers have the same number. */
#ifndef PERFEX_PROFILE_STACKS_H
#define PERFEX_PROFILE_STACKS_H

#include <stdbool.h>
#include <stdint.h>

/* This number stands for the absence of callers. */
#define NO_CALLER 0

/**
 * struct caller - an instruction that calls a function
 * @offset: its offset in the file, or its address in memory that is not a file
 * @object: number of the file
 * @next: number of the caller of its function, or NO_CALLER
 */
struct caller {
	uint64_t offset;
	uint32_t object;
	uint32_t next;
};

/**
 * struct stacks - the table of callers; zeroed before the first caller
 * @caller: the callers, indexed by their numbers less 1
 * @nr: number of callers
 * @slot: a hash table of the callers' numbers; 0 in an empty slot
 * @room: number of slots, a power of two, or 0
 */
struct stacks {
	struct caller *caller;
	uint32_t nr;
	uint32_t *slot;
	uint32_t room;
};

/**
 * number_caller() - find a caller, or add it
 * @stacks: the table
 * @caller: the caller; its @next is already in the table
 *
 * Return: its number, or NO_CALLER if memory is short.
 */
uint32_t number_caller(struct stacks *stacks, const struct caller *caller);

/* free_stacks() - free the memory of a table */
void free_stacks(struct stacks *stacks);

#endif /* PERFEX_PROFILE_STACKS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of the callers of samples. Equal callers have the same number. */
#ifndef PERFEX_PROFILE_STACKS_H
#define PERFEX_PROFILE_STACKS_H

#include <stdbool.h>
#include <stdint.h>

/* This number stands for no callers. */
#define NO_CALLER 0

/**
 * struct caller - an instruction that calls a function
 * @offset: its offset in the file, or address in memory that is not a file
 * @object: number of the file
 * @next: number of the caller of its function, or NO_CALLER
 */
struct caller {
	uint64_t offset;
	uint32_t object;
	uint32_t next;
};

/**
 * struct stacks - the table; zeroed before the first caller
 * @caller: the callers, by their numbers - 1
 * @nr: number of callers
 * @slot: for each value of a hash function a caller's number, or 0
 * @room: number of @slot, a power of two, or 0
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
 * @caller: the caller, whose @next is in the table
 *
 * Return: its number, or NO_CALLER if memory is short.
 */
uint32_t number_caller(struct stacks *stacks, const struct caller *caller);

/* free_stacks() - free the memory of a table */
void free_stacks(struct stacks *stacks);

#endif /* PERFEX_PROFILE_STACKS_H */

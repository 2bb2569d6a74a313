/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the address spaces of the profiled processes: the mappings of each process
 * at the time of the present sample.
 */
#ifndef PERFEX_PROFILE_SPACES_H
#define PERFEX_PROFILE_SPACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct mapping - memory from which instructions are executed
 * @begin: address of its first byte
 * @end: address after its last byte
 * @offset: offset of the first byte in the file
 * @object: number of the file
 */
struct mapping {
	uint64_t begin;
	uint64_t end;
	uint64_t offset;
	uint32_t object;
};

struct mappings;

/**
 * struct space - the address space of a process
 * @key: the process, or space_of_birth(); 0 in an empty slot
 * @program: number of the program that it executes
 * @mappings: its mappings, which it may share with other processes; NULL if it has none
 */
struct space {
	uint64_t key;
	uint32_t program;
	struct mappings *mappings;
};

/**
 * struct spaces - the address spaces; zeroed before the first space
 * @slot: a hash table with the process as key
 * @room: number of slots, a power of two, or 0
 * @nr: number of slots in use
 */
struct spaces {
	struct space *slot;
	uint32_t room;
	uint32_t nr;
};

/*
 * space_of_birth() - get the key of a space for a process with the number @number of the kernel,
 * until its number in perfex's PID namespace is known
 */
static inline uint64_t space_of_birth(uint64_t number)
{
	return number + UINT32_MAX + 1;
}

/*
 * The following functions change the space of the process @key, which is not 0. An unknown
 * process gets an empty space. The functions return false, without a change, if memory is short.
 */

/* map_into() - add a mapping, which replaces earlier mappings in its range */
bool map_into(struct spaces *spaces, uint64_t key,
	      const struct mapping *mapping);

/* clear_space() - let a process execute @program, without mappings */
bool clear_space(struct spaces *spaces, uint64_t key, uint32_t program);

/*
 * copy_space() - copy the program and the mappings of process @from; if @from is not known, set
 * @program without mappings
 */
bool copy_space(struct spaces *spaces, uint64_t key, uint64_t from_key,
		uint32_t program);

/* remove_space() - remove a process, if it is known */
void remove_space(struct spaces *spaces, uint64_t key);

/* find_space() - find the space of a process, or NULL */
const struct space *find_space(const struct spaces *spaces, uint64_t key);

/* find_mapping() - find the mapping that contains an address, or NULL */
const struct mapping *find_mapping(const struct space *space, uint64_t address);

/* free_spaces() - free the memory of all spaces */
void free_spaces(struct spaces *spaces);

#endif /* PERFEX_PROFILE_SPACES_H */

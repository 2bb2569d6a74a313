/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the table of names in a profile: mapped files, and programs. Each name has
 * a number, so that a sample need not contain texts.
 */
#ifndef PERFEX_PROFILE_OBJECTS_H
#define PERFEX_PROFILE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* This number stands for a name that does not fit into memory. */
#define NO_OBJECT UINT32_MAX

/**
 * struct object - a file, other memory, or a program
 * @name: path of the file, name of the program, a name such as "[vdso]", or "" for other memory
 *	without a file
 * @inode: inode of the file, 0 for other objects
 * @device_major: major number of the file's device
 * @device_minor: minor number of the file's device
 * @mapped: when the file was first mapped, in nanoseconds since 1970; 0 for other objects
 */
struct object {
	char *name;
	uint64_t inode;
	uint32_t device_major;
	uint32_t device_minor;
	uint64_t mapped;
};

/**
 * struct objects - the table of names; zeroed before the first name
 * @object: the objects, indexed by their numbers
 * @nr: number of objects
 * @slot: a hash table of the objects' numbers + 1; 0 in an empty slot
 * @room: number of slots, a power of two, or 0
 */
struct objects {
	struct object *object;
	uint32_t nr;
	uint32_t *slot;
	uint32_t room;
};

/**
 * number_object() - find an object, or add it
 * @objects: the table
 * @object: the object, whose name is copied. If the table has the object, it keeps the earlier
 *	@mapped of both.
 *
 * Return: its number, or NO_OBJECT if memory is short.
 */
uint32_t number_object(struct objects *objects, const struct object *object);

/* number_name() - like number_object(), for an object that only has a name */
uint32_t number_name(struct objects *objects, const char *name);

/* free_objects() - free the memory of a table */
void free_objects(struct objects *objects);

#endif /* PERFEX_PROFILE_OBJECTS_H */

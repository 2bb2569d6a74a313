/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the table of names in a profile: files that were mapped, and programs. Each
 * has a number, so that a sample need not have its texts.
 */
#ifndef PERFEX_PROFILE_OBJECTS_H
#define PERFEX_PROFILE_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* This number stands for a name that there is no memory for. */
#define NO_OBJECT UINT32_MAX

/**
 * struct object - a file, other memory, or a program
 * @name: path of the file, "[vdso]" and the like, "" for memory without a file, or the name of
 *	the program
 * @inode: inode of the file, 0 if it is not a file
 * @device_major: major number of its device
 * @device_minor: minor number
 */
struct object {
	char *name;
	uint64_t inode;
	uint32_t device_major;
	uint32_t device_minor;
};

/**
 * struct objects - the table; zeroed before the first name
 * @object: the objects, by their numbers
 * @nr: number of objects
 * @slot: for each value of a hash function an object's number + 1, or 0
 * @room: number of @slot, a power of two, or 0
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
 * @object: the object, whose name is copied
 *
 * Return: its number, or NO_OBJECT if memory is short.
 */
uint32_t number_object(struct objects *objects, const struct object *object);

/* number_name() - like number_object(), for a name alone */
uint32_t number_name(struct objects *objects, const char *name);

/* free_objects() - free the memory of a table */
void free_objects(struct objects *objects);

#endif /* PERFEX_PROFILE_OBJECTS_H */

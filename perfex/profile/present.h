/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how a profile learns what a process that already runs has mapped. */
#ifndef PERFEX_PROFILE_PRESENT_H
#define PERFEX_PROFILE_PRESENT_H

#include "profile/collection.h"

/**
 * read_process() - collect the program and the executable mappings of a process from /proc
 * @collection: receives them as if the process had executed and mapped them now
 * @pid: the process, a thread's number is not allowed
 *
 * The driver reports mappings from the start on. If this function is called after it, and before
 * records are collected, no mapping is missed: one that comes in between is collected twice.
 *
 * Return: false if memory is short. A process that may not be read has no mappings.
 */
bool read_process(struct collection *collection, int pid);

/**
 * parse_mapping() - parse a line of /proc/PID/maps
 * @line: "BEGIN-END PERMISSIONS OFFSET MAJOR:MINOR INODE NAME", without its newline
 * @record: receives the mapping, whose text is a part of @line
 *
 * Return: false if it is not an executable mapping.
 */
bool parse_mapping(char *line, struct vpmc_sample_record *record);

#endif /* PERFEX_PROFILE_PRESENT_H */

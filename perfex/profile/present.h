/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how a profile gets the mappings of a process that already runs. */
#ifndef PERFEX_PROFILE_PRESENT_H
#define PERFEX_PROFILE_PRESENT_H

#include "profile/collection.h"

/**
 * read_process() - collect the program and the executable mappings of a process from /proc
 * @collection: receives the program and mappings, as if the process had just executed and mapped
 *	them
 * @pid: the number of the process, not of another thread
 *
 * The driver reports mappings from the start on. Call this function after the start and before
 * the first record is collected. Then no mapping is missed, and a mapping made between the start
 * and the call is collected twice.
 *
 * Return: false if memory is short. A process that may not be read has no mappings.
 */
bool read_process(struct collection *collection, int pid);

/**
 * parse_mapping() - parse a line of /proc/PID/maps
 * @line: "BEGIN-END PERMISSIONS OFFSET MAJOR:MINOR INODE NAME", without its newline
 * @record: receives the mapping; its text points into @line
 *
 * Return: false if it is not an executable mapping.
 */
bool parse_mapping(char *line, struct vpmc_sample_record *record);

#endif /* PERFEX_PROFILE_PRESENT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares names of files that differ from process to process and from machine
 * to machine.
 */
#ifndef PERFEX_FILE_NAME_H
#define PERFEX_FILE_NAME_H

#include <limits.h>

/**
 * expand_file_name() - replace the patterns in a file's name
 * @name: the name in the command line; receives the file's name, which may be in @kept
 * @kept: room for the file's name
 * @option: the option that has the name, for complaints
 *
 * %h is the name of the machine, %p the number of this process, %r its rank among the
 * processes that an MPI launcher has started, %% a per cent sign.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int expand_file_name(const char **name, char kept[PATH_MAX],
		     const char *option);

#endif /* PERFEX_FILE_NAME_H */

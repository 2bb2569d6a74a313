/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the command line of perfex. */
#ifndef PERFEX_OPTIONS_H
#define PERFEX_OPTIONS_H

#include <limits.h>

#include "stats/report_spec.h"

/* The files that perfex writes: -o, --plot, --status-file and --timeline. */
#define FILES 4

/**
 * struct options - the command line
 * @request: what to count, and how to report it
 * @list: -l
 * @list_groups: --groups, -g help
 * @info: -i
 * @release: --release
 * @merge: --merge
 * @names: room for names of files with %h, %p or %r
 */
struct options {
	struct request request;
	bool list;
	bool list_groups;
	bool info;
	bool release;
	bool merge;
	char names[FILES][PATH_MAX];
};

/**
 * parse_options() - understand the command line
 * @options: receives it; what is not on it stays as it is
 * @argc: of main()
 * @argv: of main()
 *
 * Help and version are printed at once, and the program ends.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int parse_options(struct options *options, int argc, char **argv);

#endif /* PERFEX_OPTIONS_H */

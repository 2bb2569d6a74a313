/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the command line of perfex. */
#ifndef PERFEX_OPTIONS_H
#define PERFEX_OPTIONS_H

#include <limits.h>

#include "stats/report_spec.h"

/*
 * perfex writes at most this many files: -o, --plot, --profile, --self-test, --status-file and
 * --timeline.
 */
#define FILES 6

/**
 * struct options - the command line
 * @request: the request of the command line
 * @list: -l
 * @list_groups: --groups, -g help
 * @info: -i
 * @release: --release
 * @merge: --merge
 * @self_test: --self-test: the file of the results, or NULL
 * @names: memory for names of files with %h, %p or %r
 */
struct options {
	struct request request;
	bool list;
	bool list_groups;
	bool info;
	bool release;
	bool merge;
	const char *self_test;
	char names[FILES][PATH_MAX];
};

/**
 * parse_options() - parse the command line
 * @options: receives the command line; members that it does not set do not change
 * @argc: argument of main()
 * @argv: argument of main()
 *
 * --help and --version print and end the program.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int parse_options(struct options *options, int argc, char **argv);

#endif /* PERFEX_OPTIONS_H */

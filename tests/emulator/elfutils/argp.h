/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * musl has no argp. This header has the declarations that elfutils' libraries need, for a file
 * that no program of the guest is linked with.
 */
#ifndef ARGP_H
#define ARGP_H

#include <errno.h>
#include <stdio.h>

typedef int error_t;

struct argp_option {
	const char *name;
	int key;
	const char *arg;
	int flags;
	const char *doc;
	int group;
};

struct argp_state {
	char *name;
	void *input;
	void *hook;
};

struct argp {
	const struct argp_option *options;
	error_t (*parser)(int key, char *arg, struct argp_state *state);
	const char *args_doc;
	const char *doc;
	const void *children;
	char *(*help_filter)(int key, const char *text, void *input);
	const char *argp_domain;
};

#define ARGP_ERR_UNKNOWN    E2BIG
#define ARGP_KEY_INIT	    0x1000003
#define ARGP_KEY_SUCCESS    0x1000004
#define ARGP_KEY_ERROR	    0x1000005
#define ARGP_HELP_SEE	    0x0
#define ARGP_HELP_EXIT_ERR  0x0
#define OPTION_ARG_OPTIONAL 0x1

void argp_help(const struct argp *argp, FILE *file, unsigned int flags,
	       char *name);
void argp_state_help(const struct argp_state *state, FILE *file,
		     unsigned int flags);
void argp_failure(const struct argp_state *state, int status, int error,
		  const char *format, ...);
void argp_error(const struct argp_state *state, const char *format, ...);

#endif /* ARGP_H */

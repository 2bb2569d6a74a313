/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the common code of the two parts of "matrix". */
#ifndef MATRIX_H
#define MATRIX_H

#include "puppet.h"

/*
 * These are the roles of processes that start and read counts, in addition to the puppet itself.
 */
enum {
	USER, /* the puppet's user, in a process that was root before */
	OTHER_USER,
	WITH_PTRACE, /* this and the next two are other users with one capability */
	WITH_PERFMON,
	WITH_ADMIN,
	SUPERUSER,
	NR_ROLES,
};

extern const struct role roles[NR_ROLES];

/* This is the answer to a request for counts. */
enum answer {
	SHOWN,	/* the exact counts */
	DENIED, /* EPERM */
	GONE,	/* no counts, but the number of revoked counts */
	NR_ANSWERS,
};

/**
 * struct asked - a request and its result
 * @fd: the handle
 * @scope: VPMC_SCOPE_*
 * @error: error of VPMC_READ
 * @query: error of VPMC_QUERY
 * @read: the result of the read
 */
struct asked {
	int fd;
	unsigned int scope;
	int error, query;
	struct vpmc_read read;
};

/* Read counts and query events in a process with that role. */
void ask(const struct role *role, struct asked *asked);

/* Make a check that is counted, and is reported only if it fails. */
#define cell(ok, ...) (cells++, (void)((ok) || check(false, __VA_ARGS__)))
extern unsigned int cells;

/*
 * Check whether a read has returned the wanted answer. Only the first @exact of the two counts are
 * known.
 */
void check_answer(const struct vpmc_read *read, int error, enum answer want,
		  struct cost cost, unsigned int exact, const char *who,
		  const char *scope);

/* This is a text that describes the current attempt, for messages. */
extern char situation[128];

/* Attach a handle in a process with that role. Returns 0 or -errno. */
int attach_as(const struct role *role, int fd, pid_t pid, unsigned int flags);

/* Start a count in a process with that role. Returns 0 or -errno. */
int start_as(const struct role *role, int fd, const struct vpmc_start *start);

/* Write to a file in /proc or /sys. */
void set(const char *path, const char *value);

/* Test the sequences that are not in the table. */
void try_more(void);

/*
 * Be a set-uid program that counts itself, gives up its rights, and reads. Returns the exit status.
 */
int be_counter(void);

#endif /* MATRIX_H */

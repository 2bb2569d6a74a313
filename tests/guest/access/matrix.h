/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the common code of the two parts of "matrix". */
#ifndef MATRIX_H
#define MATRIX_H

#include "puppet.h"

/* The processes that start and read, other than the puppet itself. */
enum {
	USER, /* the puppet's, in a process that was root before */
	OTHER_USER,
	WITH_PTRACE, /* another user with one capability, and two more of these */
	WITH_PERFMON,
	WITH_ADMIN,
	SUPERUSER,
	NR_ROLES,
};

extern const struct role roles[NR_ROLES];

/* The answer to a request for counts. */
enum answer {
	SHOWN,	/* the exact number */
	DENIED, /* EPERM */
	GONE,	/* no counts, and that there were some */
	NR_ANSWERS,
};

/**
 * struct asked - a request and its result
 * @fd: the handle
 * @scope: VPMC_SCOPE_*
 * @error: error of VPMC_READ, and @query: error of VPMC_QUERY
 * @read: the result of the read
 */
struct asked {
	int fd;
	unsigned int scope;
	int error, query;
	struct vpmc_read read;
};

/* Carry out a request in a role. */
void ask(const struct role *role, struct asked *asked);

/* Count a check, and report it only if it fails. */
#define cell(ok, ...) (cells++, (void)((ok) || check(false, __VA_ARGS__)))
extern unsigned int cells;

/* Is that the answer? Of two counts, @exact of them are known. */
void check_answer(const struct vpmc_read *read, int error, enum answer want,
		  struct cost cost, unsigned int exact, const char *who,
		  const char *scope);

/* The text for messages. */
extern char situation[128];

/* Attach a handle that no other process has. Returns 0 or -errno. */
int attach_as(const struct role *role, int fd, pid_t pid, unsigned int flags);

/* Start in a role. Returns 0 or -errno. */
int start_as(const struct role *role, int fd, const struct vpmc_start *start);

/* Write to a file below /proc or /sys. */
void set(const char *path, const char *value);

/* The sequences that are not in the table. */
void try_more(void);

/* The processes in these roles execute this program. */
int be_counter(void);

#endif /* MATRIX_H */

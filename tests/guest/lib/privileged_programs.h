/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares programs that gain privileges when an unprivileged user executes them, and how a
 * program gives up privileges.
 */
#ifndef PRIVILEGED_PROGRAMS_H
#define PRIVILEGED_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define NOBODY 65534

/**
 * struct kind - a program that may do more than its user
 * @name: name of the way in which the program gains privileges
 * @mode: mode of the program's file, which root owns
 * @capable: whether the file has a capability
 * @other: whether the program runs as another user or group
 */
struct kind {
	const char *name;
	mode_t mode;
	bool capable, other;
};

#define NR_KINDS 4
extern const struct kind kinds[NR_KINDS];

/* Make a file a copy of another one. */
void copy(const char *from, const char *to);

/* Copy @program to @path, and give the copy the mode and capability of @kind. */
void make_program(const struct kind *kind, const char *program,
		  const char *path);

/* Keep only these permitted and effective capabilities. */
void keep_capabilities(uint64_t permitted, uint64_t effective);

void become_nobody(void);

/* Like become_nobody(), but let the user's other processes watch the program. */
void become_ordinary(void);

#endif /* PRIVILEGED_PROGRAMS_H */

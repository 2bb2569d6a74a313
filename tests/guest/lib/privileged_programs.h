/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares programs that raise rights, for a user who has none. */
#ifndef PRIVILEGED_PROGRAMS_H
#define PRIVILEGED_PROGRAMS_H

#include <stdbool.h>
#include <sys/types.h>

#define NOBODY 65534

/**
 * struct kind - a program that may do more than its user
 * @name: name of the way in which it gains them
 * @mode: mode of its file, which is root's
 * @capable: whether the file has a capability
 * @other: whether it is another user or group
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

/* Make a file that of a program of a kind, a copy of @program. */
void make_program(const struct kind *kind, const char *program,
		  const char *path);

void become_nobody(void);

/* The same, as a program that the user may watch. */
void become_ordinary(void);

#endif /* PRIVILEGED_PROGRAMS_H */

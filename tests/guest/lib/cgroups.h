/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares handles that collect the processes of a cgroup, and scripts that enter and
 * leave it.
 */
#ifndef CGROUPS_H
#define CGROUPS_H

#include "hold.h"

/* This is the root of the hierarchy. */
#define GROUPS_ROOT "/tmp/cgroup"

/**
 * struct groups - cgroups, one in the other
 * @directory: of the one that is collected
 * @inner, @middle, @outside: cgroup.procs of one below that, of that and of the root
 */
struct groups {
	int directory;
	int inner, middle, outside;
};

extern struct groups groups;

/* Make them. */
void groups_make(void);

/**
 * struct threaded - a cgroup next to the one that is collected
 * @directory: its directory
 * @threads: its cgroup.threads
 */
struct threaded {
	int directory, threads;
};

/* Create such a cgroup, which is not threaded yet, and make it threaded. */
struct threaded threaded_new(void);
void threaded_begin(void);

/* VPMC_CGROUP. Returns 0 or a negated errno. */
int group_watch(int fd, int directory);

/* Start a handle so that it collects, with this process, which does not count. */
int group_start(int fd, enum events events);

/* These are a new handle that is started so, and one that also collects the cgroup. */
int group_handle(void);
int group_collector(void);

/* The process of the script moves to another cgroup. */
void script_move(struct script *s, int procs);

/* The same; it counts from there on. */
void script_move_in(struct script *s, int procs);

/* Its last pieces: it executes some instructions and exits. */
void script_work(struct script *s);

/*
 * These are the first pieces of a script: its process enters the cgroup below the one that is
 * collected, and sleeps there until t->gate opens.
 */
void target_enter(struct target *t);

/*
 * Create the process of such a script, let it be collected for a file that is closed then, and
 * return a new handle that collects the cgroup.
 */
int target_left(struct target *t);

/* Move a process. */
void group_move(pid_t pid, int procs);

/* Run a script in a process of its own. */
void group_run(struct script *s);

/* check_scope() of VPMC_SCOPE_ALL. */
void group_check(int fd, struct cost want, unsigned int missing,
		 const char *what);

#endif /* CGROUPS_H */

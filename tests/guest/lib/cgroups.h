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
 * struct groups - nested cgroups
 * @directory: directory of the collected cgroup @inner, @middle,
 * @outside: cgroup.procs of a cgroup below the collected cgroup, of the collected cgroup, and of
 *	the root
 */
struct groups {
	int directory;
	int inner, middle, outside;
};

extern struct groups groups;

/* Create the cgroups. */
void groups_make(void);

/**
 * struct threaded - a cgroup next to the collected cgroup
 * @directory: its directory
 * @threads: its cgroup.threads
 */
struct threaded {
	int directory, threads;
};

/*
 * The first function creates such a cgroup, which is not threaded yet. The second one makes it
 * threaded.
 */
struct threaded threaded_new(void);
void threaded_begin(void);

/* Call VPMC_CGROUP. Returns 0 or a negated errno. */
int group_watch(int fd, int directory);

/* Start a handle that collects. This process does not count. */
int group_start(int fd, enum events events);

/*
 * Both functions return a new handle that is started in this way. The second handle also collects
 * the cgroup.
 */
int group_handle(void);
int group_collector(void);

/* Let the process of the script move to another cgroup. */
void script_move(struct script *s, int procs);

/* Like the previous function, but the process counts after the move. */
void script_move_in(struct script *s, int procs);

/* Add the last pieces of the script: the process executes some instructions and exits. */
void script_work(struct script *s);

/*
 * Add the first pieces of a script: the process enters the cgroup below the collected cgroup, and
 * sleeps until t->gate opens.
 */
void target_enter(struct target *t);

/*
 * Create the process of such a script. A handle collects the process and is then closed. Returns
 * a new handle that collects the cgroup.
 */
int target_left(struct target *t);

/* Move a process. */
void group_move(pid_t pid, int procs);

/* Run a script in a new process. */
void group_run(struct script *s);

/* Call check_scope() for VPMC_SCOPE_ALL. */
void group_check(int fd, struct cost want, unsigned int missing,
		 const char *what);

#endif /* CGROUPS_H */

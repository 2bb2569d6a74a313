/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares targets, which are processes whose counts another process controls. A target
 * runs a script. The test attaches to the target. The target sleeps at a gate wherever the test has
 * something to do.
 */
#ifndef HOLD_H
#define HOLD_H

#include <sys/syscall.h>
#include <sys/types.h>

#include "follow.h"

#define NOTHING ((struct cost){ 0, 0 })

/* These system calls change one thread only, and take users and groups of 32 bits. */
#ifdef SYS_setresuid32
enum {
	SETGROUPS = SYS_setgroups32,
	SETRESUID = SYS_setresuid32,
	SETRESGID = SYS_setresgid32
};
#else
enum {
	SETGROUPS = SYS_setgroups,
	SETRESUID = SYS_setresuid,
	SETRESGID = SYS_setresgid
};
#endif

/* Wait until the thread sleeps at the gate. The thread must be on its way there. */
void until_at_gate(uint32_t tid, const struct gate *gate);

/**
 * struct target - a process to hold
 * @script: the script of the process, complete before target_create() is called
 * @gate: the gate at which the process sleeps
 * @pid: its process ID
 */
struct target {
	struct script script;
	struct gate gate;
	pid_t pid;
};

struct target target_new(void);

/*
 * Add a gate to the script. After the gate the target counts if @counts is set. Returns the cost of
 * the script while the target sleeps there.
 */
struct cost target_gate(struct target *t, bool counts);

/* Like target_gate(), for a gate at which the holder starts the target from zero. */
void target_gate_start(struct target *t);

/* Fork the process. Returns when it sleeps at its first gate. */
void target_create(struct target *t);

/* Let the target pass the gate. Returns when the target sleeps at the next one. */
void target_pass(struct target *t);

/* Let the target pass its last gate. Returns when the target is a zombie. */
void target_end(struct target *t);

/* Reap the target, which has passed its last gate. */
void target_reap(struct target *t);

/* Call VPMC_ATTACH of a handle. @generation receives the generation if it is not NULL. */
int attach(int fd, int id, unsigned int flags, uint64_t *generation);

/* Return a new handle that is attached to a process or thread. */
int hold(int id, unsigned int flags);

/* Call target_create(), and return a new handle that is attached to the target. */
int target_hold(struct target *t, unsigned int flags);

/* Prepare start() before forking processes that call it. */
void start_prepare(void);

/* Call VPMC_START or VPMC_STOP. @generation receives the generation if it is not NULL. */
int start(int fd, enum events events, unsigned int flags, uint64_t *generation);
int stop(int fd, uint64_t *generation);

/* Start with each event twice, so that they share counters. This must succeed. */
void must_start_shared(int fd, enum events events, unsigned int flags);

/* Like start() and stop(), but a failure is a failed check. */
uint64_t must_start(int fd, enum events events, unsigned int flags);
uint64_t must_stop(int fd);

/* Return the result of VPMC_READ. */
int try_read(int fd, unsigned int scope);

/* Like check_scope(), but also check the state and the generation. */
void check_held(int fd, unsigned int scope, struct cost want,
		enum vpmc_state state, uint64_t generation, const char *what);

/* Check CHILDREN of the calling process. */
void check_children(struct cost want, unsigned int missing, const char *what);

/* Return the pointer at an address that the driver has returned. */
void *pointer_to(uint64_t address);

/*
 * Return the letter that /proc shows for the thread's state, or 0 if the thread no longer exists.
 */
char state_of(uint32_t tid);

#endif /* HOLD_H */

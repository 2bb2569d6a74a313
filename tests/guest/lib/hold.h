/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares processes that count for another process: a target runs a script
 * and sleeps at a gate wherever the test, which has attached to it, has something to
 * do.
 */
#ifndef HOLD_H
#define HOLD_H

#include <sys/syscall.h>
#include <sys/types.h>

#include "follow.h"

#define NOTHING ((struct cost){ 0, 0 })

/* System calls of one thread, for users and groups of 32 bits. */
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

/* Return when the thread, which is on its way to the gate, sleeps there. */
void until_at_gate(uint32_t tid, const struct gate *gate);

/**
 * struct target - a process to hold
 * @script: its script; to be completed before target_create()
 * @gate: where it sleeps
 */
struct target {
	struct script script;
	struct gate gate;
	pid_t pid;
};

struct target target_new(void);

/* Let the script pass the gate, and count after it if @counts is set. */
struct cost target_gate(struct target *t, bool counts);

/* Like target_gate(), where the holder starts the target from zero. */
void target_gate_start(struct target *t);

/* Fork the process. Returns when it sleeps at its first gate. */
void target_create(struct target *t);

/* Let it pass the gate. Returns when it sleeps at the next one. */
void target_pass(struct target *t);

/* Let it pass its last gate. Returns when it is a zombie. */
void target_end(struct target *t);

/* Let it pass its last gate. Return when it has been reaped. */
void target_reap(struct target *t);

/* VPMC_ATTACH of a handle. @generation: receives it, or NULL. */
int attach(int fd, int id, unsigned int flags, uint64_t *generation);

/* A new handle of a process or thread. */
int hold(int id, unsigned int flags);

/* Prepare start() before forking processes that call it. */
void start_prepare(void);

/* VPMC_START and VPMC_STOP. @generation: receives it, or NULL. */
int start(int fd, enum events events, unsigned int flags, uint64_t *generation);
int stop(int fd, uint64_t *generation);

/* Start with each event twice, so that they share counters. This must succeed. */
void must_start_shared(int fd, enum events events, unsigned int flags);

/* start() and stop() that must succeed. */
uint64_t must_start(int fd, enum events events, unsigned int flags);
uint64_t must_stop(int fd);

/* Result of a VPMC_READ. */
int try_read(int fd, unsigned int scope);

/* check_scope(), and the state and the generation too. */
void check_held(int fd, unsigned int scope, struct cost want,
		enum vpmc_state state, uint64_t generation, const char *what);

/* CHILDREN of the calling process. */
void check_children(struct cost want, unsigned int missing, const char *what);

/* Return the pointer at an address that the driver has returned. */
void *pointer_to(uint64_t address);

/* The letter for it in /proc, or 0 if it is gone. */
char state_of(uint32_t tid);

#endif /* HOLD_H */

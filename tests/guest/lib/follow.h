/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the common code of programs that follow counts from process to
 * process.
 */
#ifndef FOLLOW_H
#define FOLLOW_H

#include <linux/vpmc.h>

#include "../../lib/event.h"
#include "check.h"
#include "child.h"
#include "script.h"

/* A handle of /dev/vpmc. */
int open_device(void);

/* Returns 0 or a negated errno. */
int request(int fd, unsigned long what, void *arg);

/* Events to count in user mode, on all counters that the processor has. */
enum events {
	FIRST, /* instructions and branches in turn */
	OTHER, /* the same in the other order */
};

/* Convert a cost of FIRST events to one of OTHER events, and back. */
static inline struct cost swapped(struct cost cost)
{
	return (struct cost){ cost.branches, cost.instructions };
}

/*
 * Return this processor's code of an event. A script has as many clocks as
 * instructions, and never the event of NEVER_COUNTED.
 */
enum { INSTRUCTIONS, BRANCHES, CLOCKS, NEVER_COUNTED, NR_CODES };
uint32_t code_here(unsigned int which);

/*
 * Like code_here(), with a threshold of 1, which does not change the count, if a fixed
 * counter has the event.
 */
uint32_t general_code_here(unsigned int which);

/* Codes that this processor refuses, and why. */
struct refused {
	uint32_t code;
	enum vpmc_reason reason;
};
#define NR_REFUSED 3

const struct refused *refused_here(void);

/*
 * Return the number of counters, which FIRST and OTHER use, and their bits; and the
 * number of fixed counters after these.
 */
unsigned int counters_here(void);
unsigned int fixed_here(void);
unsigned int counter_bits_here(void);

/* Use at most so many counters for FIRST and OTHER from now on. */
void start_at_most(unsigned int nr);

/* The arguments of the requests, in memory that all processes share. */
struct vpmc_start *start_arg(enum events events, unsigned int flags);
struct vpmc_stop *stop_arg(void);
struct vpmc_read *read_arg(unsigned int scope);
struct vpmc_system_read *system_read_arg(int cpu);

/* Reads; a read that fails is a failed check and all zero. */
struct vpmc_read read_scope(int fd, unsigned int scope);

/* Take the next record. */
struct vpmc_record next_record(int fd);

/* Are these the counts of FIRST events? */
bool are_counts(const __u64 *count, unsigned int nr, struct cost want);

/* Check the counts of a read in system mode. */
void check_system(const struct vpmc_system_read *read, struct cost want,
		  const char *what);

/*
 * Check what was read of FIRST events. @missing: what it says of counts that
 * are not in it, those of other events plus REVOKED for each that is revoked.
 */
#define REVOKED 100000
void check_read(const struct vpmc_read *read, struct cost want,
		unsigned int missing, const char *what);

/* Are FIRST events' counts neither less than @low nor more than @high? */
bool is_between(const struct vpmc_read *read, struct cost low,
		struct cost high);

/* Call read_scope() and check_read(). */
void check_scope(int fd, unsigned int scope, struct cost want,
		 unsigned int missing, const char *what);

/**
 * struct family - a process that counts FIRST events while it creates children
 * @fd: its handle, and @other: one that nobody is bound to
 * @start, @stop: their arguments
 * @parent: its script, which begins with the start
 */
struct family {
	int fd, other;
	struct vpmc_start *start;
	struct vpmc_stop *stop;
	struct script parent;
};

struct family family_new(void);

/* Make a child that the parent forks. The rest of its script is to come. */
struct script family_child(struct family *f);

/* Like family_child(). @pid: receives its number. */
struct script family_child_pid(struct family *f, uint32_t *pid);

/* Let the parent stop counting, and run it. */
void family_run(struct family *f);

/* CHILDREN of the parent; see check_scope(). */
void family_check(const struct family *f, struct cost want,
		  unsigned int missing, const char *what);

/*
 * Create a pipe for script_gate(); let one process pass it; wait at it in a process
 * that does not run a script.
 */
struct gate {
	int in, out;
};

struct gate gate_new(void);
void gate_open(const struct gate *gate);
void gate_wait(const struct gate *gate);

/* Write to a file of the kernel's. */
void set_file(const char *path, const char *text);

/*
 * Return the number that follows a word at the beginning of a line of a file, or the
 * number at the beginning of the file if the word is empty.
 */
unsigned long number_in(const char *path, const char *word);

/*
 * Return when the process has n threads that have not been released. A list of
 * /proc/PID/task would not do: it may end where a thread exits.
 */
void until_threads(uint32_t pid, unsigned long n);

/* Return when the process, which will sleep next, does, and is switched out. */
void until_asleep(uint32_t pid);

/* Like the function above, for a process that a signal stops. */
void until_stopped(uint32_t pid);

/* Return the present value of vpmc_info.system. */
bool in_system_mode(void);

/* Stay on a processor. */
void stay_on(unsigned int processor);
void script_stay_on(struct script *s, unsigned int processor);

/*
 * Return when the processes that wait for this one sleep, so that only this process and
 * those that it starts are in user mode.
 */
void until_quiet(void);

/* Run a test in a process and with shared memory of its own. */
void run(void (*test)(void));

#endif /* FOLLOW_H */

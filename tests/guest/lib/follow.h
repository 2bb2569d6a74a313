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

/* Open a handle of /dev/vpmc. */
int open_device(void);

/* Make a request of ioctl(2). Returns 0 or a negated errno. */
int request(int fd, unsigned long what, void *arg);

/* Events to count in user mode, on all counters that the processor has. */
enum events {
	FIRST, /* instructions and branches in turn */
	OTHER, /* branches and instructions in turn */
};

/* Convert a cost of FIRST events to a cost of OTHER events, and back. */
static inline struct cost swapped(struct cost cost)
{
	return (struct cost){ cost.branches, cost.instructions };
}

/*
 * Return this processor's code of an event. A script takes as many clocks as it has instructions.
 * The event of NEVER_COUNTED never happens in a script.
 */
enum { INSTRUCTIONS, BRANCHES, CLOCKS, NEVER_COUNTED, NR_CODES };
uint64_t code_here(unsigned int which);

/*
 * Like code_here(), with a threshold of 1, which does not change the count, if a fixed
 * counter has the event.
 */
uint64_t general_code_here(unsigned int which);

/* These are codes that this processor refuses, and the reasons. */
struct refused {
	uint64_t code;
	enum vpmc_reason reason;
};
#define NR_REFUSED 3

const struct refused *refused_here(void);

/*
 * counters_here() returns the number of counters that FIRST and OTHER use. counter_here() returns
 * the @n-th of these, from 0; beyond them and the fixed counters, it returns numbers without a
 * counter. fixed_here() returns the number of fixed counters. counter_bits_here() returns the width
 * of the counters in bits.
 */
unsigned int counters_here(void);
uint16_t counter_here(unsigned int n);

/* Return how many of FIRST and of OTHER, from the first, may be counted in different modes. */
unsigned int modes_here(void);

/*
 * Let the second event of @start count kernel mode, and drop those of FIRST that cannot be counted
 * then.
 */
void start_count_kernel(struct vpmc_start *start);

/* Return one of 64 codes of any events that the first two counters accept together. */
uint64_t any_code_here(unsigned int n);
unsigned int fixed_here(void);

/*
 * Return whether only the first counter interrupts when it overflows: the processor is a Pentium,
 * which must be in an EBS socket.
 */
bool only_first_interrupts_here(void);
unsigned int counter_bits_here(void);

/* Return whether the processor is a Pentium 4. */
bool is_p4_here(void);

/* Use at most @nr counters for FIRST and OTHER from now on. */
void start_at_most(unsigned int nr);

/* These functions return the arguments of requests, in memory that all processes share. */
struct vpmc_start *start_arg(enum events events, unsigned int flags);
struct vpmc_start *start_arg_of(const struct vpmc_event *list, unsigned int nr,
				unsigned int flags);

/* Return the argument of a start of the events that follow @flags. */
#define START(flags, ...)                                                 \
	start_arg_of((const struct vpmc_event[]){ __VA_ARGS__ },          \
		     sizeof((const struct vpmc_event[]){ __VA_ARGS__ }) / \
			     sizeof(struct vpmc_event),                   \
		     flags)

/* Check that a new handle refuses a start for @reason, and that its last event is the cause. */
void check_start_refused(struct vpmc_start *start, enum vpmc_reason reason,
			 const char *what);

struct vpmc_stop *stop_arg(void);
struct vpmc_read *read_arg(unsigned int scope);
struct vpmc_system_read *system_read_arg(int cpu);

/* Read counts. If the read fails, a check fails, and all fields of the result are zero. */
struct vpmc_read read_scope(int fd, unsigned int scope);

/* Take the next record. */
struct vpmc_record next_record(int fd);

/* Return whether the @nr counts of FIRST events are those of a script that costs @want. */
bool are_counts(const __u64 *count, unsigned int nr, struct cost want);

/* Check the counts of a read in system mode. */
void check_system(const struct vpmc_system_read *read, struct cost want,
		  const char *what);

/*
 * Check the result of a read of FIRST events. @missing is the number of missing counts that the
 * result must report: 1 for each count of other events, and REVOKED for each revoked count.
 */
#define REVOKED 100000
void check_read(const struct vpmc_read *read, struct cost want,
		unsigned int missing, const char *what);

/* Return whether the counts of FIRST events are in the range from @low to @high. */
bool is_between(const struct vpmc_read *read, struct cost low,
		struct cost high);

/* Call read_scope() and check_read(). */
void check_scope(int fd, unsigned int scope, struct cost want,
		 unsigned int missing, const char *what);

/**
 * struct family - a process that counts FIRST events while it creates children
 * @fd: the handle of the process
 * @other: a handle that is not bound to any process
 * @start, @stop: the arguments of VPMC_START and VPMC_STOP
 * @parent: the script of the process, which begins with the start
 */
struct family {
	int fd, other;
	struct vpmc_start *start;
	struct vpmc_stop *stop;
	struct script parent;
};

struct family family_new(void);

/* Let the parent fork a child. Returns the child's script, which the caller completes. */
struct script family_child(struct family *f);

/* Like family_child(). @pid receives the child's process ID. */
struct script family_child_pid(struct family *f, uint32_t *pid);

/* Let the parent stop counting, and run it. */
void family_run(struct family *f);

/* Call check_scope() for CHILDREN of the parent. */
void family_check(const struct family *f, struct cost want,
		  unsigned int missing, const char *what);

/*
 * This is a pipe for script_gate(). gate_new() creates it. gate_open() lets one process pass.
 * gate_wait() waits at it in a process that does not run a script.
 */
struct gate {
	int in, out;
};

struct gate gate_new(void);
void gate_open(const struct gate *gate);
void gate_wait(const struct gate *gate);

/* Write to a file in /proc or /sys. */
void set_file(const char *path, const char *text);

/*
 * Return the number that follows a word at the beginning of a line of a file, or the
 * number at the beginning of the file if the word is empty.
 */
unsigned long number_in(const char *path, const char *word);

/*
 * Wait until the process has n threads that have not been released. A listing of /proc/PID/task may
 * end early if a thread exits, so this function does not use one.
 */
void until_threads(uint32_t pid, unsigned long n);

/* Wait until the process sleeps and is switched out. The process must be about to sleep. */
void until_asleep(uint32_t pid);

/* Like until_asleep(), for a process that a signal stops. */
void until_stopped(uint32_t pid);

/* Return the present value of vpmc_info.system. */
bool in_system_mode(void);

/* Let the calling process run only on this processor. */
void stay_on(unsigned int processor);
void script_stay_on(struct script *s, unsigned int processor);

/*
 * Wait until the processes that wait for this one sleep. Then only this process, and the processes
 * that it starts, are in user mode.
 */
void until_quiet(void);

/* Run a test in a new process. */
void run(void (*test)(void));

#endif /* FOLLOW_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the operations that "sweep" interrupts at every kernel instruction. */
#ifndef SWEEP_H
#define SWEEP_H

#include "adversary.h"
#include "intruder.h"

#define MAX_EXPECTED 8

/* System calls that may have another result after an intrusion. */
enum called {
	ANYTHING, /* none of these */
	START,	  /* from zero or not, but not by force */
	SIGNAL,	  /* of the process's first thread */
	CHILDS_SIGNAL,
	SYSTEM_START, /* not by force */
	SYSTEM_REST,  /* what else is asked of system mode then */
};

/**
 * struct expected - what a run must have read or returned
 * @read, @cost: a read of the counts, or NULL
 * @called, @result, @value: a system call, and what it has returned
 * @answer: what came of it in the last run, in short; and @changes: how often that
 *	was another answer than in the run before
 */
struct expected {
	struct vpmc_read *read;
	struct cost cost;
	enum called called;
	uint32_t *result;
	uint32_t value;
	uint32_t answer;
	unsigned int changes;
};

/**
 * struct sweep - a script that makes an operation, and what comes of it
 * @irq, @range: what interrupts it, and where
 * @script: the script of the process, which counts itself
 * @after, @left: where it has the number of the instruction, and what is left
 * @fd, @other: two handles of the process
 * @start: start of the counts that it reads
 * @others: counts of other threads that have exited
 * @before: the count of the process when the operation begins
 * @thread: the last thread that it creates, or NULL
 * @intruder: who acts when it is interrupted, or NULL
 */
struct sweep {
	enum adversary_irq irq;
	struct range range;
	struct script script;
	uint32_t *after, *left;
	int fd, other;
	struct vpmc_start *start;
	struct cost others, before;
	uint32_t *thread;
	struct intruder *intruder;
	struct expected expected[MAX_EXPECTED];
	unsigned int nr_expected;
};

/* The operation is the code of @by from here, and the script up to here. */
void sweep_begin(struct sweep *s, struct script *by);
void sweep_end(struct sweep *s);

/* The script starts to count. */
void sweep_start(struct sweep *s, unsigned int flags);

/* The system call before must return this. */
void sweep_result(struct sweep *s, struct script *by, int value);

/* The last expected value is the result of such a call. */
void sweep_called(struct sweep *s, enum called called);

/* The script makes a system call, and its result is expected. */
#define sweep_call(s, by, value, ...) \
	sweep_call_(s, by, value, (const script_word[7]){ __VA_ARGS__ })
void sweep_call_(struct sweep *s, struct script *by, int value,
		 const script_word call[7]);

/* The script makes an ioctl on a handle, and its result is expected. */
void sweep_ioctl(struct sweep *s, struct script *by, int fd, uint32_t what,
		 void *arg);

/* The script reads its counts; or CHILDREN, which must have this cost. */
void sweep_read(struct sweep *s, struct vpmc_read *read);
void sweep_self(struct sweep *s);
void sweep_children(struct sweep *s, struct cost cost);

/* The argument that asks for signals that are due all the time, and ignored. */
struct vpmc_signal *signal_arg(unsigned int event);

/**
 * struct operation - an operation that is interrupted
 * @name: its name on the command line
 * @add: completes the script, up to the end of the operation
 * @least: how many of the driver's instructions it has, at least
 */
struct operation {
	const char *name;
	void (*add)(struct sweep *s);
	unsigned int least;
};

extern const struct operation sweep_calls[], sweep_lives[];
extern const unsigned int nr_sweep_calls, nr_sweep_lives;

#endif /* SWEEP_H */

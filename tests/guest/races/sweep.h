/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares the operations that "sweep" interrupts at every kernel instruction. */
#ifndef SWEEP_H
#define SWEEP_H

#include "adversary.h"
#include "intruder.h"

#define MAX_EXPECTED 8

/* These are the kinds of system calls whose result an intrusion can change. */
enum called {
	ANYTHING, /* any other call */
	START,	  /* a start or a resume without force */
	SIGNAL,	  /* a request of the first thread */
	CHILDS_SIGNAL,
	SYSTEM_START, /* without force */
	SYSTEM_REST,  /* later calls of system mode */
};

/**
 * struct expected - an expected answer, of a read or of another system call
 * @read: the result of the read, or NULL for another system call
 * @cost: the counts that the read must return
 * @called: the kind of the system call
 * @result: its result
 * @value: the result that it must have
 * @answer: the kind of the read's answer, or the result of the call, in the last run
 * @changes: number of runs with another @answer than the run before
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
 * struct sweep - a script with an operation, and the expected answers
 * @irq: the interrupt
 * @range: the instructions at which the interrupt can come
 * @script: the script of the process, which counts itself
 * @after: the address of the number of the instruction in the script
 * @left: the instructions that remained before the interrupt
 * @fd, @other: two handles of the process
 * @start: the start of the counts that the script reads
 * @others: counts of other threads that have exited
 * @before: the count of the process at the beginning of the operation
 * @thread: the ID of the last thread that the script creates, or NULL
 * @intruder: the intruder, or NULL
 * @expected, @nr_expected: the expected answers
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

/*
 * sweep_begin() makes the operation begin where the next piece is appended to the script @by.
 * sweep_end() makes the operation end where the next piece is appended to the sweep's script.
 */
void sweep_begin(struct sweep *s, struct script *by);
void sweep_end(struct sweep *s);

/* Add a start to the script. */
void sweep_start(struct sweep *s, unsigned int flags);

/* Expect @value as the result of the previous system call. */
void sweep_result(struct sweep *s, struct script *by, int value);

/* Set the kind of the last expected system call. */
void sweep_called(struct sweep *s, enum called called);

/* Add a system call, and expect its result. */
#define sweep_call(s, by, value, ...) \
	sweep_call_(s, by, value, (const script_word[7]){ __VA_ARGS__ })
void sweep_call_(struct sweep *s, struct script *by, int value,
		 const script_word call[7]);

/* Add a call of ioctl(2) on a handle, which must succeed. */
void sweep_ioctl(struct sweep *s, struct script *by, int fd, uint32_t what,
		 void *arg);

/* Add a read of the process's own counts, or of CHILDREN. CHILDREN must have the counts @cost. */
void sweep_read(struct sweep *s, struct vpmc_read *read);
void sweep_self(struct sweep *s);
void sweep_children(struct sweep *s, struct cost cost);

/*
 * Return the argument that requests signals for each third event. The process ignores these
 * signals.
 */
struct vpmc_signal *signal_arg(unsigned int event);

/**
 * struct operation - an operation that is interrupted
 * @name: its name on the command line
 * @add: function that completes the script up to the end of the operation
 * @least: the smallest number of driver instructions in the operation
 */
struct operation {
	const char *name;
	void (*add)(struct sweep *s);
	unsigned int least;
};

extern const struct operation sweep_calls[], sweep_lives[];
extern const unsigned int nr_sweep_calls, nr_sweep_lives;

#endif /* SWEEP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the table of checks of the self-test. */
#ifndef PERFEX_SELF_TEST_CHECKS_H
#define PERFEX_SELF_TEST_CHECKS_H

#include "self_test/bench.h"

/* The checks, in the order in which they run: a check follows those that it is built on. */
enum check_id {
	CHECK_LOOP,
	CHECK_COUNTERS,
	CHECK_EVENTS,
	CHECK_KERNEL,
	CHECK_FAULTS,
	CHECK_LONG,
	CHECK_MEMORY,
	CHECK_READS,
	CHECK_PROGRAM_32,
	CHECK_PROGRAM_64,
	CHECK_CHILDREN,
	CHECK_PROCESSES,
	CHECK_THREADS,
	CHECK_PROCESSORS,
	CHECK_MIGRATION,
	CHECK_TURNS,
	CHECK_WRAP,
	CHECK_INTERRUPT,
	NR_CHECKS,
};

#define BUILT_ON(id) (1U << CHECK_##id)

/**
 * struct check - a check of the self-test
 * @name: its name on the page
 * @rule: the rule that must hold, in a few words
 * @failure: the sentence that says what it means if the check fails
 * @needs: set of BUILT_ON() of the checks without which it says nothing
 * @run: runs the check in its own process, which stays on one processor, and gives a verdict
 */
struct check {
	const char *name;
	const char *rule;
	const char *failure;
	unsigned int needs;
	void (*run)(struct bench *bench, struct verdict *verdict);
};

extern const struct check checks[NR_CHECKS];

/* Each of these functions is the @run of a check. */
void check_loop(struct bench *bench, struct verdict *verdict);
void check_counters(struct bench *bench, struct verdict *verdict);
void check_events(struct bench *bench, struct verdict *verdict);
void check_kernel(struct bench *bench, struct verdict *verdict);
void check_faults(struct bench *bench, struct verdict *verdict);
void check_long(struct bench *bench, struct verdict *verdict);
void check_memory(struct bench *bench, struct verdict *verdict);
void check_reads(struct bench *bench, struct verdict *verdict);
void check_program_32(struct bench *bench, struct verdict *verdict);
void check_program_64(struct bench *bench, struct verdict *verdict);
void check_children(struct bench *bench, struct verdict *verdict);
void check_processes(struct bench *bench, struct verdict *verdict);
void check_threads(struct bench *bench, struct verdict *verdict);
void check_processors(struct bench *bench, struct verdict *verdict);
void check_migration(struct bench *bench, struct verdict *verdict);
void check_turns(struct bench *bench, struct verdict *verdict);
void check_wrap(struct bench *bench, struct verdict *verdict);
void check_interrupt(struct bench *bench, struct verdict *verdict);

#endif /* PERFEX_SELF_TEST_CHECKS_H */

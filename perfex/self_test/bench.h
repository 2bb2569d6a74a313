/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares what all checks of the self-test have: the machine, the events that have
 * known counts, and the verdict that a check gives.
 *
 * Each check runs in its own process, in memory that it shares with perfex. So a check that
 * crashes, or maps a page of counts, does not change the next checks.
 */
#ifndef PERFEX_SELF_TEST_BENCH_H
#define PERFEX_SELF_TEST_BENCH_H

#include <sched.h>

#include "util/perfex.h"

#define DETAIL_MAX 160

/*
 * If faults or interrupts are counted, a count may have this number of events too many. A shorter
 * count has fewer: EXCESS_LEAST, and one for EXCESS_PER events.
 */
#define EXCESS	     10000
#define EXCESS_LEAST 100
#define EXCESS_PER   1000

/**
 * enum outcome - the result of a check
 * @CHECK_FAILED: the counters are wrong
 * @CHECK_KNOWN: the counters are wrong in the way that an erratum of the processor describes
 * @CHECK_PASSED: the counters are right
 * @CHECK_NOT_HERE: this machine lacks what the check needs
 * @CHECK_NOT_JUDGED: a check that this one is built on has not passed
 */
enum outcome {
	CHECK_FAILED,
	CHECK_KNOWN,
	CHECK_PASSED,
	CHECK_NOT_HERE,
	CHECK_NOT_JUDGED,
	NR_OUTCOMES,
};

/**
 * struct verdict - the result of a check
 * @outcome: the result
 * @detail: what was counted, or the reason, in a few words
 */
struct verdict {
	enum outcome outcome;
	char detail[DETAIL_MAX];
};

/**
 * struct bench - what all checks have
 * @machine: the processor and its counters
 * @instructions: the event of instructions in user mode, on any counter
 * @branches: the event of branches in user mode, on any counter
 * @counters: a bit for each counter that counts instructions
 * @branch_counters: a bit for each counter that counts branches
 * @cpus: the processors on which perfex may run
 * @cpu: the first of them, on which checks stay
 * @excess: how many events any count may have too many. It is 0 unless interrupts are counted.
 */
struct bench {
	struct vpmc_machine machine;
	struct vpmc_event_sel instructions;
	struct vpmc_event_sel branches;
	uint32_t counters;
	uint32_t branch_counters;
	cpu_set_t cpus;
	size_t cpu;
	uint64_t excess;
};

/**
 * describe_bench() - find the events, the counters and the processors
 * @bench: receives them
 * @vpmc: an open handle
 * @err: receives the error
 *
 * Return: 0, or an enum vpmc_code.
 */
int describe_bench(struct bench *bench, struct vpmc *vpmc,
		   struct vpmc_error *err);

/* stay_on() - let the calling thread run only on this processor. Returns false, with errno, if not */
bool stay_on(size_t cpu);

/**
 * is_right() - return whether a count is the known one
 * @bench: the bench, which knows the excess that is possible
 * @count: the count
 * @wanted: the known number of events
 */
bool is_right(const struct bench *bench, uint64_t count, uint64_t wanted);

/**
 * give() - give the verdict of a check
 * @verdict: receives the verdict
 * @outcome: the result
 * @format: format of the detail, as for printf(3)
 */
void give(struct verdict *verdict, enum outcome outcome, const char *format,
	  ...) __attribute__((format(printf, 3, 4)));

/**
 * judge() - give the verdict on a count
 * @bench: the bench
 * @verdict: receives CHECK_PASSED or CHECK_FAILED
 * @count: the count
 * @wanted: the known number of events
 *
 * Return: true if the check has passed.
 */
bool judge(const struct bench *bench, struct verdict *verdict, uint64_t count,
	   uint64_t wanted);

/**
 * name_part() - put the part of the machine in front of the detail of a verdict
 * @verdict: the verdict
 * @part: "counter" or "processor"
 * @number: its number
 */
void name_part(struct verdict *verdict, const char *part, unsigned int number);

/**
 * give_error() - give the verdict of a check in which a call of the library failed
 * @verdict: receives CHECK_FAILED and the error
 * @err: the error
 */
void give_error(struct verdict *verdict, const struct vpmc_error *err);

#endif /* PERFEX_SELF_TEST_BENCH_H */

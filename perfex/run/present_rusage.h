/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the page faults and context switches of a command that still runs,
 * for --faults.
 */
#ifndef PERFEX_PRESENT_RUSAGE_H
#define PERFEX_PRESENT_RUSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* What is counted, in the order of the names in rusage.c. */
enum present_number {
	MINOR_FAULTS,
	MAJOR_FAULTS,
	VOLUNTARY_SWITCHES,
	INVOLUNTARY_SWITCHES,
	NR_PRESENT,
};

/* Voluntary and involuntary switches of a thread. */
#define NR_SWITCHES 2

/**
 * struct thread_switches - the switches of a thread
 * @tid: its number
 * @count: how often it left its processor, by itself and otherwise
 */
struct thread_switches {
	pid_t tid;
	uint64_t count[NR_SWITCHES];
};

/**
 * struct present_usage - numbers of a command; all 0 before it runs
 * @count: all so far
 * @block: those since the block before
 * @printed: @count when the last block was begun
 * @thread: the threads that ran when they were looked at last, by number
 * @nr: how many
 * @ended: switches of the threads that have ended since the beginning
 */
struct present_usage {
	uint64_t count[NR_PRESENT];
	uint64_t block[NR_PRESENT];
	uint64_t printed[NR_PRESENT];
	struct thread_switches *thread;
	size_t nr;
	uint64_t ended[NR_SWITCHES];
};

/**
 * read_present_usage() - bring the numbers up to date while the command runs
 * @usage: receives them
 * @pid: the command
 *
 * Numbers that cannot be read now stay as they are, and are in a later block.
 */
void read_present_usage(struct present_usage *usage, pid_t pid);

/* end_present_usage() - the command has ended, and all its numbers are known */
void end_present_usage(struct present_usage *usage, const struct rusage *all);

/* begin_usage_block() - set @block to what has come since the last call */
void begin_usage_block(struct present_usage *usage);

/* free_present_usage() - free what read_present_usage() has allocated */
void free_present_usage(struct present_usage *usage);

#endif /* PERFEX_PRESENT_RUSAGE_H */

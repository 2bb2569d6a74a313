/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the page faults and context switches of a running command, for --faults.
 */
#ifndef PERFEX_PRESENT_RUSAGE_H
#define PERFEX_PRESENT_RUSAGE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* These numbers are in the order of the names in rusage.c. */
enum present_number {
	MINOR_FAULTS,
	MAJOR_FAULTS,
	VOLUNTARY_SWITCHES,
	INVOLUNTARY_SWITCHES,
	NR_PRESENT,
};

/* A thread has two numbers: voluntary and involuntary switches. */
#define NR_SWITCHES 2

/**
 * struct thread_switches - the switches of a thread
 * @tid: number of the thread
 * @count: number of voluntary and of involuntary switches
 */
struct thread_switches {
	pid_t tid;
	uint64_t count[NR_SWITCHES];
};

/**
 * struct present_usage - page faults and switches of a command; all 0 before it runs
 * @count: the numbers since the command's start
 * @block: the numbers since the previous block
 * @printed: the value of @count at the beginning of the last block
 * @thread: the threads that existed at the last read, sorted by number
 * @nr: number of @thread
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
 * read_present_usage() - update the numbers while the command runs
 * @usage: receives the numbers
 * @pid: the command
 *
 * Numbers that cannot be read now do not change, and appear in a later block.
 */
void read_present_usage(struct present_usage *usage, pid_t pid);

/* end_present_usage() - set the numbers to the final ones of a command that has ended */
void end_present_usage(struct present_usage *usage, const struct rusage *all);

/* begin_usage_block() - set @block to the increase since the last call */
void begin_usage_block(struct present_usage *usage);

/* free_present_usage() - free the memory that read_present_usage() has allocated */
void free_present_usage(struct present_usage *usage);

#endif /* PERFEX_PRESENT_RUSAGE_H */

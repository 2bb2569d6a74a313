/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares one execution of the command. */
#ifndef P5MON_RUN_H
#define P5MON_RUN_H

#include <stdint.h>

#include "regions.h"
#include "words.h"

#define COUNTERS 2U

/**
 * struct pair - events that are counted in one execution
 * @number: of each, EVENT of libp5mon
 * @nr: how many, up to COUNTERS; 0 to count nothing
 * @user: what happens in user mode
 * @kernel: what happens in kernel mode
 */
struct pair {
	EVENT number[COUNTERS];
	unsigned int nr;
	bool user;
	bool kernel;
};

/**
 * struct run - what an execution has counted
 * @count: of each event
 * @seconds: how long it took
 * @status: how it ended, of waitpid(2)
 */
struct run {
	uint64_t count[COUNTERS];
	double seconds;
	int status;
};

/**
 * open_counters() - see whether there is a driver, and the Pentium's counters
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_counters(void);

/* never() - why an event cannot happen here, in a few words, or NULL */
const char *never(EVENT number, const struct pair *pair);

/**
 * run_command() - execute the command, and count it from its first instruction on, with
 *	all processes that it creates
 * @words: the command
 * @pair: the events
 * @regions: if not NULL, receives the regions that the command has counted
 * @run: receives the counts
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int run_command(const struct words *words, const struct pair *pair,
		struct regions *regions, struct run *run);

#endif /* P5MON_RUN_H */

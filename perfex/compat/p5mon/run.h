/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares one execution of the command. */
#ifndef P5MON_RUN_H
#define P5MON_RUN_H

#include <stdint.h>

#include "regions.h"
#include "words.h"

#define COUNTERS 2U

/**
 * struct pair - the events of one execution
 * @number: EVENT number of each event in libp5mon
 * @nr: number of events, up to COUNTERS; 0 to count nothing
 * @user: true to count in user mode
 * @kernel: true to count in kernel mode
 */
struct pair {
	EVENT number[COUNTERS];
	unsigned int nr;
	bool user;
	bool kernel;
};

/**
 * struct run - the counts of an execution
 * @count: count of each event
 * @seconds: duration of the execution
 * @status: status of waitpid(2)
 */
struct run {
	uint64_t count[COUNTERS];
	double seconds;
	int status;
};

/**
 * open_counters() - check that the driver and the Pentium's counters are available
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_counters(void);

/* never() - get the reason why an event cannot happen, or NULL */
const char *never(EVENT number, const struct pair *pair);

/**
 * run_command() - execute the command, and count it and all processes that it creates, from its
 * first instruction on
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

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares loops whose user-mode events are known exactly, and how a check counts them
 * in its own thread.
 *
 * A check counts a loop of many rounds and a loop of one round. The difference does not contain the
 * instructions that read the counts. The least of several counts contains no interrupts, even on
 * processors that count them.
 */
#ifndef PERFEX_SELF_TEST_METER_H
#define PERFEX_SELF_TEST_METER_H

#include "util/perfex.h"

#define METER_EVENTS 3

/**
 * struct meter - a count of the calling thread
 * @vpmc: the handle, or NULL
 * @nr: number of events
 * @by_get: true to read each count by vpmc_get(), which makes no system call if a page is mapped
 * @err: the first error of a call
 */
struct meter {
	struct vpmc *vpmc;
	size_t nr;
	bool by_get;
	struct vpmc_error err;
};

/* spin() - run rounds of SPIN_INSTRUCTIONS instructions, one of which is a branch */
void spin(uint32_t rounds);
#define SPIN_INSTRUCTIONS 2

/* enter_kernel() - run rounds of ENTER_INSTRUCTIONS instructions, one of which is a system call */
void enter_kernel(uint32_t rounds);
#define ENTER_INSTRUCTIONS 4

/* access_memory() - run rounds of 4 instructions, of which one loads and one stores */
void access_memory(uint32_t rounds);

/**
 * open_meter() - start to count the calling thread
 * @meter: receives the count
 * @sel: the events
 * @nr: number of events, up to METER_EVENTS
 * @flags: enum vpmc_start_flags bits, or 0
 *
 * Return: 0, or an enum vpmc_code, which @meter has, too.
 */
int open_meter(struct meter *meter, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags);

/* join_meter() - like open_meter(), for a thread that has inherited a count */
int join_meter(struct meter *meter, size_t nr);

/* close_meter() - stop the count; @meter may be one that could not be opened */
void close_meter(struct meter *meter);

/**
 * read_meter() - read the counts
 * @meter: the count
 * @counts: receives the count of each event, and 0 for the others
 *
 * Return: 0, or an enum vpmc_code.
 */
int read_meter(struct meter *meter, uint64_t counts[METER_EVENTS]);

/**
 * count_once() - count rounds, with the instructions that read the counts
 * @meter: the count
 * @run: function that runs rounds of a loop
 * @rounds: number of rounds
 * @counts: receives the count of each event
 *
 * Return: 0, or an enum vpmc_code.
 */
int count_once(struct meter *meter, void (*run)(uint32_t rounds),
	       uint32_t rounds, uint64_t counts[METER_EVENTS]);

/**
 * count_least() - like count_once(), and return the least of several counts
 */
int count_least(struct meter *meter, void (*run)(uint32_t rounds),
		uint32_t rounds, uint64_t counts[METER_EVENTS]);

/**
 * count_rounds() - count the events of the rounds after the first
 * @meter: the count
 * @run: function that runs rounds of a loop
 * @rounds: number of rounds, at least 2
 * @counts: receives the events of @rounds - 1 rounds
 *
 * Return: 0, or an enum vpmc_code.
 */
int count_rounds(struct meter *meter, void (*run)(uint32_t rounds),
		 uint32_t rounds, uint64_t counts[METER_EVENTS]);

#endif /* PERFEX_SELF_TEST_METER_H */

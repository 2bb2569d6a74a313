/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares a counter of perf_event, and how to run a program that it counts. */
#ifndef COUNTER_H
#define COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Return the attributes of an event of user mode, in the form of the processor's select
 * register.
 */
struct perf_event_attr counter_raw(uint64_t config);

/* Return the attributes of instructions in user mode, by the name that perf_event has for them. */
struct perf_event_attr counter_instructions(void);

/* Open an event for a process; 0 means the calling process. Exit if it cannot be opened. */
int counter_open(struct perf_event_attr *attr, pid_t pid);

uint64_t counter_read(int fd);

/*
 * Execute a program. Return its count when the program has exited. Its memory has the same
 * addresses each time.
 */
uint64_t counter_of_program(struct perf_event_attr attr, char **argv);

#endif /* COUNTER_H */

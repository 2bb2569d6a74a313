/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares a counter of perf_event, and how to run a program that it counts. */
#ifndef COUNTER_H
#define COUNTER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* An event as the processor's select register takes it, in user mode */
struct perf_event_attr counter_raw(uint64_t config);

/* Instructions in user mode, by perf_event's own name for them */
struct perf_event_attr counter_instructions(void);

/* Open the event for a process; 0 means the calling process. Exit if this fails. */
int counter_open(struct perf_event_attr *attr, pid_t pid);

uint64_t counter_read(int fd);

/*
 * Execute a program and return its count when it has exited. The addresses of its
 * memory are the same each time.
 */
uint64_t counter_of_program(struct perf_event_attr attr, char **argv);

#endif /* COUNTER_H */

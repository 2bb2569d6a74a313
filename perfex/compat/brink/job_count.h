/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares how brink counts a command. */
#ifndef BRINK_JOB_COUNT_H
#define BRINK_JOB_COUNT_H

#include <sys/resource.h>
#include <time.h>

#include "experiment.h"

/**
 * struct reading - the counts at one moment
 * @tsc: run time of the command's threads, in clocks
 * @count: counts of the events, in their order
 */
struct reading {
	uint64_t tsc;
	uint64_t count[COUNTERS];
};

/* A sample has these registers, with their 64-bit names, in this order. */
#define SAMPLE_REGISTERS 18

/**
 * struct ebs_sample - a sample of an event
 * @event: index of the event
 * @tsc: time stamp counter
 * @pid: the process
 * @tid: the thread
 * @address: address of the instruction
 * @has_registers: whether @registers are valid
 * @registers: rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8 to r15, rip and rflags
 */
struct ebs_sample {
	unsigned int event;
	uint64_t tsc;
	uint32_t pid;
	uint32_t tid;
	uint64_t address;
	bool has_registers;
	uint64_t registers[SAMPLE_REGISTERS];
};

/**
 * struct job_result - the counts and samples of a command
 * @reading: the counts at the start, after each interval, and at the end
 * @nr_readings: number of readings
 * @sample: the samples
 * @nr_samples: number of samples
 * @lost: number of samples that did not fit into the buffer
 * @over_max: whether there were more samples than an event allows
 * @began: time of day when the command began
 * @seconds: duration of the command
 * @usage: resources that the command used
 * @status: status of the command from waitpid(2)
 */
struct job_result {
	struct reading *reading;
	size_t nr_readings;
	struct ebs_sample *sample;
	size_t nr_samples;
	uint64_t lost;
	bool over_max;
	time_t began;
	double seconds;
	struct rusage usage;
	int status;
};

/**
 * check_counting() - exit unless the counters of this machine can count an experiment
 */
void check_counting(const struct experiment *experiment);

/**
 * count_command() - run a command and count it, or exit
 * @experiment: the events, with counters assigned
 * @command: the command line, with blanks between words
 * @interval_ms: time from one reading to the next
 * @result: receives the result
 */
void count_command(const struct experiment *experiment, const char *command,
		   unsigned int interval_ms, struct job_result *result);

#endif /* BRINK_JOB_COUNT_H */

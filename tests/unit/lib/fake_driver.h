/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file fakes the driver and CPUID, with answers that a test chooses.
 *
 * Unit tests run on machines that are not Pentiums. The linker's --wrap option redirects open(2),
 * fopen(3), ioctl(2) and vpmcint_cpuid() to these fakes. So a test can provoke each errno and
 * check the library's requests.
 */
#ifndef TESTS_UNIT_FAKE_DRIVER_H
#define TESTS_UNIT_FAKE_DRIVER_H

#include <linux/vpmc.h>
#include <stdbool.h>

#include "vpmc.h"

/**
 * struct fake_cpuid - one answer of CPUID
 * @leaf: EAX before the instruction
 * @subleaf: ECX before the instruction
 * @regs: EAX, EBX, ECX and EDX after the instruction
 */
struct fake_cpuid {
	uint32_t leaf;
	uint32_t subleaf;
	uint32_t regs[4];
};

/**
 * struct fake_driver - the answers of the driver, and the calls of the driver
 * @open_errno: the error of open(), or 0
 * @open_flags: out, the flags with which the device was opened
 * @opens: out, number of calls of open() for the device
 * @watchdog: contents of the kernel's file for the NMI watchdog; NULL if there is no
 *	file
 * @holders: contents of the driver's file "holders"; NULL if there is no file
 * @lease: contents of the file of the driver's parameter "lease"; NULL if there is no file
 * @misc: contents of the kernel's list of drivers; NULL if there is no file
 * @nodev: whether the device is on a mount that forbids devices
 * @info_errno: error of VPMC_INFO, or 0; each of the following fields is the error of one call
 * @start_errno: error of VPMC_START
 * @stop_errno: error of VPMC_STOP
 * @read_errno: error of VPMC_READ
 * @all_errno: error of VPMC_READ of VPMC_SCOPE_ALL
 * @query_errno: error of VPMC_QUERY; 0 for the error of VPMC_READ
 * @record_errno: error of VPMC_RECORD while there are records
 * @attach_errno: error of VPMC_ATTACH
 * @signal_errno: error of VPMC_SIGNAL
 * @map_errno: error of VPMC_MAP
 * @system_start_errno: error of VPMC_SYSTEM_START
 * @system_stop_errno: error of VPMC_SYSTEM_STOP
 * @system_read_errno: error of VPMC_SYSTEM_READ
 * @info: answer of VPMC_INFO
 * @start: answer of VPMC_START
 * @attach: answer of VPMC_ATTACH
 * @asked: answer of VPMC_SIGNAL
 * @map: answer of VPMC_MAP
 * @stop: answer of VPMC_STOP
 * @read: answer of VPMC_READ of VPMC_SCOPE_THREAD and VPMC_SCOPE_SELF
 * @self_step: growth of the first count of VPMC_SCOPE_SELF with each read
 * @time_step: growth of the first time of VPMC_SCOPE_SELF with each read
 * @per_code: if not 0, each count of VPMC_SCOPE_SELF is the code of its event, multiplied by
 *	@per_code; if 0, @read has the counts
 * @self_start: start of VPMC_SCOPE_SELF; 0 for the start of @read
 * @children: answer of VPMC_READ of VPMC_SCOPE_CHILDREN
 * @child_waits: how many of the next reads of VPMC_SCOPE_CHILDREN find its first count
 *	increased by 1
 * @all: answer of VPMC_READ of VPMC_SCOPE_ALL
 * @query: answer of VPMC_QUERY. If it has no events, the answer has the events of the last start.
 *	Generation and start are the same as for VPMC_READ.
 * @others: answer of VPMC_QUERY for scopes except for VPMC_SCOPE_THREAD, if @others has events
 * @system: answer of VPMC_SYSTEM_READ. The first read gets these counts. Each further read gets
 *	the previous counts increased by these numbers.
 * @record: answers of VPMC_RECORD; generation and start are the same as in @all
 * @nr_records: number of records
 * @records_taken: number of records that were requested so far
 * @started: out, argument of VPMC_START
 * @stops: out, number of calls of VPMC_STOP
 * @attached: out, argument of VPMC_ATTACH
 * @asking: out, argument of the last VPMC_SIGNAL
 * @asks: out, number of calls of VPMC_SIGNAL
 * @maps: out, number of calls of VPMC_MAP
 * @reading: out, argument of the last VPMC_READ
 * @scopes: out, bit n is set if scope n was read
 * @queries: out, number of calls of VPMC_QUERY
 * @system_started: out, argument of VPMC_SYSTEM_START
 * @system_stops: out, number of calls of VPMC_SYSTEM_STOP
 * @release_errno: error of VPMC_RELEASE, 0 if it succeeds
 * @releases: out, number of calls of VPMC_RELEASE
 * @cgroup_errno: error of VPMC_CGROUP, 0 if it succeeds
 * @cgroups: out, number of calls of VPMC_CGROUP
 * @samples_errno: error of VPMC_SAMPLES, 0 if it succeeds
 * @ring_map_errno: error of mmap(2) of a ring, 0 if it succeeds
 * @nr_rings: number of rings, at most FAKE_RINGS
 * @sampling: out, argument of VPMC_SAMPLES
 * @fill_rings: function that writes records after VPMC_SAMPLES, or NULL
 * @rings_fd: file of the rings' pages, from VPMC_SAMPLES; 0 if there are no rings
 * @system_reads: out, number of calls of VPMC_SYSTEM_READ
 * @system_cpu: out, processor of the last VPMC_SYSTEM_READ
 * @signal: signal that the calling process sends to itself
 * @signal_read: number of the call of VPMC_SYSTEM_READ after which the signal is sent; 0 for
 *	never
 * @signal_start: whether the signal is sent after a VPMC_START
 * @cpuid: answers of CPUID
 * @nr_cpuid: number of answers
 */
struct fake_driver {
	int open_errno;
	int open_flags;
	unsigned int opens;
	const char *watchdog;
	const char *holders;
	const char *lease;
	const char *misc;
	int nodev;
	int info_errno;
	int start_errno;
	int stop_errno;
	int read_errno;
	int all_errno;
	int query_errno;
	int record_errno;
	int attach_errno;
	int signal_errno;
	int map_errno;
	int system_start_errno;
	int system_stop_errno;
	int system_read_errno;
	struct vpmc_info info;
	struct vpmc_start start;
	struct vpmc_attach attach;
	struct vpmc_signal asked;
	struct vpmc_map map;
	struct vpmc_stop stop;
	struct vpmc_read read;
	uint64_t self_step;
	uint64_t time_step;
	uint64_t per_code;
	uint64_t self_start;
	struct vpmc_read children;
	unsigned int child_waits;
	struct vpmc_read all;
	struct vpmc_query query;
	struct vpmc_query others;
	struct vpmc_system_read system;
	struct vpmc_record record[100];
	unsigned int nr_records;
	unsigned int records_taken;
	struct vpmc_start started;
	unsigned int stops;
	struct vpmc_attach attached;
	struct vpmc_signal asking;
	unsigned int asks;
	unsigned int maps;
	struct vpmc_read reading;
	unsigned int scopes;
	unsigned int queries;
	struct vpmc_start system_started;
	unsigned int system_stops;
	int release_errno;
	unsigned int releases;
	int cgroup_errno;
	unsigned int cgroups;
	int samples_errno;
	int ring_map_errno;
	uint32_t nr_rings;
	struct vpmc_samples sampling;
	void (*fill_rings)(void);
	int rings_fd;
	unsigned int system_reads;
	int system_cpu;
	int signal;
	unsigned int signal_read;
	unsigned int signal_start;
	struct fake_cpuid cpuid[9];
	unsigned int nr_cpuid;
};

/* This memory is shared with processes that a test forks. */
extern struct fake_driver *fake;

/**
 * fake_setup() - before each test, fake a p5mmx on which every call succeeds
 * @state: ignored
 *
 * By default, starts, reads and attachments have generation 7 and start 21. Two events
 * have the counts 1000 and 2^64 - 1, no waited-for child has counted, and there are no
 * records. System mode also has generation 7, and begins with a count of 100.
 *
 * Return: 0.
 */
int fake_setup(void **state);

/* fake_turns() - set the turns of an event to @nr equal turns with the sums @count and @time */
void fake_turns(struct vpmc_turns *turns, uint64_t count, uint64_t time,
		uint64_t nr);

/*
 * fake_equal_turns() - set equal turns of each event of a scope, with its count and time as sums
 */
void fake_equal_turns(struct vpmc_read *read, uint64_t nr);

/*
 * fake_shared_counter() - let two events share a counter: the first counts 300 in three quarters of
 * the time, and the second 200 in one quarter
 */
void fake_shared_counter(void);

#define FAKE_RINGS 4

/**
 * fake_ring() - get a ring as the kernel sees it
 * @i: the ring
 *
 * The rings have the size of the last VPMC_SAMPLES.
 */
struct vpmc_ring *fake_ring(unsigned int i);

/*
 * fake_write() - write bytes into a ring as the kernel does, even if they do not fit, and change
 * its head
 */
void fake_write(unsigned int i, const void *bytes, size_t size);

/* fake_sample() - write a sample of event 0 of process 100 + @pid into a ring */
void fake_sample(unsigned int i, uint64_t tsc, uint32_t pid, uint64_t where);

/* fake_change() - write @change with @type into a ring, with @text unless it is NULL */
void fake_change(unsigned int i, enum vpmc_change_type type,
		 const struct vpmc_change *change, const char *text);

/* fake_wait_for_records() - wait until all records are taken, and return false after 10 seconds */
bool fake_wait_for_records(void);

/* This function is called before each fopen(3), unless it is NULL. */
extern void (*fake_before_fopen)(const char *path);

/* fake_open() - like vpmc_open(), but fail the test on an error */
struct vpmc *fake_open(void);

#endif /* TESTS_UNIT_FAKE_DRIVER_H */

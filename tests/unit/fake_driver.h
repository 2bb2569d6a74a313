/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In place of the driver and of CPUID: answers that a test prescribes.
 *
 * Unit tests run where there is no Pentium. The linker's --wrap option leads
 * open(2), ioctl(2) and vpmcint_cpuid() here, so that each errno can be
 * provoked and what the library sent can be looked at.
 */
#ifndef TESTS_UNIT_FAKE_DRIVER_H
#define TESTS_UNIT_FAKE_DRIVER_H

#include <linux/vpmc.h>

#include "vpmc.h"

/**
 * struct fake_cpuid - one answer of CPUID
 * @leaf: EAX before
 * @regs: EAX, EBX, ECX and EDX after
 */
struct fake_cpuid {
	uint32_t leaf;
	uint32_t regs[4];
};

/**
 * struct fake_driver - what happens in a call, and what did
 * @open_errno: what open() fails with, or 0
 * @open_flags: out, with what flags the device was opened
 * @info_errno: what VPMC_INFO fails with, or 0; likewise the other three
 * @start_errno: of VPMC_START
 * @stop_errno: of VPMC_STOP
 * @read_errno: of VPMC_READ
 * @info: answer of VPMC_INFO; likewise the other three
 * @start: answer of VPMC_START
 * @stop: answer of VPMC_STOP
 * @read: answer of VPMC_READ
 * @started: out, what VPMC_START was given
 * @reading: out, what VPMC_READ was given
 * @cpuid: answers of CPUID
 * @nr_cpuid: how many
 */
struct fake_driver {
	int open_errno;
	int open_flags;
	int info_errno;
	int start_errno;
	int stop_errno;
	int read_errno;
	struct vpmc_info info;
	struct vpmc_start start;
	struct vpmc_stop stop;
	struct vpmc_read read;
	struct vpmc_start started;
	struct vpmc_read reading;
	struct fake_cpuid cpuid[8];
	unsigned int nr_cpuid;
};

/* Shared with the processes that a test forks. */
extern struct fake_driver *fake;

/**
 * fake_setup() - a p5mmx on which every call succeeds, for each test
 * @state: ignored
 *
 * Starts have generation 7, and so have reads; two events have the counts
 * 1000 and 2^64 - 1.
 *
 * Return: 0.
 */
int fake_setup(void **state);

/* fake_open() - vpmc_open() that a test can rely on. */
struct vpmc *fake_open(void);

#endif /* TESTS_UNIT_FAKE_DRIVER_H */

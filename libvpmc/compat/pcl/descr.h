/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the data of a PCL handle. */
#ifndef PCL_DESCR_H
#define PCL_DESCR_H

#include <stdbool.h>
#include <sys/types.h>

#include "plan.h"

/**
 * struct pclint_level - a PCLstart() that has not been stopped
 * @begin: the counts at the start
 * @value: for each of its events, the index of the result in the plan
 */
struct pclint_level {
	struct pclint_counts begin;
	int value[PCL_MAX_EVENT_PER_CALL];
};

/* The low-level interface is in one of these states. */
enum pclint_driver {
	PCLINT_CLOSED = 0,
	PCLINT_OPEN,
	PCLINT_STARTED,
	PCLINT_STOPPED, /* counts can still be read */
};

/**
 * struct pcl_descr - a handle
 * @vpmc: the connection to the driver
 * @tid: the thread that owns the handle
 * @processor: the processor
 * @plan: plan of the current starts
 * @mode: mode of the current starts
 * @depth: number of current starts
 * @level: the current starts
 * @driver: the state of the low-level interface
 * @index: for each counter of the low-level interface, the index of its count plus 1; 0 for
 *	counters that do not count
 */
struct pcl_descr {
	struct vpmc *vpmc;
	pid_t tid;
	struct pclint_processor processor;
	struct pclint_plan plan;
	unsigned int mode;
	int depth;
	struct pclint_level level[PCL_MAX_NESTING_LEVEL];
	enum pclint_driver driver;
	unsigned int index[PCL_COUNTER_MAX];
};

/*
 * pclint_is_own() - return whether a handle belongs to the calling thread. It does not
 * belong to a thread of a forked process, because the counts of this process begin at
 * zero.
 */
bool pclint_is_own(PCL_DESCR_TYPE descr);

/**
 * pclint_modes() - convert one of PCL's modes for libvpmc
 * @mode: PCL_MODE_*
 * @modes: receives enum vpmc_modes bits
 *
 * Return: PCL_SUCCESS, PCL_MODE_NOT_SUPPORTED (also if the thread has no right to use the
 * mode).
 */
int pclint_modes(unsigned int mode, unsigned int *modes);

/**
 * pclint_start() - start the calling thread's counters
 * @descr: the thread's handle
 * @sel: the events; without events the function does not start anything
 * @nr: number of events
 *
 * Return: as PCLstart().
 */
int pclint_start(PCL_DESCR_TYPE descr, const struct vpmc_event_sel *sel,
		 size_t nr);

/* pclint_mhz() - read the processor's clock rate in MHz, or 0 */
int pclint_mhz(void);

#endif /* PCL_DESCR_H */

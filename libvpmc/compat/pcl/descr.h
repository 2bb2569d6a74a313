/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the data of a PCL handle. */
#ifndef PCL_DESCR_H
#define PCL_DESCR_H

#include <stdbool.h>
#include <sys/types.h>

#include "plan.h"

/**
 * struct pclint_level - a PCLstart() under way
 * @begin: the counts at that moment
 * @value: for each event of it, the index of the result in the plan
 */
struct pclint_level {
	struct pclint_counts begin;
	int value[PCL_MAX_EVENT_PER_CALL];
};

/* What the low-level interface does. */
enum pclint_driver {
	PCLINT_CLOSED = 0,
	PCLINT_OPEN,
	PCLINT_STARTED,
	PCLINT_STOPPED, /* counts can be read */
};

/**
 * struct pcl_descr - a handle
 * @vpmc: the connection to the driver
 * @tid: the thread whose it is
 * @processor: where it counts
 * @plan: of the starts under way
 * @mode: likewise
 * @depth: how many starts are under way
 * @level: these
 * @driver: the state of the low-level interface
 * @index: of its counters, where each has its count, plus 1; 0 for those that do not count
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
 * pclint_is_own() - whether it is a handle of the calling thread. It is not in a process that
 * was forked, whose counts begin at zero again.
 */
bool pclint_is_own(PCL_DESCR_TYPE descr);

/**
 * pclint_modes() - libvpmc's word for one of PCL's modes
 * @mode: PCL_MODE_*
 * @modes: receives enum vpmc_modes bits
 *
 * Return: PCL_SUCCESS, PCL_MODE_NOT_SUPPORTED (also where the thread has no right to it).
 */
int pclint_modes(unsigned int mode, unsigned int *modes);

/**
 * pclint_start() - start the calling thread's counters
 * @descr: its handle
 * @sel: the events; starts nothing if there are none
 * @nr: how many
 *
 * Return: as PCLstart().
 */
int pclint_start(PCL_DESCR_TYPE descr, const struct vpmc_event_sel *sel,
		 size_t nr);

/* pclint_mhz() - the processor's rate in MHz, or 0 */
int pclint_mhz(void);

#endif /* PCL_DESCR_H */

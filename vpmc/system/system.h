/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares system mode, in which every processor counts the same events,
 * whatever it runs, and threads do not count for themselves.
 *
 * A change of vpmc_epoch takes the counters from all threads. Each process copies the
 * epoch when a thread starts, and its threads count only while this copy equals the
 * epoch. A thread with an old epoch becomes revoked when the driver next looks at it.
 *
 * Tasks that may execute RDPMC cannot see these counts: the counters are cleared for
 * them, which system mode compensates for (cpu.h), and RDPMC is refused while kernel
 * mode is counted (rdpmc.h).
 */
#ifndef VPMC_SYSTEM_H
#define VPMC_SYSTEM_H

#include "cpu/events.h"

struct vpmc_handle;

/**
 * vpmc_system_start() - let all processors count from zero
 * @owner: the open file that has system mode from now on
 * @events: what to count; takes over the caller's reference if it succeeds
 * @force: also if a thread that counts is on a processor
 * @generation: receives the generation of the counts
 *
 * Context: may sleep.
 * Return: 0, or -EBUSY with nothing changed.
 */
int vpmc_system_start(const struct vpmc_handle *owner, struct vpmc_events *events,
		      bool force, u64 *generation);

/* Give the counters back. Returns 0 or -ENODATA. May sleep. */
int vpmc_system_stop(const struct vpmc_handle *owner, u64 *generation);

/* Has somebody system mode? Any context. */
bool vpmc_system_is_active(void);

/*
 * End system mode, whoever has it, and take the counters from all threads. None counts on
 * any processor when this returns. Processes that nobody has looked at since then do not
 * know it yet: see vpmc_process_enforce_epoch(). Until vpmc_system_unhold() nobody can
 * start, neither threads nor system mode, so nothing in between may wait for a user. Both
 * may sleep.
 */
void vpmc_system_hold(void);
void vpmc_system_unhold(void);

/* VPMC_SYSTEM_READ. Returns 0, -ENODATA or -EINVAL. May sleep. */
int vpmc_system_read(const struct vpmc_handle *owner, struct vpmc_system_read *read);

/* @owner is being closed. May sleep. */
void vpmc_system_release(const struct vpmc_handle *owner);

/*
 * Between these two, this processor, the only one on line, does not count.
 * Interrupts off.
 */
void vpmc_system_pause(void);
void vpmc_system_continue(void);

/* For the processors that go off and come on line. May sleep. */
int vpmc_system_init(void);
void vpmc_system_exit(void);

#endif /* VPMC_SYSTEM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares system mode. Every processor then counts the same events, whatever it runs,
 * and threads do not count for themselves.
 *
 * A change of vpmc_epoch takes the counters from all threads. Each process copies the epoch when a
 * thread starts, and its threads count only while this copy equals the epoch. A thread with an old
 * epoch becomes revoked when the driver next checks it.
 *
 * Tasks that may execute RDPMC cannot see the counts of system mode. The counters are cleared for
 * such tasks, and system mode adds the cleared values to its counts (cpu.h). RDPMC is refused while
 * kernel mode is counted (rdpmc.h).
 */
#ifndef VPMC_SYSTEM_H
#define VPMC_SYSTEM_H

#include "cpu/events.h"

struct vpmc_handle;

/**
 * vpmc_system_start() - let all processors count from zero
 * @owner: the open file that is to have system mode
 * @events: the events to count. If the call succeeds, it takes over the caller's
 *	reference.
 * @force: start even if a thread that counts is on a processor
 * @generation: receives the generation of the counts
 *
 * Context: may sleep. Return: 0, or -EBUSY, -EADDRINUSE or -EIO, after which nothing
 * has changed.
 */
int vpmc_system_start(const struct vpmc_handle *owner, struct vpmc_events *events,
		      bool force, u64 *generation);

/* Stop system mode and give the counters back. Returns 0 or -ENODATA. May sleep. */
int vpmc_system_stop(const struct vpmc_handle *owner, u64 *generation);

/* Return whether system mode is active. Any context. */
bool vpmc_system_is_active(void);

/*
 * End system mode of any handle, and take the counters from all threads. When this
 * returns, no processor counts for a thread. The state of a process changes when the
 * driver next checks the process, see vpmc_process_enforce_epoch(). Until
 * vpmc_system_unhold(), threads and system mode cannot start, so the code in between must
 * not wait for a user. Both calls may sleep.
 */
void vpmc_system_hold(void);
void vpmc_system_unhold(void);

/* Carry out VPMC_SYSTEM_READ. Returns 0, -ENODATA or -EINVAL. May sleep. */
int vpmc_system_read(const struct vpmc_handle *owner, struct vpmc_system_read *read);

/* Stop system mode if @owner, which is being closed, has it. May sleep. */
void vpmc_system_release(const struct vpmc_handle *owner);

/*
 * Suspend and resume counting on this processor, which is the only online processor. Interrupts
 * off.
 */
void vpmc_system_pause(void);
void vpmc_system_continue(void);

/*
 * Register and unregister the callbacks for processors that go offline or come online.
 * May sleep.
 */
int vpmc_system_init(void);
void vpmc_system_exit(void);

#endif /* VPMC_SYSTEM_H */

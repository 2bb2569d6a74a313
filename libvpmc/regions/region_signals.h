/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares how signals are blocked while a thread's regions change or are read,
 * because signal handlers may have regions, too.
 */
#ifndef LIBVPMC_REGION_SIGNALS_H
#define LIBVPMC_REGION_SIGNALS_H

#include <signal.h>

/**
 * vpmcint_region_hold_signals() - block the signals of the calling thread
 * @before: receives the signals that were blocked
 *
 * The function does not block signals that the following code may cause itself, because
 * such signals cannot wait. Like vpmcint_region_release_signals(), it does not change
 * errno.
 */
void vpmcint_region_hold_signals(sigset_t *before);

/* vpmcint_region_release_signals() - restore the blocked signals. Calls may be nested. */
void vpmcint_region_release_signals(const sigset_t *before);

#endif /* LIBVPMC_REGION_SIGNALS_H */

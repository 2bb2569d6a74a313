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
 * @before: receives those that were blocked
 *
 * But not those that the code which follows may cause itself: they cannot wait. Leaves
 * errno alone, as the other one does.
 */
void vpmcint_region_hold_signals(sigset_t *before);

/* vpmcint_region_release_signals() - the contrary. May be nested. */
void vpmcint_region_release_signals(const sigset_t *before);

#endif /* LIBVPMC_REGION_SIGNALS_H */

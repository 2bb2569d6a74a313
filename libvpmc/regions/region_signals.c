// SPDX-License-Identifier: LGPL-2.1-or-later
/* Block signals while a thread's regions change or are read. */
#include "regions/region_signals.h"

#include <stddef.h>

void vpmcint_region_hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

void vpmcint_region_release_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

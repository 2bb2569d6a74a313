/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the check for names that stand for different events in vpmc and in
 * libpfm4.
 */
#ifndef PERFEX_HOMONYM_H
#define PERFEX_HOMONYM_H

#include <vpmc.h>

/**
 * warn_of_homonym() - warn on stderr if a name stands for a different event in libpfm4
 * @place: position of the event in a file, or ""
 * @pmu: the processor's counters
 * @text: the event as the user wrote it, which has been accepted
 *
 * The function does not print anything if vpmc and libpfm4 agree.
 */
void warn_of_homonym(const char *place, const struct vpmc_pmu *pmu,
		     const char *text);

#endif /* PERFEX_HOMONYM_H */

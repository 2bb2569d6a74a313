/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the check for names that stand for one event in vpmc and for another
 * one in libpfm4.
 */
#ifndef PERFEX_HOMONYM_H
#define PERFEX_HOMONYM_H

#include <vpmc.h>

/**
 * warn_of_homonym() - say on stderr that a name stands for another event, too
 * @place: where the event stands, or ""
 * @pmu: the processor's counters
 * @text: the event, as the user gave it; it was accepted
 *
 * It says nothing if vpmc and libpfm4 do not differ.
 */
void warn_of_homonym(const char *place, const struct vpmc_pmu *pmu,
		     const char *text);

#endif /* PERFEX_HOMONYM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that stand for one event here and for another one in libpfm4.
 */
#ifndef PERFEX_HOMONYM_H
#define PERFEX_HOMONYM_H

#include <vpmc.h>

/**
 * warn_of_homonym() - say on stderr that libpfm4 has another event of a name
 * @place: where the event stands, or ""
 * @pmu: the processor's counters
 * @text: the event, as the user gave it; it was accepted
 *
 * Nothing is said if libpfm4 has none, or the same one.
 */
void warn_of_homonym(const char *place, const struct vpmc_pmu *pmu,
		     const char *text);

#endif /* PERFEX_HOMONYM_H */

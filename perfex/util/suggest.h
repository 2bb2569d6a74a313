/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the suggestions of "Did you mean ...?" */
#ifndef PERFEX_SUGGEST_H
#define PERFEX_SUGGEST_H

#include <vpmc.h>

/**
 * suggest_event() - find the name that a misspelt one is similar to
 * @pmu: the family of events
 * @text: the event of the command line
 *
 * A name with another word, or with another digit, is another event: the function does not
 * return it.
 *
 * Return: one of the generic names or of the table's, or NULL if none is similar.
 */
const char *suggest_event(const struct vpmc_pmu *pmu, const char *text);

#endif /* PERFEX_SUGGEST_H */

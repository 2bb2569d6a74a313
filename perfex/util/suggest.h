/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the suggestions of "Did you mean ...?" */
#ifndef PERFEX_SUGGEST_H
#define PERFEX_SUGGEST_H

#include <vpmc.h>

/**
 * suggest_event() - find a name that is similar to a misspelt name
 * @pmu: the family of events
 * @text: the event of the command line
 *
 * The function does not return a name with a different word or digit, because that is a different
 * event.
 *
 * Return: a generic name or a name of the table, or NULL if no name is similar.
 */
const char *suggest_event(const struct vpmc_pmu *pmu, const char *text);

#endif /* PERFEX_SUGGEST_H */

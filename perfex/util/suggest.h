/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the suggestions of "Did you mean ...?" */
#ifndef PERFEX_SUGGEST_H
#define PERFEX_SUGGEST_H

#include <vpmc.h>

/**
 * suggest_event() - find the name that a misspelt one was meant to be
 * @pmu: whose events
 * @text: the event of the command line
 *
 * A name with another word, or with another digit, is another event: it is not returned.
 *
 * Return: a name of the generic ones or of the table, or NULL if none is near.
 */
const char *suggest_event(const struct vpmc_pmu *pmu, const char *text);

#endif /* PERFEX_SUGGEST_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "Did you mean ...?"
 */
#ifndef PERFEX_SUGGEST_H
#define PERFEX_SUGGEST_H

#include <vpmc.h>

/**
 * suggest_event() - the name that looks most like one that there is not
 * @pmu: whose events
 * @text: the event of the command line
 *
 * Return: a name of the generic ones or of the table, or NULL if none is near.
 */
const char *suggest_event(const struct vpmc_pmu *pmu, const char *text);

#endif /* PERFEX_SUGGEST_H */

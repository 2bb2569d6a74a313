/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares functions for perf(1)'s event names that vpmc does not have. */
#ifndef PERFEX_PERF_NAMES_H
#define PERFEX_PERF_NAMES_H

#include <stdbool.h>

#include <vpmc.h>

/**
 * translate_perf_name() - replace a name of perf by vpmc's name for the event
 * @text: the event as the user wrote it, with counter and modes
 * @translated: receives the event with vpmc's name or code
 *
 * Return: true if vpmc has the same event.
 */
bool translate_perf_name(const char *text,
			 char translated[VPMC_EVENT_NAME_MAX]);

/**
 * perf_name_refusal() - get the reason why vpmc cannot count an event of perf
 * @text: the event, as for translate_perf_name()
 *
 * Return: the reason, or NULL if perf does not have the event either.
 */
const char *perf_name_refusal(const char *text);

#endif /* PERFEX_PERF_NAMES_H */

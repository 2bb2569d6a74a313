/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Executing the command until all events are counted as often as they are to be.
 */
#ifndef P5MON_MEASURE_H
#define P5MON_MEASURE_H

#include "results.h"

/**
 * measure() - execute the command, once for each repetition of two events
 * @results: from open_results(), filled in
 * @words: the command
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int measure(struct results *results, const struct words *words);

#endif /* P5MON_MEASURE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the loop that executes the command until each event has been counted as
 * often as requested.
 */
#ifndef P5MON_MEASURE_H
#define P5MON_MEASURE_H

#include "results.h"

/**
 * measure() - execute the command once for each pair of events and each repetition
 * @results: from open_results(); receives the counts
 * @words: the command
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int measure(struct results *results, const struct words *words);

#endif /* P5MON_MEASURE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long a turn is where events share a counter: from one clock tick to the next.
 */
#ifndef PERFEX_TURNS_H
#define PERFEX_TURNS_H

#include <stdint.h>

/* A count is not projected from fewer. */
#define FEW_TURNS 10

/* measure_turns() - begin to measure how fast the time stamp counter runs */
void measure_turns(void);

/**
 * turn_clocks() - how long a turn is
 *
 * Return: in clocks of the time stamp counter; 0 if that is not known.
 */
uint64_t turn_clocks(void);

#endif /* PERFEX_TURNS_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This file generates pseudo-random numbers from a seed. */
#ifndef SEED_H
#define SEED_H

#include <stdint.h>

static uint32_t seed;

/* Return a number from 0 to @n - 1. */
static inline uint32_t below(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

#endif /* SEED_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has a loop whose instructions and branches are known: each further round is
 * two instructions, one of them a branch. The counts of the calls around it cancel out
 * between two lengths.
 */
#ifndef TESTS_PCL_EXACT_H
#define TESTS_PCL_EXACT_H

/* exact_loop() - a loop of n rounds, n at least 1 */
void exact_loop(unsigned int n);

#define EXACT_INSTRUCTIONS(n) (2LL * (n))
#define EXACT_BRANCHES(n)     (n)

#endif /* TESTS_PCL_EXACT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has a loop whose instructions and branches are known: each further round adds two
 * instructions, one of them a branch. The counts of the calls around the loop cancel out in a
 * difference of two lengths.
 */
#ifndef TESTS_PCL_EXACT_H
#define TESTS_PCL_EXACT_H

/* exact_loop() - execute a loop of n rounds; n is at least 1 */
void exact_loop(unsigned int n);

#define EXACT_INSTRUCTIONS(n) (2LL * (n))
#define EXACT_BRANCHES(n)     (n)

#endif /* TESTS_PCL_EXACT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file has loops with a known number of instructions.
 */
#ifndef IRIX_LOOP_H
#define IRIX_LOOP_H

/* Execute two instructions ROUNDS times. One of them is a branch. */
static inline void loop(unsigned int rounds)
{
	__asm__ volatile("1: decl %0\n\tjnz 1b" : "+r"(rounds) : : "cc");
}

#define LOOP_INSTRUCTIONS 2
#define LOOP_BRANCHES	  1

#endif /* IRIX_LOOP_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares a program whose user-mode instructions are known exactly, from the first
 * one that it executes to its end. perfex writes it into memory, with 32 or with 64 bits, and
 * executes it there.
 *
 * The program runs rounds of a loop. Then it forks children, one after the other. Each child runs
 * rounds of a loop and exits, and the program waits for it.
 */
#ifndef PERFEX_SELF_TEST_PROGRAM_H
#define PERFEX_SELF_TEST_PROGRAM_H

#include "util/perfex.h"

/**
 * struct program - the program
 * @bits: 32 or 64
 * @rounds: rounds of its loop, at least 1
 * @children: number of children
 * @child_rounds: rounds of the loop of each child, at least 1
 */
struct program {
	unsigned int bits;
	uint32_t rounds;
	uint32_t children;
	uint32_t child_rounds;
};

/* program_instructions() - compute the instructions of the program without its children */
uint64_t program_instructions(const struct program *program);

/* children_instructions() - compute the instructions of all children */
uint64_t children_instructions(const struct program *program);

/**
 * struct running - a program that is executed and counted
 * @vpmc: the handle, or NULL
 * @pid: the process
 * @err: the first error of a call of the library
 */
struct running {
	struct vpmc *vpmc;
	pid_t pid;
	struct vpmc_error err;
};

/* These are the results of finish_program(). */
enum program_end {
	PROGRAM_DONE,	 /* it has run to its end */
	PROGRAM_FOREIGN, /* the kernel does not execute programs of its width */
	PROGRAM_FAILED, /* it could not be counted or executed, or did not end by itself */
};

/**
 * start_program() - begin to execute a program, which is counted from its first instruction
 * @running: receives the process
 * @program: the program
 * @sel: the event
 */
void start_program(struct running *running, const struct program *program,
		   const struct vpmc_event_sel *sel);

/**
 * finish_program() - wait for a program, and read its counts
 * @running: from start_program()
 * @self: receives the count of the program, if it has run to its end
 * @children: receives the count of its children, which it has waited for
 *
 * Return: how it has ended.
 */
enum program_end finish_program(struct running *running, uint64_t *self,
				uint64_t *children);

#endif /* PERFEX_SELF_TEST_PROGRAM_H */

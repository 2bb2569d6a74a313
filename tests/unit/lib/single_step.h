/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file executes a function instruction by instruction, to count its instructions or to send
 * a signal at one instruction.
 */
#ifndef TESTS_UNIT_SINGLE_STEP_H
#define TESTS_UNIT_SINGLE_STEP_H

#include <stdbool.h>

/**
 * single_step() - count the instructions of a function
 * @function: the function
 * @at: the instruction at which a signal comes, counted from 1; UINT_MAX for none
 * @handler: the function that the handler of the signal calls; counting ends before the call
 *
 * A system call counts as one instruction, and so does a signal handler. Instructions that
 * @function executes with blocked signals are not counted, and do not get the signal.
 *
 * Return: @at if there was a signal, and otherwise the number of instructions of the function
 * and of a few around it.
 */
unsigned int single_step(void (*function)(void), unsigned int at,
			 void (*handler)(void));

/**
 * single_step_on() - single-step the following code of the thread
 * @at: as in single_step()
 * @handler: as in single_step()
 *
 * single_step_off() ends the single-stepping. Between the calls, only pthread_sigmask(3) may
 * block signals.
 */
void single_step_on(unsigned int at, void (*handler)(void));
void single_step_off(void);

/* single_step_more() - execute one more instruction; for signal handlers of the function */
void single_step_more(void);

/*
 * single_step_fork() - a handler that forks and waits for the child; the child returns from the
 * handler into its copy of the interrupted code
 */
void single_step_fork(void);

/* This is true if a child of single_step_fork() has ended with an exit status other than 0. */
extern bool single_step_child_failed;

/* While this is set, no instructions are counted, and no signal comes. */
extern volatile int single_step_held;

#endif /* TESTS_UNIT_SINGLE_STEP_H */

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header declares libperfex, the procedural interface of IRIX 6.5 to event counters, on vpmc.
 *
 *	long long c0, c1;
 *	int start, end;
 *
 *	start = start_counters(0x16, 0x12);
 *	work();
 *	end = read_counters(0x16, &c0, 0x12, &c1);
 *	if (start < 0 || end != start)
 *		exit(1);
 *	print_counters(0x16, c0, 0x12, c1);
 *
 * Events are numbers of the processor's manual, as perfex -l lists them. The numbers of the R10000
 * are not used. 0x100 stands for clocks on the Pentium. If a number means a different event on each
 * counter, the first number is for counter 0, and the second for counter 1. The environment
 * variables T5_EVENT0 and T5_EVENT1 replace the first and the second number in all functions that
 * take two numbers.
 *
 * A function that fails prints the reason in one sentence on standard error and returns -1, without
 * changing anything. Any number of threads may call the functions at the same time, and each counts
 * itself. load_costs() must not overlap with other calls.
 *
 * Fortran programs call the functions by the same names. For them, the library also has these names
 * with an underscore at the end, and takes arguments by reference. See libperfex(3).
 */
#ifndef LIBPERFEX_H
#define LIBPERFEX_H

#ifdef __cplusplus
extern "C" {
#endif

/**
 * start_counters() - count two events from zero, in user mode
 * @e0: the first event
 * @e1: the second event
 *
 * Counts the calling thread; threads and processes that it creates from now on have their
 * own counts. A thread that counts already starts again.
 *
 * Return: a positive number, the generation of the counters, or -1.
 */
int start_counters(int e0, int e1);

/**
 * read_counters() - read the counts and stop counting
 * @e0: the first event, as passed to start_counters()
 * @c0: receives the event's count in the calling thread, and in the processes that its
 *	process has waited for since the start
 * @e1: the second event
 * @c1: receives the second event's count
 *
 * Return: the generation, or -1 if these two events are not counted or another error
 * occurs. If the generation differs from the result of start_counters(), the counts
 * belong to another start.
 */
int read_counters(int e0, long long *c0, int e1, long long *c1);

/**
 * print_counters() - print two counts on standard error
 * @e0: the first event
 * @c0: count of the first event
 * @e1: the second event
 * @c1: count of the second event
 *
 * Return: 0 or -1.
 */
int print_counters(int e0, long long c0, int e1, long long c1);

/**
 * print_costs() - print two counts, and the times that they may have taken
 * @e0: the first event
 * @c0: count of the first event
 * @e1: the second event
 * @c1: count of the second event
 *
 * Return: 0 or -1.
 */
int print_costs(int e0, long long c0, int e1, long long c1);

/**
 * load_costs() - replace costs by the costs in a file
 * @CostFileName: a file in the format of perfex.irix -t, with the costs of all or some
 *	events
 *
 * Return: 0 or -1.
 */
int load_costs(char *CostFileName);

#ifdef __cplusplus
}
#endif

#endif /* LIBPERFEX_H */

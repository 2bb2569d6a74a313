/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libperfex is the procedural interface to event counters of IRIX 6.5, on vpmc.
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
 * Events are numbers of the processor's manual, as perfex -l lists them; the R10000's
 * numbers have no meaning. 0x100 is the Pentium's clocks. If a number means another event
 * on each counter, the first number is for counter 0, and the second for counter 1. The
 * environment variables T5_EVENT0 and T5_EVENT1 replace the first and the second number in
 * all functions that have both.
 *
 * A function that fails prints the reason in one sentence on standard error and returns -1,
 * without changing anything. Any number of threads may call the functions, each for itself;
 * load_costs() must not overlap with other calls.
 *
 * Fortran programs call the functions under the same names: the library has these names
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
 * @e1: the second one
 *
 * Counts the calling thread; threads and processes that it creates from now on have their
 * own counts. A thread that counts already starts again.
 *
 * Return: a positive number, the generation of the counters, or -1.
 */
int start_counters(int e0, int e1);

/**
 * read_counters() - read the counts and stop counting
 * @e0: the first event, as given to start_counters()
 * @c0: receives the event's count in the calling thread, and in the processes that its
 *	process has waited for since the start
 * @e1: the second event
 * @c1: receives the second event's count
 *
 * Return: the generation; -1 if these two are not counted, or after another error. If it
 * differs from the generation that start_counters() returned, the counts are not those of
 * that start.
 */
int read_counters(int e0, long long *c0, int e1, long long *c1);

/**
 * print_counters() - print two counts on standard error
 * @e0: the first event
 * @c0: its count
 * @e1: the second event
 * @c1: its count
 *
 * Return: 0 or -1.
 */
int print_counters(int e0, long long c0, int e1, long long c1);

/**
 * print_costs() - print two counts, and the times that they may have taken
 * @e0: the first event
 * @c0: its count
 * @e1: the second event
 * @c1: its count
 *
 * Return: 0 or -1.
 */
int print_costs(int e0, long long c0, int e1, long long c1);

/**
 * load_costs() - replace costs by those of a file
 * @CostFileName: a file as perfex.irix -t writes it, of all events or of some
 *
 * Return: 0 or -1.
 */
int load_costs(char *CostFileName);

#ifdef __cplusplus
}
#endif

#endif /* LIBPERFEX_H */

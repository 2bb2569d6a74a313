/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the reports on standard output, with or without repetitions and with
 * or without regions.
 */
#ifndef P5MON_REPORT_H
#define P5MON_REPORT_H

#include "results.h"

/**
 * print_header() - print the head of the report
 * @path: path of the parameter file
 * @arguments: arguments of run_p5mon, ended by NULL
 * @command: the command that is counted
 */
void print_header(const char *path, char *const *arguments,
		  const char *command);

/* print_results() - print the results; returns 0, or PERFEX_OUTPUT after a complaint */
int print_results(const struct results *results);

/* number_text() - format a number with @digits digits after the point, or as NaN */
#define NUMBER_TEXT 48
const char *number_text(char text[NUMBER_TEXT], int digits, double number);

#endif /* P5MON_REPORT_H */

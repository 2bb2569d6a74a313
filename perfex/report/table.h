/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the tables of perfex -m and -mp. They show the counts of each process and
 * each thread.
 */
#ifndef PERFEX_TABLE_H
#define PERFEX_TABLE_H

#include "report/report.h"

/* print_tables() - print the tables for people; folds the records */
void print_tables(FILE *out, const struct report *report);

#endif /* PERFEX_TABLE_H */

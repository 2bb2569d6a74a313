/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports as comma-separated values (RFC 4180), for programs.
 */
#ifndef PERFEX_CSV_H
#define PERFEX_CSV_H

#include "report.h"

/**
 * print_csv() - print a report: a row for each count, each resource and each note
 * @out: where to
 * @is_begun: whether the names of the columns stand there already
 * @report: the report; its records are folded
 */
void print_csv(FILE *out, bool is_begun, const struct report *report);

#endif /* PERFEX_CSV_H */

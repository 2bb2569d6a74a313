/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares reports for people. Columns are separated by at least two spaces, and only
 * the last column may contain spaces. Programs read these reports, too, so a change would break
 * the programs.
 */
#ifndef PERFEX_TEXT_H
#define PERFEX_TEXT_H

#include "report/report.h"

/* print_text() - print a report with a line for each count; other lines begin with # */
void print_text(FILE *out, struct report *report);

#endif /* PERFEX_TEXT_H */

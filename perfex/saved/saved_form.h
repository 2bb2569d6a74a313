/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the two forms in which a report can be read back. Each line is a JSON
 * object or a row of comma-separated values, because texts in reports do not contain newlines.
 */
#ifndef PERFEX_SAVED_FORM_H
#define PERFEX_SAVED_FORM_H

#include "saved/saved_report.h"

/* Reports of these kinds cannot be used. */
#define IS_MERGE "is of a merge: use the reports that it was made of"
#define IS_INTERVAL                                                   \
	"is of an interval: only counts of a whole run can be used, " \
	"so leave --interval out"

#define IS_COMPARISON                                                  \
	"is of a comparison: only counts of one command can be used, " \
	"so leave --compare out"

/**
 * read_saved_json() - read a report
 * @line: the line of the report
 * @report: receives the report; the caller has set its line
 *
 * Return: NULL, or the error in the line.
 */
const char *read_saved_json(const char *line, struct saved_report *report);

/**
 * read_saved_csv() - read a row
 * @text: the row, which is changed
 * @report: receives the content of the row
 * @line: number of the line in the file
 *
 * Return: NULL, or the error in the line.
 */
const char *read_saved_csv(char *text, struct saved_report *report,
			   unsigned int line);

#endif /* PERFEX_SAVED_FORM_H */

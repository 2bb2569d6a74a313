/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares reports as comma-separated values (RFC 4180), for programs. */
#ifndef PERFEX_CSV_H
#define PERFEX_CSV_H

#include "report/report.h"

/*
 * These are the names of the columns that --merge looks for. New columns follow in
 * CSV_ALL_COLUMNS.
 */
#define CSV_COLUMNS                                                      \
	"kind,seconds,pid,tid,command,name,modes,code,value,share,note," \
	"runs,interval,min,max,unit,number,low,high"

/* These are all columns, including columns that --merge does not know. */
#define CSV_ALL_COLUMNS CSV_COLUMNS ",confidence"

/* The columns have these indexes. */
enum csv_column {
	CSV_KIND,
	CSV_SECONDS,
	CSV_PID,
	CSV_TID,
	CSV_COMMAND,
	CSV_NAME,
	CSV_MODES,
	CSV_CODE,
	CSV_VALUE,
	CSV_SHARE,
	CSV_NOTE,
	CSV_RUNS,
	CSV_INTERVAL,
	CSV_MIN,
	CSV_MAX,
	CSV_UNIT,
	CSV_NUMBER,
	CSV_LOW,
	CSV_HIGH,
	NR_CSV_COLUMNS,
};

/* print_csv_field() - print a text, in quotes if it needs them */
void print_csv_field(FILE *out, const char *text);

/**
 * print_csv() - print a report: a row for each count, each resource and each note
 * @out: stream to write to
 * @is_begun: true if the names of the columns have been printed already
 * @report: the report; its records are folded
 */
void print_csv(FILE *out, bool is_begun, const struct report *report);

#endif /* PERFEX_CSV_H */

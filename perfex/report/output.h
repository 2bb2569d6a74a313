/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the output of a report. Each report is one write(2), so that the
 * reports of several perfex in one file do not mix with each other, nor with what the
 * command prints.
 */
#ifndef PERFEX_OUTPUT_H
#define PERFEX_OUTPUT_H

#include "chart/chart.h"
#include "report/report.h"
#include "run/progress.h"
#include "util/atomic_file.h"

struct live;

/**
 * struct output - where the report goes
 * @name: of the file, for complaints
 * @option: that has it, likewise
 * @fd: where to write
 * @format: how the report looks
 * @label: argument of --label, or NULL for @name if that is of a file
 * @is_own: @fd is a file that perfex has opened
 * @is_new: there was no such file
 * @keeps: what the file has is kept
 * @is_begun: something was written, in this run of perfex or before
 * @chart: draws the reports, too, or NULL
 * @next: the file that was opened beside it last, or NULL
 * @replaces: each report takes the place of the file that is there
 * @replacement: with what; @fd is then that, or -1
 * @live: shows meanwhile what is counted, or NULL
 * @progress: of several runs
 */
struct output {
	const char *name;
	const char *option;
	int fd;
	enum format format;
	const char *label;
	bool is_own;
	bool is_new;
	bool keeps;
	bool is_begun;
	struct chart *chart;
	const struct output *next;
	bool replaces;
	struct replacement replacement;
	struct live *live;
	struct progress progress;
};

/**
 * open_output() - find out where something goes
 * @output: receives it
 * @file: NULL for standard error, "-" for standard output, or a file, which is
 *	created if there is none. Its content is left alone.
 * @option: that has @file, for complaints
 * @append: whether to keep it
 * @format: how the report is to look
 * @beside: what was opened before, or NULL. Its file cannot be @file, nor can those that
 *	were opened beside it, but devices take several.
 *
 * A file that can be executed is refused: it is hardly meant. An exposition replaces
 * the file, if it is a regular one; nothing is created there before.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_output(struct output *output, const char *file, const char *option,
		bool append, enum format format, const struct output *beside);

/**
 * open_another_output() - find out where something else goes
 * @output: receives it
 * @file: as of open_output()
 * @option: that has @file, for complaints
 * @report: where the report goes, as @beside of open_output(); the next one is beside
 *	@output, too
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_another_output(struct output *output, const char *file,
			const char *option, struct output *report);

/**
 * empty_output() - what was asked for runs: give up what the file has
 * @output: from open_output()
 *
 * Here, and when a report is written, a file that has been removed or replaced meanwhile
 * is opened, or created, anew.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int empty_output(struct output *output);

/**
 * write_report() - write a report
 * @output: from open_output()
 * @report: all that it says
 *
 * If there is no memory for its lists, it is written without them.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_report(struct output *output, struct report *report);

/**
 * write_text() - write something else
 * @output: from open_output()
 * @text: what
 * @size: its length
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_text(struct output *output, const char *text, size_t size);

/**
 * close_output() - close a file
 * @output: from open_output()
 *
 * A file that perfex has made and not written to is removed.
 *
 * Return: 0, or an enum perfex_status after a complaint: what was written may be
 * lost.
 */
int close_output(struct output *output);

#endif /* PERFEX_OUTPUT_H */

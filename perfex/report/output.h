/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the output of a report. Each report is written by one write(2). So reports
 * of several perfex in one file do not mix with each other or with the output of the command.
 */
#ifndef PERFEX_OUTPUT_H
#define PERFEX_OUTPUT_H

#include "chart/chart.h"
#include "report/report.h"
#include "run/progress.h"
#include "util/atomic_file.h"

struct live;

/**
 * struct output - the destination of a report
 * @name: name of the file, for complaints
 * @option: option that names the file, for complaints
 * @fd: descriptor to write to
 * @format: form of the report
 * @label: argument of --label, or NULL for @name if it is the name of a file
 * @is_own: true if @fd is a file that perfex has opened
 * @is_new: true if perfex has created the file
 * @keeps: true if the content of the file is kept
 * @is_begun: true if something was written, by this perfex or an earlier one
 * @chart: chart that also draws the reports, or NULL
 * @next: the next output in a list of outputs that need different files, or NULL
 * @replaces: true if each report replaces the file
 * @replacement: the replacement, whose descriptor is then @fd, or -1
 * @live: display on the terminal during the count, or NULL
 * @progress: progress of several runs
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
 * open_output() - open an output
 * @output: receives the output
 * @file: NULL for standard error, "-" for standard output, or a file, which is created if
 *	it does not exist. Its content does not change.
 * @option: option that has @file, for complaints @append: true to keep the content
 * @format: form of the report
 * @beside: outputs that are open already, or NULL. @file must not be the file of any of them,
 *	except for devices.
 *
 * The function refuses an executable file, because the user probably named it by mistake. An
 * exposition replaces a regular file. The function does not create a file for it.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_output(struct output *output, const char *file, const char *option,
		bool append, enum format format, const struct output *beside);

/**
 * open_report_output() - open the output of the report, as the options of perfex say
 * @output: receives the output
 * @report: file, form and label of the report
 * @beside: outputs that were opened before, or NULL
 *
 * Return: as open_output()
 */
int open_report_output(struct output *output, const struct report_spec *report,
		       const struct output *beside);

/**
 * open_another_output() - open an output for content other than the report
 * @output: receives the output
 * @file: file as for open_output()
 * @option: option that has @file, for complaints
 * @report: the output of the report, to whose list @output is added
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int open_another_output(struct output *output, const char *file,
			const char *option, struct output *report);

/**
 * empty_output() - delete the file's content at the start of the command
 * @output: from open_output()
 *
 * This function and write_report() open or create the file again if it has been removed or
 * replaced.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int empty_output(struct output *output);

/**
 * write_report() - write a report
 * @output: the output
 * @report: the report
 *
 * If there is no memory for its lists, it is written without them.
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_report(struct output *output, struct report *report);

/**
 * write_text() - write a text that is not a report
 * @output: the output
 * @text: the text
 * @size: length of @text
 *
 * Return: 0, or an enum perfex_status after a complaint.
 */
int write_text(struct output *output, const char *text, size_t size);

/**
 * close_output() - close an output
 * @output: the output
 *
 * A file that perfex has created but not written to is removed.
 *
 * Return: 0, or an enum perfex_status after a complaint that data may be lost.
 */
int close_output(struct output *output);

#endif /* PERFEX_OUTPUT_H */

// SPDX-License-Identifier: GPL-2.0-only
/* Read the reports of a file, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/csv.h"
#include "saved/merge_form.h"
#include "saved/saved_form.h"
#include "util/status.h"

#define NO_REPORT                                                      \
	"is not a report that perfex has written with --csv or --json" \
	" (a report for people cannot be read back)"

/**
 * struct reader - a file that is being read
 * @purpose: purpose, for complain_saved()
 * @file: name of the file
 * @in: stream to read from
 * @line: number of lines that have been read
 * @text: the last line, without its end
 * @size: size of @text
 * @report: the report that is being read
 */
struct reader {
	const char *purpose;
	const char *file;
	FILE *in;
	unsigned int line;
	char *text;
	size_t size;
	struct saved_report report;
};

/* Complain if @why names an error in the line. */
static int fail(const struct reader *reader, const char *why)
{
	return !why ? 0
		    : complain_saved(reader->purpose, reader->file,
				     reader->line, why);
}

/* Read a line. Returns 1 if there is one, 0 at the end, or -1 after a complaint. */
static int read_line(struct reader *reader)
{
	ssize_t length = getline(&reader->text, &reader->size, reader->in);

	if (length < 0 && !feof(reader->in)) {
		complain_saved(reader->purpose, reader->file, 0,
			       strerror(errno));
		return -1;
	}
	if (length < 0)
		return 0;
	reader->line++;
	if (reader->text[length - 1] != '\n' ||
	    strlen(reader->text) != (size_t)length) {
		fail(reader, strlen(reader->text) == (size_t)length
				     ? "is cut off"
				     : "is damaged: it has a zero byte");
		return -1;
	}
	reader->text[length - 1] = '\0';
	return 1;
}

static int read_objects(struct reader *reader,
			int (*use)(struct saved_report *report, void *arg),
			void *arg)
{
	int status, more;

	do {
		reader->report = (struct saved_report){
			.file = reader->file,
			.line = reader->line,
		};
		status = fail(reader,
			      read_saved_json(reader->text, &reader->report));
		if (!status)
			status = use(&reader->report, arg);
		free_saved(&reader->report);
		more = status ? 0 : read_line(reader);
	} while (more > 0);
	return more < 0 ? PERFEX_INPUT : status;
}

static int fail_without_rows(const struct reader *reader)
{
	const char *why = explain_uncounted(&reader->report);

	return why ? fail(reader, why)
		   : complain_saved(reader->purpose, reader->file, 0,
				    "it has no row of an event");
}

static int read_rows(struct reader *reader,
		     int (*use)(struct saved_report *report, void *arg),
		     void *arg)
{
	int status = 0, more = 1;

	reader->report = (struct saved_report){ .file = reader->file,
						.line = reader->line };
	while (!status && (more = read_line(reader)) > 0)
		status = fail(reader,
			      read_saved_csv(reader->text, &reader->report,
					     reader->line));
	if (more < 0)
		status = PERFEX_INPUT;
	if (!status && !reader->report.nr_events)
		status = fail_without_rows(reader);
	if (!status)
		status = use(&reader->report, arg);
	free_saved(&reader->report);
	return status;
}

/* Tell whether a line consists of these names of columns, or begins with them. */
static bool begins_with(const char *line, const char *columns)
{
	const size_t length = strlen(columns);

	return !strncmp(line, columns, length) &&
	       (!line[length] || line[length] == ',');
}

static int read_any(struct reader *reader,
		    int (*use)(struct saved_report *report, void *arg),
		    void *arg)
{
	const int more = read_line(reader);

	if (more < 0)
		return PERFEX_INPUT;
	if (!more)
		return complain_saved(reader->purpose, reader->file, 0,
				      "it is empty");
	if (*reader->text == '{')
		return read_objects(reader, use, arg);
	if (begins_with(reader->text, CSV_COLUMNS))
		return read_rows(reader, use, arg);
	if (begins_with(reader->text, MERGE_COLUMNS))
		return fail(reader, IS_MERGE);
	return fail(reader, begins_with(reader->text, "kind")
				    ? "does not have the columns of --csv:"
				      " another version of perfex wrote it"
				    : NO_REPORT);
}

int read_saved_reports(const char *purpose, const char *file,
		       int (*use)(struct saved_report *report, void *arg),
		       void *arg)
{
	struct reader reader = { .purpose = purpose,
				 .file = file,
				 .in = fopen(file, "re") };
	int status;

	if (!reader.in)
		return complain_saved(purpose, file, 0, strerror(errno));
	status = read_any(&reader, use, arg);
	free(reader.text);
	fclose(reader.in);
	return status;
}

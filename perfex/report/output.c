// SPDX-License-Identifier: GPL-2.0-only
/* Open, write and close the output of a report. */
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/stream.h"

/* A report without lists, with a line for each event and notes, fits into this many bytes. */
#define REPORT_MAX 32768

/* The files of these options have other content than the report. */
static const struct {
	const char *option;
	const char *content;
} contents[] = {
	{ "--plot", "plot" },	      { "--profile", "profile" },
	{ "--self-test", "results" }, { "--status-file", "status" },
	{ "--timeline", "timeline" },
};

static const char *content_of(const struct output *output)
{
	size_t i;

	for (i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		if (!strcmp(contents[i].option, output->option))
			return contents[i].content;
	}
	return "report";
}

static int fail(const struct output *output)
{
	complain("cannot write the %s to %s: %s", content_of(output),
		 output->name, strerror(errno));
	return PERFEX_OUTPUT;
}

static int open_file(struct output *output)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY |
			  (output->keeps ? O_APPEND : 0);

	output->fd = open(output->name, flags | O_CREAT | O_EXCL, 0666);
	output->is_new = output->fd >= 0;
	if (output->fd < 0 && errno == EEXIST)
		output->fd = open(output->name, flags);
	/* The name may be a symbolic link to a file that does not exist yet. */
	if (output->fd < 0 && errno == ENOENT)
		output->fd = open(output->name, flags | O_CREAT, 0666);
	output->is_own = output->fd >= 0;
	return output->is_own ? 0 : fail(output);
}

static int open_beside(struct output *output)
{
	int status = 0;

	output->fd = open_replacement(&output->replacement, output->name);
	if (output->fd < 0) {
		status = fail(output);
		drop_replacement(&output->replacement);
	}
	return status;
}

static bool is_executable(const char *file)
{
	struct stat status;

	return !stat(file, &status) && S_ISREG(status.st_mode) &&
	       status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

static int open_named(struct output *output)
{
	if (is_executable(output->name)) {
		complain("cannot write the %s to %s: it is a program, so"
			 " give another FILE after %s",
			 content_of(output), output->name, output->option);
		return PERFEX_OUTPUT;
	}
	output->replaces =
		is_exposition(output->format) && can_be_replaced(output->name);
	return output->replaces ? open_beside(output) : open_file(output);
}

/* Tell whether the file still has its name. */
static bool is_in_place(const struct output *output, const struct stat *status)
{
	struct stat named;

	if (stat(output->name, &named))
		return errno != ENOENT && errno != ENOTDIR;
	return named.st_dev == status->st_dev && named.st_ino == status->st_ino;
}

/*
 * If a command has removed or replaced the file, open the file that now has its name, because the
 * user will look for the report there.
 */
static int follow_name(struct output *output, bool *is_other)
{
	struct stat status;

	*is_other = output->is_own && !fstat(output->fd, &status) &&
		    S_ISREG(status.st_mode) && !is_in_place(output, &status);
	if (!*is_other)
		return 0;
	close(output->fd);
	output->is_own = false;
	output->is_begun = false;
	return open_named(output);
}

/* Get the status of the file. For a replacement, get the status of the old file. */
static int get_status(const struct output *output, struct stat *status)
{
	return output->replaces ? stat(output->name, status)
				: fstat(output->fd, status);
}

static bool is_stderr(const struct output *output)
{
	return output->fd == STDERR_FILENO;
}

/*
 * Tell whether two outputs would overwrite each other in the same file. Standard error may be the
 * same file unless it is emptied, because the user has not chosen it.
 */
static bool excludes(const struct output *first, const struct output *second)
{
	struct stat one, other;

	if (get_status(first, &one) || get_status(second, &other) ||
	    S_ISCHR(one.st_mode) || one.st_dev != other.st_dev ||
	    one.st_ino != other.st_ino)
		return false;
	if (is_stderr(first) || is_stderr(second))
		return S_ISREG(one.st_mode) &&
		       (first->is_own || second->is_own);
	return true;
}

static bool is_taken(const struct output *output, const struct output *other)
{
	for (; other; other = other->next) {
		if (excludes(output, other))
			return true;
	}
	return false;
}

static int open_by_name(struct output *output, const char *file)
{
	if (!file)
		return 0;
	if (!strcmp(file, "-")) {
		output->name = "standard output";
		output->fd = STDOUT_FILENO;
		return 0;
	}
	output->name = file;
	return open_named(output);
}

int open_output(struct output *output, const char *file, const char *option,
		bool append, enum format format, const struct output *beside)
{
	int status;

	*output = (struct output){ .name = "standard error",
				   .option = option,
				   .fd = STDERR_FILENO,
				   .format = format,
				   .keeps = append,
				   .next = beside };
	status = open_by_name(output, file);
	if (status || !is_taken(output, beside))
		return status;
	complain("cannot write several things to %s: give %s a FILE of its own",
		 output->name, option);
	close_output(output);
	return PERFEX_USAGE;
}

int open_report_output(struct output *output, const struct report_spec *report,
		       const struct output *beside)
{
	int status = open_output(output, report->output, "-o", report->append,
				 report->format, beside);

	output->label = report->label;
	return status;
}

int open_another_output(struct output *output, const char *file,
			const char *option, struct output *report)
{
	int status =
		open_output(output, file, option, false, FORMAT_TEXT, report);

	if (status)
		return status;
	output->next = report->next;
	report->next = output;
	return 0;
}

int empty_output(struct output *output)
{
	struct stat status;
	bool is_other;

	if (follow_name(output, &is_other))
		return PERFEX_OUTPUT;
	if (!output->is_own || fstat(output->fd, &status) ||
	    !S_ISREG(status.st_mode))
		return 0;
	if (output->keeps)
		output->is_begun = status.st_size > 0;
	else if (ftruncate(output->fd, 0))
		return fail(output);
	return 0;
}

int write_text(struct output *output, const char *text, size_t size)
{
	ssize_t written;

	output->is_begun = true;
	while (size) {
		written = write(output->fd, text, size);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return fail(output);
		text += written;
		size -= (size_t)written;
	}
	return 0;
}

/* Replace the content of the file by the text. If the function fails, the old file remains. */
static int replace_text(struct output *output, const char *text, size_t size)
{
	int status = 0, fd;

	if (output->fd < 0)
		status = open_beside(output);
	if (!status)
		status = write_text(output, text, size);
	if (status)
		return status;
	fd = output->fd;
	output->fd = -1;
	return put_in_place(&output->replacement, fd) ? fail(output) : 0;
}

/* Compose the report in memory, which the caller frees. Returns NULL if there is no memory. */
static char *compose(const struct output *output, struct report *report,
		     size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	print_report(out, output->format, output->is_begun, report);
	if (close_stream(out))
		return text;
	free(text);
	return NULL;
}

static int write_without_lists(struct output *output, struct report *report)
{
	static char text[REPORT_MAX];
	FILE *out;

	/* A truncated exposition would be misread as complete, so fail instead. */
	if (is_exposition(output->format)) {
		errno = ENOMEM;
		return fail(output);
	}
	out = fmemopen(text, sizeof(text), "w");
	if (!out)
		return fail(output);
	report->records = NULL;
	report->has_no_memory = true;
	print_report(out, output->format, output->is_begun, report);
	/* A comparison may need more memory. */
	if (!close_stream(out)) {
		complain("no memory for the report: compare fewer commands, or"
			 " count fewer events");
		return PERFEX_SYSTEM;
	}
	return write_text(output, text, strlen(text));
}

static int write_in_place(struct output *output, struct report *report)
{
	size_t size = 0;
	char *text = compose(output, report, &size);
	int status;

	if (!text)
		return write_without_lists(output, report);
	status = output->replaces ? replace_text(output, text, size)
				  : write_text(output, text, size);
	free(text);
	return status ? status : report->failure;
}

static int write_by_name(struct output *output, struct report *report)
{
	bool is_other;
	int status = follow_name(output, &is_other);

	if (!status && is_other)
		status = empty_output(output);
	return status ? status : write_in_place(output, report);
}

/*
 * Return the label of the exposition. The name of a pipe or a terminal does not distinguish
 * several perfex, so it does not become a label.
 */
static const char *label_of(const struct output *output)
{
	if (output->label)
		return output->label;
	return output->is_own || output->replaces ? output->name : NULL;
}

int write_report(struct output *output, struct report *report)
{
	int status, failure;

	report->output = label_of(output);
	status = write_by_name(output, report);
	failure = output->chart && !report->is_lost
			  ? add_report(output->chart, report)
			  : 0;
	return status ? status : failure;
}

int close_output(struct output *output)
{
	int status = 0;

	if (output->replaces) {
		if (output->fd >= 0)
			close(output->fd);
		drop_replacement(&output->replacement);
	}
	if (!output->is_own)
		return 0;
	if (close(output->fd))
		status = fail(output);
	if (output->is_new && !output->is_begun)
		unlink(output->name);
	return status;
}

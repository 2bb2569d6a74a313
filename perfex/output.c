// SPDX-License-Identifier: GPL-2.0-only
/* See output.h. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for a report without lists: a line for each event, and notes. */
#define REPORT_MAX 32768

static int fail(const struct output *output)
{
	complain("cannot write the report to %s: %s", output->name,
		 strerror(errno));
	return PERFEX_OUTPUT;
}

static int open_file(struct output *output)
{
	const int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY |
			  (output->keeps ? O_APPEND : 0);

	output->is_own = true;
	output->fd = open(output->name, flags | O_CREAT | O_EXCL, 0666);
	output->is_new = output->fd >= 0;
	if (output->fd < 0 && errno == EEXIST)
		output->fd = open(output->name, flags);
	/* A symbolic link to a file that does not exist yet. */
	if (output->fd < 0 && errno == ENOENT)
		output->fd = open(output->name, flags | O_CREAT, 0666);
	return output->fd < 0 ? fail(output) : 0;
}

static bool is_executable(const char *file)
{
	struct stat status;

	return !stat(file, &status) && S_ISREG(status.st_mode) &&
	       status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

int open_output(struct output *output, const char *file, const char *option,
		bool append, enum format format)
{
	*output = (struct output){ .name = "standard error",
				   .fd = STDERR_FILENO,
				   .format = format,
				   .keeps = append };
	if (!file)
		return 0;
	if (!strcmp(file, "-")) {
		output->name = "standard output";
		output->fd = STDOUT_FILENO;
		return 0;
	}
	output->name = file;
	if (is_executable(file)) {
		complain("cannot write the report to %s: it is a program, so"
			 " give another FILE behind %s",
			 file, option);
		return PERFEX_OUTPUT;
	}
	return open_file(output);
}

static bool is_same_file(const struct output *first,
			 const struct output *second)
{
	struct stat one, other;

	return !fstat(first->fd, &one) && !fstat(second->fd, &other) &&
	       !S_ISCHR(one.st_mode) && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

/* Standard error is nobody's choice. */
static bool is_taken(const struct output *output, const struct output *other)
{
	for (; other; other = other->next) {
		if (other->fd != STDERR_FILENO && is_same_file(output, other))
			return true;
	}
	return false;
}

int open_beside(struct output *output, const char *file, const char *option,
		struct output *report)
{
	int status = open_output(output, file, option, false, FORMAT_TEXT);

	if (status)
		return status;
	if (is_taken(output, report)) {
		complain("cannot write several things to %s: give %s a FILE of"
			 " its own",
			 file, option);
		close_output(output);
		return PERFEX_USAGE;
	}
	output->next = report->next;
	report->next = output;
	return 0;
}

int empty_output(struct output *output)
{
	struct stat status;

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

/* The report in memory, which the caller frees, or NULL. */
static char *compose(const struct output *output, struct report *report,
		     size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);
	bool bad;

	if (!out)
		return NULL;
	print_report(out, output->format, output->is_begun, report);
	bad = ferror(out);
	if (!fclose(out) && !bad)
		return text;
	free(text);
	return NULL;
}

static int write_without_lists(struct output *output, struct report *report)
{
	static char text[REPORT_MAX];
	FILE *out = fmemopen(text, sizeof(text), "w");

	if (!out)
		return fail(output);
	report->records = NULL;
	report->has_no_memory = true;
	print_report(out, output->format, output->is_begun, report);
	/* A comparison may need more room. */
	if (fclose(out)) {
		complain("no memory for the report: compare fewer commands, or"
			 " count fewer events");
		return PERFEX_SYSTEM;
	}
	return write_text(output, text, strlen(text));
}

static int write_with_lists(struct output *output, struct report *report)
{
	size_t size = 0;
	char *text = compose(output, report, &size);
	int status;

	if (!text)
		return write_without_lists(output, report);
	status = write_text(output, text, size);
	free(text);
	return status ? status : report->failure;
}

int write_report(struct output *output, struct report *report)
{
	const int status = write_with_lists(output, report);
	const int failure =
		output->chart ? add_report(output->chart, report) : 0;

	return status ? status : failure;
}

int close_output(struct output *output)
{
	int status = 0;

	if (!output->is_own)
		return 0;
	if (close(output->fd))
		status = fail(output);
	if (output->is_new && !output->is_begun)
		unlink(output->name);
	return status;
}

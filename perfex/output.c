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
	output->replaces = is_exposition(format) && can_be_replaced(file);
	return output->replaces ? open_beside(output) : open_file(output);
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

/* If that fails, what is there is left. */
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
	FILE *out;

	/* Half of an exposition would be a wrong one. */
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
	fclose(out);
	return write_text(output, text, strlen(text));
}

int write_report(struct output *output, struct report *report)
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

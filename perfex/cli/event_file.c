// SPDX-License-Identifier: GPL-2.0-only
/* Read the events of a file, for -e @FILE. */
#include "cli/event_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/perfex.h"

#define BLANKS " \t\r\n"

/* This array keeps the texts of all events from files. */
static char texts[EVENT_TEXTS_MAX];
static size_t used;

static int fail(const char *file, const char *why)
{
	complain("cannot read the events in %s: %s", file, why);
	return PERFEX_UNKNOWN_EVENT;
}

/* Copy a text so that it stays valid. Returns NULL if there is no room. */
static const char *keep_text(const char *text, size_t length)
{
	char *copy = texts + used;

	if (length >= sizeof(texts) - used)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	used += length + 1;
	return copy;
}

/* Find the event of a line. Returns the event's length, or 0 if there is no event. */
static size_t find_event(char *line, char **event)
{
	size_t length;

	line[strcspn(line, "#")] = '\0';
	*event = line + strspn(line, BLANKS);
	length = strlen(*event);
	while (length && strchr(BLANKS, (*event)[length - 1]))
		length--;
	return length;
}

/**
 * struct reader - a file that is being read
 * @in: the file
 * @origin: current position
 * @nr: number of events so far
 * @use: function that is called with each event
 * @arg: last argument of @use
 */
struct reader {
	FILE *in;
	struct event_origin origin;
	unsigned int nr;
	int (*use)(const char *event, const struct event_origin *origin,
		   void *arg);
	void *arg;
};

static int read_line(struct reader *reader, char *line)
{
	const char *text;
	char *event;
	const size_t length = find_event(line, &event);

	if (!length)
		return 0;
	text = keep_text(event, length);
	if (!text)
		return fail(reader->origin.file, "they are too long together");
	reader->origin.column = (unsigned int)(event - line) + 1;
	reader->nr++;
	return reader->use(text, &reader->origin, reader->arg);
}

static int read_lines(struct reader *reader)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	int status = 0;

	errno = 0;
	while (!status && (length = getline(&line, &size, reader->in)) > 0) {
		reader->origin.line++;
		status =
			strlen(line) == (size_t)length
				? read_line(reader, line)
				: fail(reader->origin.file, "it is not a text");
	}
	if (!status && ferror(reader->in))
		status = fail(reader->origin.file, strerror(errno));
	free(line);
	return status;
}

int read_event_file(const char *file,
		    int (*use)(const char *event,
			       const struct event_origin *origin, void *arg),
		    void *arg)
{
	struct reader reader = { .in = fopen(file, "re"),
				 .origin = { .file = file },
				 .use = use,
				 .arg = arg };
	int status;

	if (!reader.in)
		return fail(file, strerror(errno));
	status = read_lines(&reader);
	fclose(reader.in);
	return status || reader.nr ? status : fail(file, "there are none");
}

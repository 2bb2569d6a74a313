// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read a file with the events of p4pm. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "p4pm_events.h"
#include "vpmc.h"

/* A line has at most this number of bytes, with its newline and a zero. */
#define LINE_MAX_BYTES 400

#define WORDS 7

/**
 * struct line - a line of a file
 * @path: name of the file
 * @number: number of the line, from 1
 * @word: its words
 */
struct line {
	const char *path;
	unsigned int number;
	const char *word[WORDS];
};

void p4pm_leave(const char *format, ...)
{
	char sentence[1000], escaped[4 * sizeof(sentence)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	vpmc_escape(sentence, escaped, sizeof(escaped));
	fprintf(stderr, "p4pm: %s\n", escaped);
	exit(EXIT_FAILURE);
}

static uint32_t read_bits(const struct line *line, const char *word)
{
	uint32_t bits = 0;

	if (strlen(word) != 32 || strspn(word, "01") != 32)
		p4pm_leave("%s:%u: \"%.40s\" does not have 32 digits 0 and 1",
			   line->path, line->number, word);
	for (; *word; word++)
		bits = bits << 1 | (*word == '1');
	return bits;
}

static unsigned int read_counter(const struct line *line, const char *word)
{
	char *end;
	unsigned long counter = strtoul(word, &end, 10);

	if (*word < '0' || *word > '9' || *end || counter >= P4PM_CONTADORES)
		p4pm_leave("%s:%u: \"%.40s\" is not a counter from 0 to %d",
			   line->path, line->number, word, P4PM_CONTADORES - 1);
	return (unsigned int)counter;
}

static void split(struct line *line, char *text)
{
	unsigned int nr = 0;
	char *word;

	while ((word = strtok_r(text, " \t\n", &text))) {
		if (nr < WORDS)
			line->word[nr] = word;
		nr++;
	}
	if (nr != WORDS)
		p4pm_leave("%s:%u: the line has %u words, and not %d: count or"
			   " tag, name, ESCR, CCCR, counter, PEBS_ENABLE,"
			   " PEBS_MATRIX_VERT",
			   line->path, line->number, nr, WORDS);
}

static void read_event(const struct line *line, struct p4pm_event *event)
{
	event->is_count = !strcmp(line->word[0], "count");
	if (!event->is_count && strcmp(line->word[0], "tag") != 0)
		p4pm_leave("%s:%u: the line begins with \"%.40s\", and not with"
			   " count or tag",
			   line->path, line->number, line->word[0]);
	snprintf(event->name, sizeof(event->name), "%.*s", P4PM_NOMBRE - 1,
		 line->word[1]);
	event->escr = read_bits(line, line->word[2]);
	event->cccr = read_bits(line, line->word[3]);
	event->counter = read_counter(line, line->word[4]);
	event->pebs_enable = read_bits(line, line->word[5]);
	event->pebs_matrix_vert = read_bits(line, line->word[6]);
}

static FILE *open_events(const char *path)
{
	FILE *file = fopen(path, "re");

	if (!file)
		p4pm_leave("cannot open \"%s\": %s", path, strerror(errno));
	return file;
}

/* Events whose counts are in the results come first, so that the results have no gaps. */
static void sort_events(struct p4pm_event *event, unsigned int nr)
{
	struct p4pm_event tags[P4PM_CONTADORES];
	unsigned int i, nr_tags = 0, nr_counts = 0;

	for (i = 0; i < nr; i++) {
		if (event[i].is_count)
			event[nr_counts++] = event[i];
		else
			tags[nr_tags++] = event[i];
	}
	memcpy(&event[nr_counts], tags, nr_tags * sizeof(*tags));
}

unsigned int p4pm_read_events(const char *path, struct p4pm_event *event)
{
	struct line line = { .path = path };
	char text[LINE_MAX_BYTES];
	FILE *file = open_events(path);
	unsigned int nr = 0;

	while (fgets(text, sizeof(text), file)) {
		line.number++;
		if (!strchr(text, '\n') && !feof(file))
			p4pm_leave("%s:%u: the line is too long", path,
				   line.number);
		if (text[0] == '#' || !text[strspn(text, " \t\n")])
			continue;
		if (nr == P4PM_CONTADORES)
			p4pm_leave("%s:%u: the file has more than %d events",
				   path, line.number, P4PM_CONTADORES);
		split(&line, text);
		read_event(&line, &event[nr++]);
	}
	fclose(file);
	if (!nr)
		p4pm_leave("%s: the file has no event", path);
	sort_events(event, nr);
	return nr;
}

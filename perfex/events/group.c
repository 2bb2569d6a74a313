// SPDX-License-Identifier: GPL-2.0-only
/* Read groups of events from their files, whose form perfex(1) describes. */
#include "events/group.h"

#include <string.h>

#define BLANKS " \t"

/* A line fits into this many bytes even if each of its bytes is escaped. */
#define LINE_MAX_ESCAPED (4 * GROUP_LINE_MAX + 1)

/**
 * struct source - a file that is being read
 * @metrics: receives the events and metrics of the file
 * @name: name of the file
 * @number: number of the current line
 * @line: beginning of the current line
 * @first_event: index of the first event of the file
 * @first_metric: index of the first metric of the file
 */
struct source {
	struct metrics *metrics;
	const char *name;
	unsigned int number;
	const char *line;
	size_t first_event;
	size_t first_metric;
};

void complain_place(const char *file, unsigned int line, unsigned int column,
		    const char *sentence)
{
	complain("%s:%u:%u: %s", file, line, column, sentence);
}

static unsigned int column_of(const struct source *source, const char *at)
{
	return (unsigned int)(at - source->line) + 1;
}

static int fail(const struct source *source, const char *at,
		const char *sentence)
{
	complain_place(source->name, source->number, column_of(source, at),
		       sentence);
	return PERFEX_UNKNOWN_EVENT;
}

bool is_meaning(const char *line)
{
	return *line != '#' && line[strspn(line, BLANKS)];
}

/* Take the next word and the blanks after it from @text. Returns the word, zero-terminated. */
static char *take_word(char **at)
{
	char *word = *at;

	*at += strcspn(*at, BLANKS);
	if (**at)
		*(*at)++ = '\0';
	*at += strspn(*at, BLANKS);
	return word;
}

/* Parse the rest of an event's line: nothing, or the event that its name stands for. */
static bool parse_selects(char *at, const char **selects)
{
	const char *equals;

	if (!*at)
		return true;
	equals = take_word(&at);
	*selects = take_word(&at);
	return !strcmp(equals, "=") && **selects && !*at;
}

static int parse_event(struct source *source, char *at)
{
	struct metrics *metrics = source->metrics;
	const char *const text = at;
	const size_t length = name_length(text);
	const char *selects = text;

	if (!length ||
	    !parse_selects(at + length + strspn(text + length, BLANKS),
			   &selects))
		return fail(source, length ? text + length : text,
			    "give the name of one event here, as perfex -l"
			    " lists it, or NAME = EVENT");
	if (metrics->nr_events == EVENTS_MAX)
		return fail(source, text,
			    "too many events: count fewer groups at once");
	at[length] = '\0';
	metrics->event[metrics->nr_events++] = (struct group_event){
		.text = text,
		.selects = selects,
		.file = source->name,
		.line = source->number,
		.column = column_of(source, text),
		.number = NOT_COUNTED,
	};
	return 0;
}

/* Parse a formula. It can contain only events of the same file. */
static int parse_metric_formula(struct source *source, struct metric *metric,
				const char *text)
{
	const struct metrics *metrics = source->metrics;
	const size_t first = source->first_event;
	const char *names[EVENTS_MAX];
	struct formula_error err;
	size_t i;

	for (i = first; i < metrics->nr_events; i++)
		names[i - first] = metrics->event[i].text;
	if (!parse_formula(&metric->formula, text, names,
			   metrics->nr_events - first, &err))
		return fail(source, err.at, err.sentence);
	for (i = 0; i < metric->formula.nr; i++) {
		if (metric->formula.step[i].kind == STEP_EVENT)
			metric->formula.step[i].event += first;
	}
	return 0;
}

static int parse_metric(struct source *source, char *at)
{
	struct metrics *metrics = source->metrics;
	struct metric *metric = &metrics->metric[metrics->nr];
	const char *equals;

	if (metrics->nr == METRICS_MAX)
		return fail(source, at,
			    "too many metrics: count fewer groups at once");
	metric->name = take_word(&at);
	metric->unit = take_word(&at);
	equals = take_word(&at);
	if (!*metric->name || !*metric->unit || strcmp(equals, "=") != 0)
		return fail(source, equals,
			    "write it as: metric NAME UNIT = FORMULA, with"
			    " blanks around the =");
	metric->text = at;
	metric->group = source->name;
	metrics->nr++;
	return parse_metric_formula(source, metric, at);
}

static int parse_line(struct source *source, char *line)
{
	char *at = line + strspn(line, BLANKS);
	const char *const word = take_word(&at);

	if (!strcmp(word, "event"))
		return parse_event(source, at);
	if (!strcmp(word, "metric"))
		return parse_metric(source, at);
	return fail(source, word,
		    "unknown word: lines begin with event, metric or #, and the"
		    " text ends with an empty line");
}

/* Find a character that cannot be printed, because reports can contain any part of the line. */
static const char *find_bad(const char *line)
{
	char escaped[LINE_MAX_ESCAPED];
	size_t i = 0;

	vpmc_escape(line, escaped, sizeof(escaped));
	while (line[i] && line[i] == escaped[i])
		i++;
	return line[i] ? line + i : NULL;
}

static void blank_tabs(char *line)
{
	for (; *line; line++) {
		if (*line == '\t')
			*line = ' ';
	}
}

/* A file has these parts. */
enum part { BEFORE_TEXT, TEXT, BEHIND_TEXT };

static int parse_next(struct source *source, char *line, enum part *part)
{
	const char *bad;

	source->number++;
	source->line = line;
	if (strlen(line) > GROUP_LINE_MAX)
		return fail(source, line + GROUP_LINE_MAX,
			    "the line is too long: write shorter ones");
	blank_tabs(line);
	bad = find_bad(line);
	if (bad)
		return fail(source, bad,
			    "this is not a printable character of UTF-8: write"
			    " the file as plain text");
	if (*line == '#')
		return 0;
	if (!is_meaning(line)) {
		if (*part == TEXT)
			*part = BEHIND_TEXT;
		return 0;
	}
	if (*part == BEHIND_TEXT)
		return parse_line(source, line);
	*part = TEXT;
	return 0;
}

int parse_group(struct metrics *metrics, const char *name, char *text)
{
	struct source source = { .metrics = metrics,
				 .name = name,
				 .line = text,
				 .first_event = metrics->nr_events,
				 .first_metric = metrics->nr };
	enum part part = BEFORE_TEXT;
	char *next;
	int status = 0;

	for (; !status && text; text = next) {
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		status = parse_next(&source, text, &part);
	}
	if (!status && metrics->nr == source.first_metric)
		return fail(&source, source.line,
			    "the group has no metric: add a line metric NAME"
			    " UNIT = FORMULA below an empty line");
	return status;
}

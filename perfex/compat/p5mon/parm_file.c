// SPDX-License-Identifier: GPL-2.0-only
/* Read parameter files in the format of the IMPACT compiler. */
#include "parm_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "macro.h"
#include "run_p5mon.h"

#define SECTION "(p5mon"
#define END	"end)"

int add_setting(struct setting **settings, const char *name, size_t length,
		const char *value, unsigned int line)
{
	struct setting *setting = calloc(1, sizeof(*setting));

	if (!setting)
		return complain_memory();
	setting->name = strndup(name, length);
	setting->value = strdup(value);
	setting->line = line;
	while (*settings)
		settings = &(*settings)->next;
	*settings = setting;
	return setting->name && setting->value ? 0 : complain_memory();
}

void free_settings(struct setting *settings)
{
	struct setting *next;

	for (; settings; settings = next) {
		next = settings->next;
		free(settings->name);
		free(settings->value);
		free(settings);
	}
}

static void strip_end(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	text[length] = '\0';
}

/*
 * Remove backslashes. A character after a backslash stands for itself. A # without a backslash
 * begins a comment.
 */
static void unescape(char *text)
{
	char *to = text;

	while (*text && *text != '#') {
		if (*text == '\\' && text[1])
			text++;
		*to++ = *text++;
	}
	*to = '\0';
}

static void strip_semicolon(char *text)
{
	size_t length;

	strip_end(text);
	length = strlen(text);
	if (length && text[length - 1] == ';')
		text[length - 1] = '\0';
	strip_end(text);
}

/**
 * struct line - a line of a parameter file, divided into two words
 * @name: the first word; empty if there is none
 * @length: length of @name
 * @value: the rest of the line, after an optional equals sign
 */
struct line {
	char *name;
	size_t length;
	char *value;
};

static struct line split(char *text)
{
	struct line line;

	line.name = text + strspn(text, " \t\r\n\f\v");
	if (*line.name == '#')
		*line.name = '\0';
	line.length = strcspn(line.name, " \t\r\n\f\v=");
	line.value = line.name + line.length;
	line.value += strspn(line.value, " \t\r\n\f\v=");
	unescape(line.value);
	strip_semicolon(line.value);
	/* A name without a value may also end with a semicolon. */
	if (line.length && line.name[line.length - 1] == ';')
		line.length--;
	return line;
}

static bool is(const struct line *line, const char *name)
{
	return line->length == strlen(name) &&
	       !strncasecmp(line->name, name, line->length);
}

/**
 * struct source - a file that is being read
 * @path: path of the file
 * @macros: macros of the command line
 */
struct source {
	const char *path;
	const struct setting *macros;
};

/* The reader of a file is in one of these states. */
enum where { OUTSIDE, INSIDE, ELSEWHERE, BEHIND };

/* Process a line. Returns a status. @where receives the next state. */
static int take_line(const struct line *line, enum where *where,
		     unsigned int number, struct setting **settings)
{
	switch (*where) {
	case OUTSIDE:
		*where = is(line, SECTION) ? INSIDE : ELSEWHERE;
		return 0;
	case ELSEWHERE:
		if (is(line, END))
			*where = OUTSIDE;
		return 0;
	default:
		if (!is(line, END))
			return add_setting(settings, line->name, line->length,
					   line->value, number);
		*where = BEHIND;
		return 0;
	}
}

/* Read a line. Only lines of the section have macros. */
static int read_line(const char *text, const struct source *source,
		     enum where *where, unsigned int number,
		     struct setting **settings)
{
	char place[300];
	char *expanded;
	struct line line;
	int status;

	if (*where == INSIDE) {
		snprintf(place, sizeof(place), "%s:%u", source->path, number);
		status = expand_macros(text, source->macros, &expanded, place);
	} else {
		expanded = strdup(text);
		status = expanded ? 0 : complain_memory();
	}
	if (status || !expanded)
		return status;
	line = split(expanded);
	if (line.length)
		status = take_line(&line, where, number, settings);
	free(expanded);
	return status;
}

static int read_lines(FILE *file, const struct source *source,
		      enum where *where, struct setting **settings)
{
	unsigned int number = 0;
	char *text = NULL;
	size_t size = 0;
	int status = 0;

	while (!status && *where != BEHIND && getline(&text, &size, file) > 0)
		status = read_line(text, source, where, ++number, settings);
	free(text);
	return status;
}

int read_settings(const char *path, const struct setting *macros,
		  struct setting **settings)
{
	const struct source source = { .path = path, .macros = macros };
	FILE *file = fopen(path, "re");
	enum where where = OUTSIDE;
	int status;

	*settings = NULL;
	if (!file) {
		complain("cannot open the parameter file \"%s\": %s (-P names"
			 " another one)",
			 path, strerror(errno));
		return PERFEX_INPUT;
	}
	status = read_lines(file, &source, &where, settings);
	if (!status && ferror(file)) {
		complain("cannot read the parameter file \"%s\"", path);
		status = PERFEX_INPUT;
	}
	fclose(file);
	if (!status && where == INSIDE) {
		complain("\"%s\": the section " SECTION " has no end: close it"
			 " with " END,
			 path);
		status = PERFEX_INPUT;
	} else if (!status && where != BEHIND) {
		complain("\"%s\" has no section " SECTION " ... " END
			 ": put the parameters into one",
			 path);
		status = PERFEX_INPUT;
	}
	if (status) {
		free_settings(*settings);
		*settings = NULL;
	}
	return status;
}

/* Find the last setting of a parameter, because it replaces earlier settings. */
static const struct setting *find(const struct setting *settings, size_t i)
{
	const struct setting *found = NULL;

	for (; settings; settings = settings->next) {
		if (parameter_number(settings->name) == (int)i)
			found = settings;
	}
	return found;
}

static void warn_not_used(FILE *file, const char *path,
			  const struct setting *setting)
{
	for (; setting; setting = setting->next) {
		if (parameter_number(setting->name) < 0)
			fprintf(file,
				PROGRAM ": warning: %s:%u: \"%s\" is not a"
					" parameter\n",
				path, setting->line, setting->name);
	}
}

static bool is_same(const struct setting *setting, const struct setting *other)
{
	const int i = parameter_number(setting->name);

	return i < 0 ? !strcasecmp(setting->name, other->name)
		     : i == parameter_number(other->name);
}

static void warn_defined_twice(FILE *file, const char *path,
			       const struct setting *setting)
{
	const struct setting *other;

	for (; setting; setting = setting->next) {
		other = setting->next;
		while (other && !is_same(setting, other))
			other = other->next;
		if (other)
			fprintf(file,
				PROGRAM ": warning: %s:%u: %s is set to \"%s\","
					" after \"%s\" in line %u\n",
				path, other->line, other->name, other->value,
				setting->value, setting->line);
	}
}

static void warn_not_defined(FILE *file, const char *path,
			     const struct setting *settings,
			     const struct setting *forced)
{
	size_t i;

	for (i = 0; i < number_of_parameters(); i++) {
		if (!find(settings, i) && !find(forced, i) && !is_other_name(i))
			fprintf(file, PROGRAM ": warning: %s does not set %s\n",
				path, parameter_name(i));
	}
}

static void dump(FILE *file, const struct setting *settings,
		 const struct setting *forced)
{
	const struct setting *setting;
	size_t i;

	fputs(SECTION "\n", file);
	for (i = 0; i < number_of_parameters(); i++) {
		setting = find(forced, i);
		if (!setting)
			setting = find(settings, i);
		if (!setting)
			continue;
		fprintf(file, "    %s = ", parameter_name(i));
		put_value(file, setting->value);
		fputs(";\n", file);
	}
	fputs(END "\n", file);
}

/* Open a file, or standard output or error for "stdout" or "stderr". */
static FILE *open_named(const char *name, const char *mode)
{
	FILE *file;

	if (!strcmp(name, "stdout"))
		return stdout;
	if (!strcmp(name, "stderr"))
		return stderr;
	file = fopen(name, mode);
	if (!file)
		complain("cannot write the file \"%s\": %s", name,
			 strerror(errno));
	return file;
}

static int close_named(FILE *file, const char *name)
{
	int failed = ferror(file);

	if (file == stdout || file == stderr)
		failed |= fflush(file);
	else
		failed |= fclose(file);
	if (!failed)
		return 0;
	complain("cannot write the file \"%s\"", name);
	return PERFEX_OUTPUT;
}

int warn_of_settings(const struct parameters *parameters, const char *path,
		     const struct setting *settings,
		     const struct setting *forced)
{
	const char *name = parameters->parm_warn_file_name;
	FILE *file = open_named(name, "ae");
	int status;

	if (!file)
		return PERFEX_OUTPUT;
	if (parameters->warn_parm_not_used)
		warn_not_used(file, path, settings);
	if (parameters->warn_parm_not_defined)
		warn_not_defined(file, path, settings, forced);
	if (parameters->warn_parm_defined_twice)
		warn_defined_twice(file, path, settings);
	status = close_named(file, name);
	if (status || !parameters->dump_parms)
		return status;
	name = parameters->parm_dump_file_name;
	file = open_named(name, "we");
	if (!file)
		return PERFEX_OUTPUT;
	dump(file, settings, forced);
	return close_named(file, name);
}

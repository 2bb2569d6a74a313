// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The program "pcl_groups DIRECTORY" writes the tables of make-ups as groups of perfex.
 * Each family has one file DIRECTORY/FAMILY/pcl, or FAMILY-CPUID for the make-ups of some
 * models. With these files perfex -e accepts PCL's names, and perfex -l lists them. The
 * program is executed when PCL is built.
 */
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "make_up.h"
#include "pcl.h"

/* These are the limits on the number of events of a family, and on the length of an event. */
#define EVENTS_MAX   64
#define EVENT_LENGTH 64

/**
 * struct writer - a file that is being written
 * @out: the file
 * @event: the events that were already written
 * @nr: number of @event
 */
struct writer {
	FILE *out;
	char event[EVENTS_MAX][EVENT_LENGTH];
	size_t nr;
};

/* Return whether perfex can count a make-up. It cannot count the time stamp counter. */
static bool can_count(const struct pclint_make_up *make_up)
{
	return strcmp(make_up->sum, PCLINT_TSC) != 0;
}

static void write_event(struct writer *writer, const char *event)
{
	const char *equals = strchr(event, '=');
	size_t i;

	for (i = 0; i < writer->nr; i++) {
		if (!strcmp(writer->event[i], event))
			return;
	}
	if (writer->nr == EVENTS_MAX)
		errx(1, "%s is one event too many", event);
	snprintf(writer->event[writer->nr++], EVENT_LENGTH, "%s", event);
	if (equals)
		fprintf(writer->out, "event %.*s = %s\n", (int)(equals - event),
			event, equals + 1);
	else
		fprintf(writer->out, "event %s\n", event);
}

/* Take the next word of a sum. Returns whether a word was left. */
static bool next_word(const char **sum, char word[EVENT_LENGTH])
{
	const size_t length = strcspn(*sum, " ");

	snprintf(word, EVENT_LENGTH, "%.*s", (int)length, *sum);
	*sum += length;
	*sum += strspn(*sum, " ");
	return length;
}

static void write_events(struct writer *writer, const char *sum)
{
	char word[EVENT_LENGTH];

	while (next_word(&sum, word)) {
		if (strcmp(word, "+") != 0 && strcmp(word, "-") != 0)
			write_event(writer, word);
	}
}

/* Write a sum without the codes of its events. */
static void write_sum(FILE *out, const char *sum)
{
	const char *separator = "";
	char word[EVENT_LENGTH];

	while (next_word(&sum, word)) {
		fprintf(out, "%s%.*s", separator, (int)strcspn(word, "="),
			word);
		separator = " ";
	}
}

static void write_ratio(FILE *out, const char *sum)
{
	const bool several = strchr(sum, ' ');

	fputs(several ? "(" : "", out);
	write_sum(out, sum);
	fputs(several ? ")" : "", out);
}

/*
 * Write a metric. Perfex knows the time, but not the rate of the processor, so rates are divided by
 * the time.
 */
static void write_metric(FILE *out, const struct pclint_make_up *make_up)
{
	const char *name = PCLeventname(make_up->event);

	if (!make_up->per) {
		fprintf(out, "metric %s events = ", name);
		write_sum(out, make_up->sum);
	} else if (make_up->event == PCL_MFLOPS) {
		fprintf(out, "metric %s million-per-second = ", name);
		write_ratio(out, make_up->sum);
		fputs(" / time / 1e6", out);
	} else {
		fprintf(out, "metric %s ratio = ", name);
		write_ratio(out, make_up->sum);
		fputs(" / ", out);
		write_ratio(out, make_up->per);
	}
	fputc('\n', out);
}

static void write_group(FILE *out, const struct pclint_family *family)
{
	struct writer writer = { .out = out };
	const struct pclint_make_up *make_up;
	int event;

	fputs("# SPDX-License-Identifier: LGPL-2.1-or-later\n"
	      "What PCL 2.2 counts, as far as the processor has it.\n"
	      "Count a few by their names: perfex -e PCL_INSTR,PCL_JUMP\n\n",
	      out);
	for (event = 0; event < PCL_MAX_EVENT; event++) {
		make_up = pclint_make_up(family, event);
		if (!make_up || !can_count(make_up))
			continue;
		write_events(&writer, make_up->sum);
		if (make_up->per)
			write_events(&writer, make_up->per);
		write_metric(out, make_up);
	}
}

static void make_directory(const char *path)
{
	if (mkdir(path, 0777) && errno != EEXIST)
		err(1, "cannot make the directory %s", path);
}

/* Write the file of one directory. perfex looks for a directory called @name. */
static void write_file(const char *directory, const char *name,
		       const struct pclint_family *family)
{
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	make_directory(path);
	snprintf(path, sizeof(path), "%s/%s/pcl", directory, name);
	out = fopen(path, "we");
	if (!out)
		err(1, "cannot write %s", path);
	write_group(out, family);
	if (fclose(out))
		err(1, "cannot write %s", path);
}

static void write_family(const char *directory,
			 const struct pclint_family *family)
{
	char name[64];
	unsigned int model;

	if (!family->cpuid_family) {
		write_file(directory, family->name, family);
	} else if (!family->last) {
		snprintf(name, sizeof(name), "%s-%u", family->name,
			 family->cpuid_family);
		write_file(directory, name, family);
	}
	for (model = family->first; family->last && model <= family->last;
	     model++) {
		snprintf(name, sizeof(name), "%s-%u-%u", family->name,
			 family->cpuid_family, model);
		write_file(directory, name, family);
	}
}

int main(int argc, char **argv)
{
	const struct pclint_family *family;
	size_t i;

	if (argc != 2)
		errx(1, "usage: pcl_groups DIRECTORY");
	make_directory(argv[1]);
	for (i = 0; (family = pclint_family(i)); i++)
		write_family(argv[1], family);
	return EXIT_SUCCESS;
}

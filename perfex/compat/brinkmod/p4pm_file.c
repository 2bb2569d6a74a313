// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translate experiments into files of p4pm. libvpmc/compat/p4pm/p4pm.h describes the form of
 * these files. p4pm does not take samples, so it counts an event with <ebs> like any other event.
 */
#include "p4pm_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assign.h"

/* A file of p4pm does not say after how many events a counter starts another one. */
static void refuse_cascades(const struct experiment *experiment)
{
	const struct experiment_event *event = experiment->event;

	for (; event < experiment->event + experiment->nr; event++) {
		if (event->after)
			leave_at(&event->element->place,
				 "p4pm cannot start <%s> after another event:"
				 " leave <cascade/> out, or count with brink",
				 event->element->name);
	}
}

void translation_read(struct translation *translation, const char *config,
		      const char *exp)
{
	struct experiment *experiment;
	unsigned int e;

	emon_config_read(&translation->config, config);
	experiments_read(&translation->experiments, &translation->config, exp);
	for (e = 0; e < translation->experiments.nr; e++) {
		experiment = &translation->experiments.experiment[e];
		refuse_cascades(experiment);
		assign_counters(&translation->config, experiment);
	}
}

void translation_free(struct translation *translation)
{
	experiments_free(&translation->experiments);
	emon_config_free(&translation->config);
}

char *translation_path(const char *directory,
		       const struct experiment *experiment)
{
	char *path;

	if (asprintf(&path, "%s/%s.txt", directory, experiment->element->name) <
	    0)
		leave(PERFEX_SYSTEM, "out of memory");
	return path;
}

static void write_bits(FILE *file, uint64_t value)
{
	int bit;

	fputc(' ', file);
	for (bit = 31; bit >= 0; bit--)
		fputc('0' + (int)(value >> bit & 1), file);
}

/* Write a part. Only the counting part needs the registers of replay tags. */
static void write_part(FILE *file, const struct experiment_event *event,
		       const struct part *part)
{
	const bool counts = part == &event->count;

	fprintf(file, "%s %s", counts ? "count" : "tag", event->element->name);
	write_bits(file, part->escr_value);
	write_bits(file, part->cccr_value);
	fprintf(file, " %u", part->counter);
	write_bits(file, counts ? event->pebs_enable : 0);
	write_bits(file, counts ? event->pebs_matrix_vert : 0);
	fputc('\n', file);
}

void translation_write(const struct experiment *experiment, const char *path)
{
	const struct experiment_event *event = experiment->event;
	FILE *file = fopen(path, "we");
	int failed;

	if (!file)
		leave(PERFEX_OUTPUT, "cannot create \"%s\": %s", path,
		      strerror(errno));
	for (; event < experiment->event + experiment->nr; event++) {
		write_part(file, event, &event->count);
		if (event->tag.event && !shares_tag(experiment, event))
			write_part(file, event, &event->tag);
	}
	failed = ferror(file);
	if (fclose(file) || failed)
		leave(PERFEX_OUTPUT, "cannot write to \"%s\": %s", path,
		      strerror(errno));
}

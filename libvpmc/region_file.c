// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions: what a process leaves for perfex.
 *
 * One write(2) at the end of the file, which other processes append to as well.
 * A line for the process,
 *
 *	process PID EVENTS RUNNING OTHER MISMATCHES RESTARTS LOST COMMAND
 *
 * one for each event that was counted,
 *
 *	event CODE COUNTER MODES
 *
 * with the numbers of struct vpmc_event_sel, and one for each region,
 *
 *	region FLAGS CALLS INCLUSIVE EXCLUSIVE NET-INCLUSIVE NET-EXCLUSIVE NAME
 *
 * where the four counts stand once for each event. Numbers are decimal. NAME
 * and COMMAND extend to the end of the line. FLAGS are letters, or "-" for none:
 *
 *	i	no inclusive count
 *	e	no exclusive count
 *	o	open when the process ended
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define VPMC_REGION_NO_PROBE
#include "region_file.h"

/* Names are the program's: keep each to its line. */
static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name,
		      out);
	fputc('\n', out);
}

static void print_process(FILE *out, const struct vpmc_regions *about)
{
	char command[16] = "";

	prctl(PR_GET_NAME, command);
	fprintf(out, "process %ld %u %u %u %u %u %u ", (long)getpid(),
		about->events, about->running, about->other_events,
		about->mismatches, about->restarts, about->lost);
	print_name(out, command);
}

static void print_events(FILE *out, const struct vpmc_event_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		fprintf(out, "event %" PRIu64 " %d %u\n", set->sel[i].code,
			set->sel[i].counter, set->sel[i].modes);
}

static void print_flags(FILE *out, unsigned int flags)
{
	if (!flags)
		fputc('-', out);
	if (flags & VPMC_REGION_NO_INCLUSIVE)
		fputc('i', out);
	if (flags & VPMC_REGION_NO_EXCLUSIVE)
		fputc('e', out);
	if (flags & VPMC_REGION_OPEN)
		fputc('o', out);
}

static void print_region(FILE *out, const struct region_entry *entry,
			 unsigned int events)
{
	unsigned int i;

	fputs("region ", out);
	print_flags(out, entry->flags);
	fprintf(out, " %" PRIu64, entry->calls);
	for (i = 0; i < events; i++)
		fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
			entry->inclusive[0][i], entry->exclusive[0][i],
			entry->inclusive[1][i], entry->exclusive[1][i]);
	fputc(' ', out);
	print_name(out, entry->name);
}

static void append(const char *path, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	ssize_t written;

	if (fd < 0)
		return;
	do {
		written = write(fd, text, size);
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	} while (written > 0 && size);
	close(fd);
}

void vpmcint_region_write(const char *path, const struct region_list *list)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	size_t i;

	if (!out)
		return;
	print_process(out, &list->about);
	print_events(out, &list->set);
	for (i = 0; i < list->nr; i++)
		print_region(out, &list->entry[i], list->about.events);
	if (!fclose(out))
		append(path, text, size);
	free(text);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Write a process's regions to perfex's file.
 *
 * When a process begins its first region, it appends one line to the file, to which other
 * processes append as well:
 *
 *	start PID COMMAND
 *
 * When it exits, it appends all other lines by one write(2): a line for the process,
 *
 *	process PID EVENTS RUNNING OTHER MISMATCHES RESTARTS LOST STOPPED COMMAND
 *
 * a line for each event that was counted,
 *
 *	event CODE COUNTER MODES
 *
 * with the numbers of struct vpmc_event_sel, and a line for each region,
 *
 *	region FLAGS CALLS INCLUSIVE EXCLUSIVE NET-INCLUSIVE NET-EXCLUSIVE NAME
 *
 * with four counts for each event. If perfex wants resources, those of REGION_RESOURCES
 * follow, and EVENTS includes them. The last line has the number of regions. Without it,
 * regions are missing:
 *
 *	end PID REGIONS [NUMBER]
 *
 * NUMBER is that of the process in the file of vpmc_region_sums.h, if it has one there.
 * Each write(2) begins with an empty line, which ends a line that could not be
 * written as a whole. Numbers are decimal. NAME and COMMAND extend to the end of the
 * line. FLAGS are letters, or "-" for none:
 *
 *	i	no inclusive count
 *	e	no exclusive count
 *	o	open when the process ended
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "regions/region_count.h"
#include "regions/region_descriptor.h"
#include "regions/region_file.h"
#include "regions/region_sums.h"

/* Replace a control character in a name of the program, so that it stays on one line. */
static char clean_character(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

static void clean(char *name)
{
	for (; *name; name++)
		*name = clean_character(*name);
}

static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(clean_character(*name), out);
	fputc('\n', out);
}

static void print_process(FILE *out, const struct vpmc_regions *about)
{
	char command[16] = "";

	prctl(PR_GET_NAME, command);
	fprintf(out, "process %ld %u %u %u %u %u %u %u ", (long)getpid(),
		about->events, about->running, about->other_events,
		about->mismatches, about->restarts, about->lost,
		about->stopped);
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

/* This is perfex's file. */
static struct region_descriptor file;

/*
 * This is true if perfex knows of this process. Several threads may begin their first
 * regions at once.
 */
static atomic_bool announced;

void vpmcint_region_file_open(void)
{
	vpmcint_region_open_first(&file, "VPMC_REGIONS_FILE",
				  O_WRONLY | O_APPEND);
	/* Timelines do not have resources. */
	vpmcint_region_has_resources = file.path &&
				       getenv("VPMC_REGIONS_FAULTS") &&
				       !getenv("VPMC_TIMELINE_FILE");
}

/* Tell whether the process may append so many bytes. */
static bool has_room(int fd, size_t size)
{
	struct stat status;

	return !fstat(fd, &status) &&
	       vpmcint_region_may_grow(status.st_size + (off_t)size);
}

/* Append a text to the file. Returns whether all of it is there; perfex notices if not. */
static bool append(const char *text, size_t size)
{
	const int fd = vpmcint_region_open_again(&file);
	ssize_t written;

	if (fd < 0)
		return false;
	do {
		written = has_room(fd, size) ? write(fd, text, size) : -1;
		if (written > 0) {
			text += written;
			size -= (size_t)written;
		}
	} while (written > 0 && size);
	vpmcint_region_close_again(&file, fd);
	return !size;
}

void vpmcint_region_file_announce(void)
{
	char command[16] = "", text[64];
	int saved = errno, size;

	if (!file.path || atomic_exchange(&announced, true))
		return;
	prctl(PR_GET_NAME, command);
	clean(command);
	size = snprintf(text, sizeof(text), "\nstart %ld %s\n", (long)getpid(),
			command);
	if (!append(text, (size_t)size))
		vpmcint_sums_miss();
	errno = saved;
}

void vpmcint_region_file_forget(void)
{
	announced = false;
}

static void print_list(FILE *out, const struct region_list *list)
{
	const uint32_t process = vpmcint_sums_process();
	size_t i;

	fputc('\n', out);
	print_process(out, &list->about);
	print_events(out, &list->set);
	for (i = 0; i < list->nr; i++)
		print_region(out, &list->entry[i], list->about.events);
	fprintf(out, "end %ld %zu", (long)getpid(), list->nr);
	/* Perfex ignores the sums of a process that has written its regions. */
	if (process)
		fprintf(out, " %" PRIu32, process);
	fputc('\n', out);
}

bool vpmcint_region_file_write(const struct region_list *list)
{
	char *text = NULL;
	size_t size = 0;
	bool written;
	FILE *out;

	if (!file.path)
		return false;
	out = open_memstream(&text, &size);
	if (!out)
		return false;
	print_list(out, list);
	written = !fclose(out) && append(text, size);
	free(text);
	return written;
}

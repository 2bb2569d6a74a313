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
 * with four counts for each event. If perfex asks for resources, their counts
 * (REGION_RESOURCES) follow, and EVENTS includes them. The last line has the number of
 * regions. If this line is missing, so are regions:
 *
 *	end PID REGIONS [NUMBER]
 *
 * NUMBER is the number of the process in the file of vpmc_region_sums.h, if the process
 * has one. Each write(2) begins with an empty line, which ends an incomplete line.
 * Numbers are decimal. NAME and COMMAND extend to the end of the line. FLAGS are letters,
 * or "-" for none:
 *
 *	i	no inclusive count
 *	e	no exclusive count
 *	o	open when the process ended
 *
 * If a process did not write these lines, perfex writes them from its sums, with the flag
 *
 *	u	open when the process ended, and not read then
 */
#include <errno.h>
#include <fcntl.h>
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

/* This is perfex's file. */
static struct region_descriptor file;

/*
 * This is true if perfex knows this process. Several threads may begin their first
 * regions at the same time.
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

/* Return whether the process may append @size bytes. */
static bool has_room(int fd, size_t size)
{
	struct stat status;

	return !fstat(fd, &status) &&
	       vpmcint_region_may_grow(status.st_size + (off_t)size);
}

/*
 * Append a text to the file. Returns whether the whole text was written. perfex notices an
 * incomplete text.
 */
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
	char command[16] = "", text[64], *c;
	int saved = errno, size;

	if (!file.path || atomic_exchange(&announced, true))
		return;
	prctl(PR_GET_NAME, command);
	for (c = command; *c; c++)
		*c = vpmcint_region_printable(*c);
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
	char command[16] = "";

	prctl(PR_GET_NAME, command);
	fputc('\n', out);
	/* Perfex ignores the sums of a process that has written its regions. */
	vpmcint_region_print_list(out, list, getpid(), command,
				  vpmcint_sums_process());
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

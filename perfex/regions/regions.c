// SPDX-License-Identifier: GPL-2.0-only
/* Print the list of perfex --regions. */
#include "regions/regions.h"

#include <inttypes.h>

#include "regions/regions_collect.h"
#include "regions/regions_parse.h"
#include "regions/regions_sums.h"
#include "util/escaped.h"

/**
 * struct regions_list - the options of the list
 * @events: the events that perfex counts
 * @raw: true to print counts that include the cost of regions
 * @faults: true to print page faults and switches
 */
struct regions_list {
	const struct events *events;
	bool raw;
	bool faults;
};

/* These are the same names as in --times, in the order of struct region_line. */
static const char *const resources[REGION_RESOURCES] = {
	"minor_faults",
	"major_faults",
	"voluntary_switches",
	"involuntary_switches",
};

static void print_count(FILE *out, uint64_t count, bool valid)
{
	if (valid)
		fprintf(out, "  %*" PRIu64, COUNT_WIDTH, count);
	else
		fprintf(out, "  %*s", COUNT_WIDTH, NO_COUNT);
}

static void print_region(FILE *out, const struct region_line *line, void *arg)
{
	const struct regions_list *list = arg;
	bool can_happen;
	size_t i;

	fprintf(out, "region     %7" PRIu64 "  %*" PRIu64, line->pid,
		COUNT_WIDTH, line->calls);
	for (i = 0; i < list->events->nr; i++) {
		const uint64_t *counts =
			list->raw ? line->raw[i] : line->net[i];

		can_happen = !list->events->never[i];
		print_count(out, counts[0], can_happen && line->has_inclusive);
		print_count(out, counts[1], can_happen && line->has_exclusive);
	}
	for (i = 0; list->faults && i < REGION_RESOURCES; i++) {
		print_count(out, line->resource[i][0], line->has_inclusive);
		print_count(out, line->resource[i][1], line->has_exclusive);
	}
	fputs("  ", out);
	print_escaped(out, line->name, print_plain);
	fputc('\n', out);
}

static void print_head(const struct regions_left *left)
{
	char name[EVENT_NAME_MAX];
	size_t i;

	fprintf(left->out, "# region       pid  %*s", COUNT_WIDTH, "calls");
	for (i = 0; i < left->events->nr; i++) {
		event_name(left->events, i, name);
		fprintf(left->out, "  %*s  %*s", COUNT_WIDTH, name, COUNT_WIDTH,
			"exclusive");
	}
	for (i = 0; left->faults && i < REGION_RESOURCES; i++)
		fprintf(left->out, "  %*s  %*s", COUNT_WIDTH, resources[i],
			COUNT_WIDTH, "exclusive");
	fputs("  name\n", left->out);
}

static void print_notes(const struct regions_left *left)
{
	const struct process_line *sum = &left->sum;
	FILE *out = left->out;

	if (!left->processes && !left->first && !left->missing)
		fputs("# no process has left regions: they are collected when a"
		      " program with libvpmc's regions exits\n",
		      out);
	print_note(out, left->missing, "process is", "processes are",
		   "not listed: RLIMIT_FSIZE does not allow the files that"
		   " perfex reads");
	print_note(out, left->others, "process is", "processes are",
		   "not listed: other events were counted there");
	print_note(out, (unsigned int)sum->open, "region was", "regions were",
		   "open at the end: these counts end there");
	print_note(out, (unsigned int)sum->unread, "region was", "regions were",
		   "open when a process ended without exit(3): no counts are"
		   " known");
	print_note(out, (unsigned int)sum->mismatches, "end of a region",
		   "ends of regions", "did not match the region begun last");
	print_note(out, (unsigned int)sum->running, "thread is", "threads are",
		   "missing in regions: it had not exited");
	print_note(out, (unsigned int)sum->other_events, "thread is",
		   "threads are",
		   "missing in regions: other counts were started there");
	print_note(out, (unsigned int)sum->restarts, "time", "times",
		   "counts were started again: regions before that are"
		   " missing");
	print_note(out, (unsigned int)sum->lost, "region is", "regions are",
		   "missing: there was no memory, or their thread had exited");
	print_note(out, (unsigned int)sum->stopped, "time", "times",
		   "counting was stopped in between: what was executed then is"
		   " missing in regions that were open");
}

/* Name the processes whose regions are missing. Returns their number. */
static unsigned int print_missing(const struct regions_left *left)
{
	const struct started *started;
	unsigned int missing = 0;

	for (started = left->first; started; started = started->next) {
		if (started->left)
			continue;
		missing++;
		fprintf(left->out, "# process %" PRIu64 " (", started->pid);
		print_escaped(left->out, started->command, print_plain);
		fprintf(left->out, ") is not listed: %s\n",
			started->cut_off ? "its regions are cut off"
					 : "it has left no regions");
	}
	return missing;
}

/* Check that nothing is missing. Returns 0, or an enum perfex_status. */
static int check_complete(const struct regions_left *left)
{
	const unsigned int missing = print_missing(left);

	if (left->no_memory)
		return PERFEX_SYSTEM;
	return missing || left->missing || left->cut_off ? PERFEX_INVALID : 0;
}

int print_regions(FILE *out, const struct regions_files *files,
		  const struct events *events, bool raw, bool faults)
{
	struct regions_list list = { .events = events,
				     .raw = raw,
				     .faults = faults };
	struct regions_left left = { .out = out,
				     .events = events,
				     .faults = faults,
				     .print = print_region,
				     .arg = &list };
	int status;

	print_head(&left);
	status = parse_regions(&left, files->lines);
	if (!status)
		status = add_sums(&left, files->sums);
	if (!status) {
		print_notes(&left);
		status = check_complete(&left);
	}
	free_regions(&left);
	return status;
}

void complain_of_regions(int failure)
{
	if (failure == PERFEX_SYSTEM)
		complain(
			"cannot list all regions: there is no memory for them, or"
			" their file cannot be read");
	else
		complain(
			"regions are missing: there is no space for them (TMPDIR names"
			" another directory), or the program is linked with"
			" another libvpmc, which leaves them at exit(3) alone");
}

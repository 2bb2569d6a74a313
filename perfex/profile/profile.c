// SPDX-License-Identifier: GPL-2.0-only
/* Take the samples of a command, and write the table. */
#include "profile/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "profile/form_file.h"
#include "profile/present.h"
#include "profile/profile_table.h"
#include "profile/saved_profile.h"
#include "timeline/timeline.h"
#include "util/stream.h"

/* perfex first tries this size of a ring. It halves the size until the kernel accepts it. */
#define RING_SIZE     (1UL << 20)
#define RING_SIZE_MIN (1UL << 14)

/* elfutils uses 150 KB of the stack to read the lines of a file. */
#define STACK_KB_MIN 512UL

/**
 * struct profile - a profile of a command
 * @events: the events
 * @rings: the rings of samples of each handle
 * @nr_rings: number of @rings
 * @at_ticks: true if samples are taken at clock ticks
 * @collection: the samples
 * @times: times of regions, until they have been read
 * @has_times: whether @times is valid
 * @detail: what a row of the table stands for
 * @form: the form of @file
 * @file: the file, if there is one
 * @has_file: whether @file is open
 * @report: output of the report. The table follows the report unless the table is in @file.
 */
struct profile {
	const struct events *events;
	struct vpmc_samples_rings *rings[PIDS_MAX];
	size_t nr_rings;
	bool at_ticks;
	struct collection collection;
	struct timeline times;
	bool has_times;
	enum profile_detail detail;
	enum profile_form form;
	struct output file;
	bool has_file;
	struct output *report;
};

static int complain_memory(void)
{
	complain("no memory for the profile: choose longer periods");
	return PERFEX_SYSTEM;
}

/*
 * Open the largest rings that the kernel accepts. Returns the result of vpmc_samples_open_with().
 */
static int open_largest(struct profile *profile, struct vpmc *vpmc,
			const struct vpmc_samples_options *options,
			struct vpmc_error *err)
{
	size_t size = RING_SIZE;
	int ret;

	profile->at_ticks = options->at_ticks != 0;
	do {
		ret = vpmc_samples_open_with(vpmc, profile->events->period,
					     profile->events->nr, size, options,
					     &profile->rings[profile->nr_rings],
					     err);
		size /= 2;
	} while (ret == VPMC_E_MEMORY && size >= RING_SIZE_MIN);
	return ret;
}

/*
 * Tell whether samples at ticks are sufficient for the options. Jitter and callers need samples
 * at the events.
 */
static bool may_be_at_ticks(const struct events *events)
{
	size_t i = 0;

	while (i < events->nr && !events->jitter[i])
		i++;
	return i == events->nr && !events->callers;
}

/* Open rings. If counters cannot interrupt, take samples at ticks. */
int add_rings(struct profile *profile, struct vpmc *vpmc)
{
	const struct events *events = profile->events;
	struct vpmc_samples_options options = { .seed = events->seed,
						.callers = events->callers,
						.at_ticks = events->at_ticks };
	struct vpmc_error err;
	int ret;

	memcpy(options.jitter, events->jitter,
	       events->nr * sizeof(*options.jitter));
	ret = open_largest(profile, vpmc, &options, &err);
	if (ret == VPMC_E_UNSUPPORTED && may_be_at_ticks(events)) {
		options.at_ticks = 1;
		ret = open_largest(profile, vpmc, &options, &err);
	}
	if (ret)
		return complain_vpmc(&err);
	profile->nr_rings++;
	return 0;
}

int add_process(struct profile *profile, int pid)
{
	return read_process(&profile->collection, pid) ? 0 : complain_memory();
}

static int open_file(struct profile *profile, const char *file,
		     struct output *report)
{
	int status;

	profile->report = report;
	profile->form = PROFILE_TABLE;
	if (!file)
		return 0;
	profile->form = profile_form(file);
	status = open_another_output(&profile->file, file, "--profile", report);
	profile->has_file = !status;
	return status;
}

/* Let processes leave the times of their regions. */
static int collect_times(struct profile *profile)
{
	int status = collect_region_times(&profile->times);

	profile->has_times = !status;
	profile->collection.with_regions = !status;
	return status;
}

/*
 * Find the regions of the samples. Even if some regions are missing, the other regions are
 * correct.
 */
static int read_times(struct profile *profile)
{
	int status;

	if (!profile->has_times)
		return 0;
	profile->has_times = false;
	status = read_region_times(&profile->times, profile->events,
				   note_region, &profile->collection);
	find_regions(&profile->collection);
	return status;
}

/*
 * Refuse to profile if the stack is so small that perfex would crash before it prints the table.
 */
static int check_stack(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) ||
	    limit.rlim_cur / 1024 >= STACK_KB_MIN)
		return 0;
	complain("the stack is limited to %lu KB, and a profile needs %lu:"
		 " raise the limit (ulimit -s %lu)",
		 (unsigned long)(limit.rlim_cur / 1024), STACK_KB_MIN,
		 STACK_KB_MIN);
	return PERFEX_SYSTEM;
}

int open_profile(struct profile **profile, const struct events *events,
		 const struct request *request, struct output *report)
{
	struct profile *new;
	int status = check_stack();

	if (status)
		return status;
	new = calloc(1, sizeof(*new));
	status = new &&begin_collection(&new->collection) ? 0
							  : complain_memory();
	if (!status) {
		new->events = events;
		new->detail = request->report.profile_detail;
		status = open_file(new, request->report.profile, report);
		if (!status && request->count.regions)
			status = collect_times(new);
	}
	if (status)
		close_profile(new);
	else
		*profile = new;
	return status;
}

void empty_rings(struct profile *profile, bool rest)
{
	size_t i;

	for (i = 0; i < profile->nr_rings; i++)
		vpmc_samples_read(profile->rings[i], rest, collect,
				  &profile->collection);
}

static struct vpmc_lost_samples add_lost(const struct profile *profile)
{
	struct vpmc_lost_samples sum = { .samples = 0 };
	size_t i;

	for (i = 0; i < profile->nr_rings; i++) {
		struct vpmc_lost_samples lost;

		vpmc_samples_lost(profile->rings[i], &lost);
		sum.samples += lost.samples;
		sum.changes += lost.changes;
		sum.hidden += lost.hidden;
		sum.invalid += lost.invalid;
	}
	return sum;
}

/* Print a report to memory. The caller frees the text. Returns NULL if there is no memory. */
static char *print_to_memory(void (*print)(FILE *out,
					   const struct profile_report *report),
			     const struct profile_report *report, size_t *size)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size);

	if (!out)
		return NULL;
	print(out, report);
	if (close_stream(out))
		return text;
	free(text);
	return NULL;
}

/* Write a text that was printed to memory, and free it. */
static int write_printed(struct output *output, bool alone, char *text,
			 size_t size)
{
	int status;

	if (!text)
		return complain_memory();
	status = alone ? empty_output(output) : 0;
	if (!status)
		status = write_text(output, text, size);
	free(text);
	return status;
}

static int write_table(struct profile *profile,
		       const struct profile_report *report)
{
	bool alone = profile->has_file && profile->form == PROFILE_TABLE;
	size_t size = 0;
	char *text = print_to_memory(print_profile, report, &size);

	return write_printed(alone ? &profile->file : profile->report, alone,
			     text, size);
}

/* Write the file for --merge, or for another tool. */
static int write_file(struct profile *profile,
		      const struct profile_report *report,
		      struct symbols *symbols)
{
	size_t size = 0;
	char *text;

	if (profile->form == PROFILE_TABLE)
		return 0;
	if (profile->form == PROFILE_SAVED)
		text = print_to_memory(print_saved, report, &size);
	else
		text = print_form(profile->form, report->events,
				  report->collection, symbols, &size);
	return write_printed(&profile->file, true, text, size);
}

/* Make the rows of a report, and write it. */
static int write_all(struct profile *profile,
		     const struct profile_report *samples)
{
	struct profile_report report = *samples;
	struct symbols *symbols = symbols_open();
	struct rows rows;
	int status;

	if (!symbols ||
	    !make_rows(&rows, profile->detail, report.collection, symbols)) {
		symbols_close(symbols);
		return complain_memory();
	}
	report.rows = &rows;
	status = write_file(profile, &report, symbols);
	if (!status)
		status = write_table(profile, &report);
	free_rows(&rows);
	symbols_close(symbols);
	return status;
}

int write_profile(struct profile *profile, const struct vpmc_counts *counts)
{
	int failure = read_times(profile);
	struct profile_report report = { .events = profile->events,
					 .counts = counts->count,
					 .collection = &profile->collection,
					 .at_ticks = profile->at_ticks,
					 .lost = add_lost(profile),
					 .has_seed = true };
	int status = write_all(profile, &report);

	return status ? status : failure;
}

static int write_saved(struct profile *profile,
		       const struct saved_profile *saved)
{
	struct profile_report report = { .events = &saved->events,
					 .counts = saved->counts,
					 .collection = &saved->collection,
					 .at_ticks = saved->at_ticks,
					 .lost = saved->lost };
	int status = empty_output(profile->report);

	return status ? status : write_all(profile, &report);
}

static int merge_to(struct profile *profile, struct saved_profile *saved,
		    const struct request *request)
{
	char **file = request->count.command;
	int status = 0;

	if (!begin_collection(&saved->collection))
		return complain_memory();
	for (; !status && *file; file++)
		status = read_saved(saved, *file);
	if (!status)
		status = write_saved(profile, saved);
	end_collection(&saved->collection);
	return status;
}

int merge_profiles(const struct request *request, const struct output *beside)
{
	static struct saved_profile saved;
	struct profile *profile = NULL;
	struct output output;
	int status = open_output(&output, request->report.output, "-o",
				 request->report.append, FORMAT_TEXT, beside);
	int failure;

	if (status)
		return status;
	status = open_profile(&profile, &saved.events, request, &output);
	if (!status)
		status = merge_to(profile, &saved, request);
	failure = close_profile(profile);
	status = status ? status : failure;
	failure = close_output(&output);
	return status ? status : failure;
}

int close_profile(struct profile *profile)
{
	int status = 0;

	if (!profile)
		return 0;
	if (profile->has_times)
		read_region_times(&profile->times, profile->events, NULL, NULL);
	if (profile->has_file)
		status = close_output(&profile->file);
	while (profile->nr_rings)
		vpmc_samples_close(profile->rings[--profile->nr_rings]);
	end_collection(&profile->collection);
	free(profile);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write the text of "perf script", which speedscope, Firefox Profiler and stackcollapse-perf.pl
 * read. Some tools add up the periods of records, and others weigh records by their distances in
 * time. So each sample has a record, and the distance of records is a microsecond. The process of
 * a record is 0 and its time is invented, because a profile does not keep the process and the
 * time of a sample.
 *
 * If there are very many samples, each record stands for several. The periods add up exactly.
 */
#include <inttypes.h>
#include <string.h>

#include "profile_formats/frames.h"

#define MICROSECONDS 1000000u

/*
 * Tools cannot show many more records than this. There can be a few more, because the number of
 * records is rounded up for each instruction.
 */
#define RECORDS_MAX 1000000u

/* Print the line of a frame: an address, the function, and the file in parentheses. */
static void put_frame(FILE *out, uint64_t address, const char *function,
		      const char *object)
{
	fprintf(out, "\t%16" PRIx64 " ", address);
	put_words(out, function, "");
	fputs(" (", out);
	put_words(out, object, "");
	fputs(")\n", out);
}

static void put_frames(FILE *out, const struct profile_data *data,
		       const struct profile_spot *spot)
{
	struct symbols_place place;
	size_t i;

	find_place(data, spot, &place);
	if (!place.nr_frames)
		put_frame(out, spot->offset, "[unknown]", spot->object);
	for (i = 0; i + 1 < place.nr_frames; i++)
		put_frame(out, spot->offset, place.frames[i].function,
			  "inlined");
	if (place.nr_frames)
		put_frame(out, spot->offset, place.frames[i].function,
			  spot->object);
}

/* Print an instruction and its callers, the outermost last. */
static void put_stack(FILE *out, const struct profile_data *data,
		      const struct profile_spot *spot)
{
	const struct profile_caller *caller = spot->caller;
	struct profile_spot call;

	put_frames(out, data, spot);
	for (; caller; caller = caller->next) {
		call = spot_of_caller(spot, caller);
		put_frames(out, data, &call);
	}
	putc('\n', out);
}

/*
 * Print a record of some samples. Replace spaces in the program's name, because spaces separate
 * fields.
 */
static void put_record(FILE *out, const struct profile_data *data,
		       const struct profile_spot *spot, uint64_t samples,
		       uint64_t time)
{
	put_words(out, spot->program, " ");
	fprintf(out, "     0 %" PRIu64 ".%06" PRIu64 ": %10" PRIu64 " ",
		time / MICROSECONDS, time % MICROSECONDS,
		samples * data->events->period[spot->event]);
	put_event(out, data->events, spot->event, " ");
	fputs(":\n", out);
	put_stack(out, data, spot);
}

/* Compute the maximum number of samples in a record. */
static uint64_t samples_per_record(const struct profile_data *data)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < data->nr_spots; i++)
		all += data->spot[i].samples;
	return all / RECORDS_MAX + 1;
}

bool write_perf_script(FILE *out, struct profile_data *data)
{
	const uint64_t most = samples_per_record(data);
	uint64_t time = 0;
	size_t i;

	sort_spots(data);
	for (i = 0; i < data->nr_spots; i++) {
		uint64_t left = data->spot[i].samples;

		for (; left > most; left -= most)
			put_record(out, data, &data->spot[i], most, time++);
		put_record(out, data, &data->spot[i], left, time++);
	}
	return true;
}

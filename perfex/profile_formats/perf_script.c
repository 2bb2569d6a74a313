// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write the text of "perf script", which speedscope, Firefox Profiler and stackcollapse-perf.pl
 * read. A profile keeps neither the time of a sample nor its process, so an instruction is one
 * sample of pid 0 with all its events as period. Its time is the number of events before it, in
 * nanoseconds: tools that show a time show events. Each event has its own time.
 */
#include <inttypes.h>
#include <string.h>

#include "profile_formats/frames.h"

#define NANOSECONDS 1000000000u

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
	putc('\n', out);
}

/* Print a sample that ends at a time. Spaces would separate words of the program's name. */
static void put_sample(FILE *out, const struct profile_data *data,
		       const struct profile_spot *spot, uint64_t time)
{
	put_words(out, spot->program, " ");
	fprintf(out, "     0 %" PRIu64 ".%09" PRIu64 ": %10" PRIu64 " ",
		time / NANOSECONDS, time % NANOSECONDS,
		spot_events(data, spot));
	put_event(out, data->events, spot->event, " ");
	fputs(":\n", out);
	put_frames(out, data, spot);
}

bool write_perf_script(FILE *out, struct profile_data *data)
{
	uint64_t time;
	size_t event, i;

	sort_spots(data);
	for (event = 0; event < data->events->nr; event++) {
		time = 0;
		for (i = 0; i < data->nr_spots; i++) {
			if (data->spot[i].event != event)
				continue;
			put_sample(out, data, &data->spot[i], time);
			time += spot_events(data, &data->spot[i]);
		}
	}
	return true;
}

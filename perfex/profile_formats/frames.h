/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares functions for the data that all forms of a profile need. */
#ifndef PERFEX_PROFILE_FORMATS_FRAMES_H
#define PERFEX_PROFILE_FORMATS_FRAMES_H

#include "profile_formats/formats.h"

/* compare_regions() - compare the names of the regions of two instructions */
int compare_regions(const struct profile_spot *a, const struct profile_spot *b);

/**
 * sort_spots() - sort instructions by program, region, file, caller and offset
 * @data: the profile
 *
 * With sorted instructions, equal samples give equal files, and each function is searched only
 * once.
 */
void sort_spots(struct profile_data *data);

/**
 * find_place() - find the names of an instruction
 * @data: the profile
 * @spot: the instruction
 * @place: receives the names, which are valid until the next call
 */
void find_place(const struct profile_data *data,
		const struct profile_spot *spot, struct symbols_place *place);

/* spot_of_caller() - describe a caller of an instruction, without samples */
struct profile_spot spot_of_caller(const struct profile_spot *spot,
				   const struct profile_caller *caller);

/* spot_events() - compute the number of events that the samples of an instruction stand for */
uint64_t spot_events(const struct profile_data *data,
		     const struct profile_spot *spot);

/* sampled_events() - count the events that have samples */
size_t sampled_events(const struct profile_data *data);

/* put_event() - print the name of an event like put_words() */
void put_event(FILE *out, const struct events *events, size_t event,
	       const char *separators);

/* base_name() - find the last component of a path */
const char *base_name(const char *path);

/* put_unknown() - print "[FILE]" instead of the name of an unknown function, like put_words() */
void put_unknown(FILE *out, const char *object, const char *separators);

/**
 * put_words() - print a text, and replace characters with a special meaning in the form
 * @out: stream to write to
 * @text: the text
 * @separators: characters that become ":"; control characters become "?"
 */
void put_words(FILE *out, const char *text, const char *separators);

#endif /* PERFEX_PROFILE_FORMATS_FRAMES_H */

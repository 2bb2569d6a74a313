// SPDX-License-Identifier: GPL-2.0-only
/* Find the data that all forms of a profile need for each instruction. */
#include "profile_formats/frames.h"

#include <stdlib.h>
#include <string.h>

int compare_regions(const struct profile_spot *a, const struct profile_spot *b)
{
	return strcmp(a->region ? a->region : "", b->region ? b->region : "");
}

static int compare_spots(const void *first, const void *second)
{
	const struct profile_spot *a = first;
	const struct profile_spot *b = second;
	int order = strcmp(a->program, b->program);

	if (!order)
		order = compare_regions(a, b);
	if (!order)
		order = strcmp(a->object, b->object);
	if (order)
		return order;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return (a->event > b->event) - (a->event < b->event);
}

void sort_spots(struct profile_data *data)
{
	if (data->nr_spots)
		qsort(data->spot, data->nr_spots, sizeof(*data->spot),
		      compare_spots);
}

void find_place(const struct profile_data *data,
		const struct profile_spot *spot, struct symbols_place *place)
{
	if (spot->is_kernel)
		symbols_find_kernel(data->symbols, spot->offset, place);
	else if (spot->is_file)
		symbols_find(data->symbols, spot->object, spot->offset, place);
	else
		*place = (struct symbols_place){ .build_id = "",
						 .result = SYMBOLS_NO_FILE };
}

struct profile_spot spot_of_caller(const struct profile_spot *spot,
				   const struct profile_caller *caller)
{
	return (struct profile_spot){ .program = spot->program,
				      .object = caller->object,
				      .offset = caller->offset,
				      .is_file = caller->is_file };
}

uint64_t spot_events(const struct profile_data *data,
		     const struct profile_spot *spot)
{
	return spot->samples * data->events->period[spot->event];
}

size_t sampled_events(const struct profile_data *data)
{
	size_t nr = 0, i;

	for (i = 0; i < data->events->nr; i++)
		nr += data->events->period[i] != 0;
	return nr;
}

const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

void put_words(FILE *out, const char *text, const char *separators)
{
	for (; *text; text++) {
		unsigned char character = *text;

		if (character < ' ' || character == 0x7f)
			putc('?', out);
		else if (strchr(separators, character))
			putc(':', out);
		else
			putc(character, out);
	}
}

void put_event(FILE *out, const struct events *events, size_t event,
	       const char *separators)
{
	char name[EVENT_NAME_MAX];

	event_name(events, event, name);
	put_words(out, name, separators);
}

void put_unknown(FILE *out, const char *object, const char *separators)
{
	/* Memory that is not a file has a name such as "[vdso]". */
	bool is_bare = object[0] != '[';

	if (is_bare)
		putc('[', out);
	put_words(out, base_name(object), separators);
	if (is_bare)
		putc(']', out);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Print the collected samples in the form of another tool. */
#include "profile/form_file.h"

#include <stdlib.h>

#include "profile/rows.h"
#include "util/stream.h"

/*
 * Return the names of all callers, indexed by their numbers less 1, or NULL if memory is short.
 */
static struct profile_caller *name_callers(const struct collection *collection)
{
	const struct stacks *stacks = &collection->stacks;
	struct profile_caller *named = calloc(stacks->nr + 1U, sizeof(*named));
	uint32_t i;

	for (i = 0; named && i < stacks->nr; i++) {
		const struct caller *caller = &stacks->caller[i];
		const struct object *object =
			&collection->names.object[caller->object];

		named[i] = (struct profile_caller){
			.object = name_of_object(object),
			.is_file = object->inode != 0,
			.offset = caller->offset,
			.next = caller->next ? &named[caller->next - 1] : NULL,
		};
	}
	return named;
}

static struct profile_spot name_spot(const struct collection *collection,
				     const struct profile_caller *callers,
				     const struct spot *spot)
{
	const struct object *names = collection->names.object;
	const struct object *object = &names[spot->object];

	return (struct profile_spot){
		.event = spot->event,
		.program = names[spot->program].name,
		.region = spot->region ? names[spot->region - 1].name : NULL,
		.object = name_of_object(object),
		.is_file = object->inode != 0,
		.is_kernel = spot->object == OBJECT_KERNEL,
		.offset = spot->offset,
		.samples = spot->samples,
		.caller = spot->callers ? &callers[spot->callers - 1] : NULL,
	};
}

/* Return the samples with names instead of numbers, or NULL if memory is short. */
static struct profile_spot *name_spots(const struct collection *collection,
				       const struct profile_caller *callers,
				       size_t *nr)
{
	const struct spots *spots = &collection->spots;
	struct profile_spot *named = calloc(spots->nr + 1, sizeof(*named));
	size_t i;

	*nr = 0;
	for (i = 0; named && i < spots->room; i++) {
		if (spots->slot[i].samples)
			named[(*nr)++] =
				name_spot(collection, callers, &spots->slot[i]);
	}
	return named;
}

static bool write_form(FILE *out, enum profile_form form,
		       struct profile_data *data)
{
	switch (form) {
	case PROFILE_FOLDED:
		return write_folded(out, data);
	case PROFILE_CALLGRIND:
		return write_callgrind(out, data);
	case PROFILE_PERF:
		return write_perf_script(out, data);
	case PROFILE_PPROF:
		return write_pprof(out, data);
	case PROFILE_SAVED:
	case PROFILE_TABLE:
		break;
	}
	return false;
}

char *print_form(enum profile_form form, const struct events *events,
		 const struct collection *collection, struct symbols *symbols,
		 size_t *size)
{
	struct profile_data data = { .events = events, .symbols = symbols };
	struct profile_caller *callers = name_callers(collection);
	char *text = NULL;
	bool complete = false;
	FILE *out;

	if (callers)
		data.spot = name_spots(collection, callers, &data.nr_spots);
	out = data.spot ? open_memstream(&text, size) : NULL;
	if (out) {
		complete = write_form(out, form, &data);
		complete = close_stream(out) && complete;
	}
	free(data.spot);
	free(callers);
	if (complete)
		return text;
	free(text);
	return NULL;
}

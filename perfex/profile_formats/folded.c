// SPDX-License-Identifier: GPL-2.0-only
/*
 * Write folded stacks, the input of flame graph tools: "PROGRAM;OUTER;INNER EVENTS" in each line.
 * A stack is the program, the region if there is one, the callers, the function, and the
 * functions that are inlined in each of them. If several events are sampled, the event comes
 * first.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile_formats/frames.h"

static void put_frame(FILE *out, const char *name)
{
	putc(';', out);
	put_words(out, name, ";");
}

/* Print the functions of an instruction, the outermost first. */
static void put_functions(FILE *out, const struct profile_data *data,
			  const struct profile_spot *spot)
{
	struct symbols_place place;
	size_t i;

	find_place(data, spot, &place);
	if (!place.nr_frames) {
		putc(';', out);
		put_unknown(out, spot->object, ";");
	}
	for (i = place.nr_frames; i > 0; i--)
		put_frame(out, place.frames[i - 1].function);
}

/* Print the callers of an instruction, the outermost first. */
static void put_callers(FILE *out, const struct profile_data *data,
			const struct profile_spot *spot)
{
	const struct profile_caller *callers[VPMC_CALLERS_MAX];
	const struct profile_caller *caller = spot->caller;
	struct profile_spot call;
	size_t nr = 0;

	for (; caller && nr < VPMC_CALLERS_MAX; caller = caller->next)
		callers[nr++] = caller;
	while (nr--) {
		call = spot_of_caller(spot, callers[nr]);
		put_functions(out, data, &call);
	}
}

/*
 * Print the stack of an instruction. Flame graph tools recognize functions of the kernel by
 * "_[k]".
 */
static void put_stack(FILE *out, const struct profile_data *data,
		      const struct profile_spot *spot)
{
	if (sampled_events(data) > 1) {
		put_event(out, data->events, spot->event, ";");
		putc(';', out);
	}
	put_words(out, spot->program, ";");
	if (spot->region)
		put_frame(out, spot->region);
	put_callers(out, data, spot);
	put_functions(out, data, spot);
	if (spot->is_kernel)
		fputs("_[k]", out);
}

/* Return the stack of an instruction, or NULL. The caller frees it. */
static char *make_stack(const struct profile_data *data,
			const struct profile_spot *spot)
{
	char *stack = NULL;
	size_t size;
	FILE *out = open_memstream(&stack, &size);

	if (!out)
		return NULL;
	put_stack(out, data, spot);
	if (fclose(out) == 0)
		return stack;
	free(stack);
	return NULL;
}

static void put_line(FILE *out, const char *stack, uint64_t events)
{
	if (stack)
		fprintf(out, "%s %" PRIu64 "\n", stack, events);
}

/* Instructions are sorted, so those with equal stacks follow each other and become one line. */
bool write_folded(FILE *out, struct profile_data *data)
{
	char *last = NULL;
	uint64_t events = 0;
	size_t i;

	sort_spots(data);
	for (i = 0; i < data->nr_spots; i++) {
		char *stack = make_stack(data, &data->spot[i]);

		if (!stack) {
			free(last);
			return false;
		}
		if (last && strcmp(stack, last) == 0) {
			free(stack);
		} else {
			put_line(out, last, events);
			free(last);
			last = stack;
			events = 0;
		}
		events += spot_events(data, &data->spot[i]);
	}
	put_line(out, last, events);
	free(last);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * See thread_windows.h. Any program can write anything to its windows: nothing here
 * relies on what they have. They are copies, which nobody changes meanwhile.
 */
#include "timeline/thread_windows.h"

#include <stdlib.h>
#include <string.h>

/* Threads do not have so many regions in different places. */
#define REGIONS_MAX (1U << 24)

/* Categories. */
#define REGION "region"
#define PERFEX "perfex"

#define OPEN		"it had not ended"
#define NOT_COUNTED	"it was not counted all the time"
#define ONE_NOT_COUNTED "one within it was not counted all the time"

/**
 * struct inside - what regions have counted that have ended within another one
 * @nr: how many; without any the rest has no meaning
 * @uncounted: one of them was not counted
 * @count: their counts
 */
struct inside {
	uint64_t nr;
	bool uncounted;
	uint64_t count[VPMC_TIMELINE_EVENTS];
};

/**
 * struct place - a region in one place
 * @head: of its events, NULL if its name is not known
 * @around: the region that it is begun in, 0 for none
 * @early: what was within the call whose begin comes next: a handler's regions, if the
 *	signal came before that was noted
 */
struct place {
	struct trace_head *head;
	uint32_t around;
	struct inside early;
};

/**
 * struct open_region - one that has begun
 * @region: its number
 * @begin_ns: when it began, of trace_time()
 * @inside: what has ended within it
 */
struct open_region {
	uint32_t region;
	uint64_t begin_ns;
	struct inside inside;
};

/**
 * struct replay - a thread
 * @trace: where to print
 * @flaws: is added to
 * @raw: whether to leave in what the regions themselves cost
 * @tid: its number in the timeline
 * @thread: how it is printed
 * @unknown: the head of regions whose name is not known
 * @change: that of changes of the window
 * @window: the present one
 * @events: how many counts its entries have
 * @size: bytes of its entries
 * @stamp: the last one
 * @place: the regions by their numbers
 * @nr_places: how many numbers there is room for
 * @open: the regions that have begun, the innermost last
 * @nr_open: how many
 * @room: for how many there is room
 */
struct replay {
	struct trace *trace;
	struct trace_flaws *flaws;
	bool raw;
	int tid;
	struct trace_thread thread;
	struct trace_head *unknown;
	struct trace_head *change;
	const struct vpmc_timeline_window *window;
	uint32_t events;
	uint32_t size;
	uint64_t stamp;
	struct place *place;
	uint32_t nr_places;
	struct open_region *open;
	size_t nr_open;
	size_t room;
};

struct replay *begin_replay(struct trace *trace, struct trace_flaws *flaws,
			    bool raw, int tid)
{
	struct replay *replay = calloc(1, sizeof(*replay));

	if (replay) {
		replay->trace = trace;
		replay->flaws = flaws;
		replay->raw = raw;
		replay->tid = tid;
		replay->stamp = trace->base;
	}
	return replay;
}

/* Returns NULL if there is no such number. */
static struct place *place_of(const struct replay *replay, uint32_t region)
{
	return region && region < replay->nr_places ? &replay->place[region]
						    : NULL;
}

static const struct trace_head *head_of(const struct replay *replay,
					uint32_t region)
{
	const struct place *place = place_of(replay, region);

	return place && place->head ? place->head : replay->unknown;
}

/* Processors may have time stamp counters that differ; no time goes back. */
static void advance(struct replay *replay, uint64_t stamp)
{
	if (stamp < replay->stamp)
		replay->flaws->earlier++;
	else
		replay->stamp = stamp;
}

static uint64_t present_ns(struct replay *replay)
{
	return trace_time(replay->trace, &replay->thread, replay->stamp);
}

static void end_open(struct replay *replay, const struct trace_counts *counts,
		     const char *note)
{
	const struct open_region *open = &replay->open[--replay->nr_open];

	trace_region(replay->trace, &replay->thread,
		     head_of(replay, open->region), open->begin_ns,
		     present_ns(replay), counts, note);
}

/* All that have begun behind the first @nr, and whose ends are not known. */
static void end_others(struct replay *replay, size_t nr)
{
	while (replay->nr_open > nr) {
		replay->flaws->open++;
		end_open(replay, NULL, OPEN);
	}
}

/*
 * The program has died, or its regions begin anew. It may have worked in the innermost
 * one up to then.
 */
static void end_all(struct replay *replay, uint64_t stamp)
{
	if (replay->nr_open && stamp > replay->stamp)
		replay->stamp = stamp;
	end_others(replay, 0);
}

static bool grow_places(struct replay *replay, uint32_t region)
{
	const uint32_t nr = region < 64 ? 64 : 2 * region;
	struct place *place;

	if (region < replay->nr_places)
		return true;
	place = reallocarray(replay->place, nr, sizeof(*place));
	if (!place)
		return false;
	memset(place + replay->nr_places, 0,
	       (nr - replay->nr_places) * sizeof(*place));
	replay->place = place;
	replay->nr_places = nr;
	return true;
}

static bool read_name(struct replay *replay,
		      const struct vpmc_timeline_entry *entry, size_t length)
{
	struct place *place;
	char *name;

	if (!entry->region || entry->region >= REGIONS_MAX)
		return true;
	if (!grow_places(replay, entry->region))
		return false;
	place = &replay->place[entry->region];
	free(place->head);
	name = strndup((const char *)entry +
			       offsetof(struct vpmc_timeline_entry, text),
		       length);
	place->head = name ? make_head(&replay->thread, REGION, name) : NULL;
	free(name);
	place->around = (uint32_t)entry->value;
	return place->head;
}

static bool read_begin(struct replay *replay,
		       const struct vpmc_timeline_entry *entry)
{
	struct place *place = place_of(replay, entry->region);
	const size_t room = 2 * replay->room + 16;
	struct open_region *open;

	if (replay->nr_open == replay->room) {
		open = reallocarray(replay->open, room, sizeof(*open));
		if (!open)
			return false;
		replay->open = open;
		replay->room = room;
	}
	open = &replay->open[replay->nr_open++];
	advance(replay, entry->value);
	open->region = entry->region;
	open->begin_ns = present_ns(replay);
	open->inside.nr = 0;
	if (place && place->early.nr) {
		open->inside = place->early;
		place->early.nr = 0;
	}
	return true;
}

/* How many are open up to this region, which is the last of them; 0 if it is not open. */
static size_t find_open(const struct replay *replay, uint32_t region)
{
	size_t nr = replay->nr_open;

	while (nr && replay->open[nr - 1].region != region)
		nr--;
	return nr;
}

static uint64_t less(uint64_t count, uint64_t cost)
{
	return count > cost ? count - cost : 0;
}

static bool has_uncounted(const struct inside *inside)
{
	return inside->nr && inside->uncounted;
}

/* As libvpmc does it with the sums of all calls. */
static void find_net_counts(const struct replay *replay,
			    const struct inside *inside, const uint64_t *count,
			    struct trace_counts *counts)
{
	const struct vpmc_timeline_window *window = replay->window;
	uint64_t cost;
	unsigned int i;

	counts->has_exclusive = inside->nr && !has_uncounted(inside);
	for (i = 0; i < replay->thread.nr; i++) {
		cost = replay->raw ? 0 : window->own[i];
		if (!replay->raw && inside->nr)
			cost += inside->nr * window->pair[i];
		counts->inclusive[i] =
			i < replay->events ? less(count[i], cost) : 0;
		if (counts->has_exclusive)
			counts->exclusive[i] =
				less(counts->inclusive[i], inside->count[i]);
	}
}

static void add_inside(struct inside *outer, const struct inside *inside,
		       const struct trace_counts *counts, bool counted,
		       unsigned int events)
{
	unsigned int i;

	if (!outer->nr)
		*outer = (struct inside){ .nr = 0 };
	outer->nr++;
	outer->uncounted |= !counted;
	if (inside->nr)
		outer->nr += inside->nr;
	for (i = 0; i < events; i++)
		outer->count[i] += counts->inclusive[i];
}

/*
 * The region around is that in which it was begun, which need not be the one that is
 * open: a handler's region may be seen within one that it has interrupted.
 */
static void add_to_outer(struct replay *replay, const struct open_region *open,
			 const struct trace_counts *counts, bool counted)
{
	const struct place *place = place_of(replay, open->region);
	struct place *around = place ? place_of(replay, place->around) : NULL;
	const size_t nr = around ? find_open(replay, place->around) : 0;

	if (around)
		add_inside(nr ? &replay->open[nr - 1].inside : &around->early,
			   &open->inside, counts, counted, replay->thread.nr);
}

static void read_end(struct replay *replay,
		     const struct vpmc_timeline_entry *entry)
{
	const size_t nr = find_open(replay, entry->region);
	struct trace_counts counts = { .has_exclusive = false };
	struct open_region *open;
	bool counted;

	if (!nr) {
		replay->flaws->unmatched++;
		return;
	}
	advance(replay, entry->value);
	end_others(replay, nr);
	/* It stays there when it has ended. */
	open = &replay->open[nr - 1];
	counted = entry->kind == VPMC_TIMELINE_END;
	find_net_counts(replay, &open->inside, entry->count, &counts);
	end_open(replay, counted ? &counts : NULL,
		 !counted			? NOT_COUNTED
		 : has_uncounted(&open->inside) ? ONE_NOT_COUNTED
						: NULL);
	add_to_outer(replay, open, &counts, counted);
}

static bool read_entry(struct replay *replay,
		       const struct vpmc_timeline_entry *entry, uint32_t rest)
{
	switch (entry->kind) {
	case VPMC_TIMELINE_NAME:
		return read_name(replay, entry,
				 (rest + 1UL) * replay->size -
					 offsetof(struct vpmc_timeline_entry,
						  text));
	case VPMC_TIMELINE_BEGIN:
		return read_begin(replay, entry);
	case VPMC_TIMELINE_END:
	case VPMC_TIMELINE_UNCOUNTED:
		read_end(replay, entry);
		return true;
	default:
		return true;
	}
}

/* A gap that the regions around have in their time, but not in their counts. */
static void show_change(struct replay *replay)
{
	uint64_t begin_ns;

	if (replay->window->anew)
		return;
	advance(replay, replay->window->since);
	begin_ns = present_ns(replay);
	advance(replay, replay->window->ready);
	trace_region(replay->trace, &replay->thread, replay->change, begin_ns,
		     present_ns(replay), NULL, NULL);
}

/* Returns false without memory. */
static bool name_thread(struct replay *replay,
			const struct vpmc_timeline_window *window)
{
	struct trace_thread *thread = &replay->thread;

	begin_trace_thread(replay->trace, thread, window, replay->tid);
	replay->unknown = make_head(thread, REGION, "?");
	replay->change = make_head(thread, PERFEX, "(timeline)");
	return replay->unknown && replay->change;
}

bool replay_window(struct replay *replay, struct vpmc_timeline_window *window)
{
	const struct vpmc_timeline_entry *entry;
	uint32_t room, used, i, rest;

	if (!replay->unknown && !name_thread(replay, window))
		return false;
	replay->window = window;
	replay->events = window->events;
	replay->size = vpmc_timeline_size(window->events);
	room = vpmc_timeline_room(replay->size);
	used = window->used < room ? window->used : room;
	if (window->anew)
		end_all(replay, window->since);
	show_change(replay);
	for (i = 0; i < used; i++) {
		entry = vpmc_timeline_entry(window, i, replay->size);
		rest = entry->kind == VPMC_TIMELINE_NAME ? entry->more : 0;
		if (rest >= used - i)
			rest = used - i - 1;
		if (!read_entry(replay, entry, rest))
			return false;
		i += rest;
	}
	return true;
}

uint64_t last_stamp(const struct replay *replay)
{
	return replay->stamp;
}

uint64_t end_replay(struct replay *replay, uint64_t stamp)
{
	uint32_t i;

	end_all(replay, stamp);
	stamp = replay->stamp;
	for (i = 0; i < replay->nr_places; i++)
		free(replay->place[i].head);
	free(replay->unknown);
	free(replay->change);
	free(replay->place);
	free(replay->open);
	free(replay);
	return stamp;
}

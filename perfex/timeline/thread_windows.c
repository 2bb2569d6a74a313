// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interpret the entries in the windows of a thread. Any program can write anything to its
 * windows, so the functions do not rely on their contents. They read copies of the windows, which
 * do not change.
 */
#include "timeline/thread_windows.h"

#include <stdlib.h>
#include <string.h>

/* Regions have these categories. */
#define REGION "region"
#define PERFEX "perfex"

/* These are the entries of the current window, and a void entry after them. */
static struct vpmc_timeline_entry
	entries[VPMC_TIMELINE_WINDOW / (2 * VPMC_TIMELINE_FIELD) + 1];

#define OPEN		"it had not ended"
#define NOT_COUNTED	"it was not counted all the time"
#define ONE_NOT_COUNTED "one within it was not counted all the time"

/**
 * struct inside - the counts of regions that have ended within an outer region
 * @nr: number of regions; if it is 0, the other members are not valid
 * @uncounted: true if any of these regions was not counted
 * @count: the counts of these regions
 */
struct inside {
	uint64_t nr;
	bool uncounted;
	uint64_t count[VPMC_TIMELINE_EVENTS];
};

/**
 * struct place - a region in one place of the calls
 * @head: beginning of its events' text, NULL if its name is not known
 * @name: its name, NULL if it is not known
 * @around: number of the region in which it is begun, 0 for none
 * @early: counts of regions within the next call. These are regions of a signal handler, if the
 *	signal came before the begin was recorded.
 * @has_apart: true if @apart has counts
 * @apart: counts to exclude from the next call
 */
struct place {
	struct trace_head *head;
	char *name;
	uint32_t around;
	struct inside early;
	bool has_apart;
	uint64_t apart[VPMC_TIMELINE_EVENTS];
};

/**
 * struct open_region - a region that has begun
 * @region: number of the region
 * @begin_ns: time of its begin, from trace_time()
 * @count: counts at that time, and counts to exclude
 * @inside: counts of regions that have ended within it
 */
struct open_region {
	uint32_t region;
	uint64_t begin_ns;
	uint64_t count[VPMC_TIMELINE_EVENTS];
	struct inside inside;
};

/**
 * struct replay - a thread whose windows are read
 * @trace: the timeline to print
 * @flaws: numbers of flaws; the function adds to them
 * @raw: true to include the cost of the regions themselves
 * @tid: number of the thread in the timeline
 * @thread: data for printing the thread
 * @unknown: beginning of the text for regions without a known name
 * @change: beginning of the text for changes of the window
 * @window: the current window
 * @events: number of counts in its entries
 * @size: size of its entries
 * @used: number of its entries
 * @stamp: the latest stamp
 * @place: the regions, indexed by their numbers
 * @nr_places: size of @place
 * @open: the regions that have begun, the innermost last
 * @nr_open: number of @open
 * @room: number of elements that @open has memory for
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
	uint32_t used;
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

/* Return the region with number @region, or NULL. */
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

/*
 * Advance the time. It must not go back, although the time stamp counters of processors may
 * differ.
 */
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

static void report_change(const struct replay *replay)
{
	const struct trace *trace = replay->trace;
	const struct place *place;
	struct region_change change = { .pid = replay->thread.pid,
					.tid = replay->window->tid,
					.stamp = replay->stamp };

	if (replay->nr_open) {
		place = place_of(replay,
				 replay->open[replay->nr_open - 1].region);
		change.region = place && place->name ? place->name : "?";
	}
	trace->change(&change, trace->arg);
}

/* Call the caller's function, if there is one, with the new innermost region. */
static void tell_change(const struct replay *replay)
{
	if (replay->trace->change)
		report_change(replay);
}

static void end_open(struct replay *replay, const struct trace_counts *counts,
		     const char *note)
{
	const struct open_region *open = &replay->open[--replay->nr_open];

	trace_region(replay->trace, &replay->thread,
		     head_of(replay, open->region), open->begin_ns,
		     present_ns(replay), counts, note);
	tell_change(replay);
}

/* End all regions that have begun after the first @nr, because their ends are not known. */
static void end_others(struct replay *replay, size_t nr)
{
	while (replay->nr_open > nr) {
		replay->flaws->open++;
		end_open(replay, NULL, OPEN);
	}
}

/*
 * End all regions, because the program has died or its regions begin again. The innermost region
 * may have lasted until @stamp.
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

/* Read a name. Its text is in the following entries. */
static bool read_name(struct replay *replay,
		      const struct vpmc_timeline_entry *entry, const char *text,
		      size_t length)
{
	struct place *place;

	if (!grow_places(replay, entry->region))
		return false;
	place = &replay->place[entry->region];
	free(place->head);
	free(place->name);
	place->name = strndup(text, length);
	place->head = place->name
			      ? make_head(&replay->thread, REGION, place->name)
			      : NULL;
	place->around = entry->around;
	return place->head;
}

static void add_counts(const struct replay *replay, uint64_t *sum,
		       const struct vpmc_timeline_entry *entry)
{
	unsigned int i;

	for (i = 0; i < replay->events; i++)
		sum[i] += entry->count[i];
}

static bool read_begin(struct replay *replay,
		       const struct vpmc_timeline_entry *entry)
{
	struct place *place = place_of(replay, entry->region);
	const size_t room = 2 * replay->room + 16;
	struct open_region *open;
	unsigned int i;

	if (replay->nr_open == replay->room) {
		open = reallocarray(replay->open, room, sizeof(*open));
		if (!open)
			return false;
		replay->open = open;
		replay->room = room;
	}
	open = &replay->open[replay->nr_open++];
	advance(replay, entry->stamp);
	open->region = entry->region;
	open->begin_ns = present_ns(replay);
	open->inside.nr = 0;
	for (i = 0; i < replay->events; i++)
		open->count[i] = entry->count[i];
	if (place && place->has_apart) {
		for (i = 0; i < replay->events; i++)
			open->count[i] += place->apart[i];
		memset(place->apart, 0, sizeof(place->apart));
		place->has_apart = false;
	}
	if (place && place->early.nr) {
		open->inside = place->early;
		place->early.nr = 0;
	}
	tell_change(replay);
	return true;
}

/*
 * Return the index of the innermost open call of a region, counted from 1; 0 if the region is not
 * open.
 */
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

/* Subtract the cost of regions, as libvpmc does for the sums of all calls. */
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
 * Add the counts of a region to the region in which it was begun. The latter may not be the
 * innermost open region, because a signal handler's region may appear within the interrupted
 * region.
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
	uint64_t count[VPMC_TIMELINE_EVENTS];
	struct open_region *open;
	unsigned int i;
	bool counted;

	if (!nr) {
		replay->flaws->unmatched++;
		return;
	}
	advance(replay, entry->stamp);
	end_others(replay, nr);
	/* The region remains in the array after it has ended. */
	open = &replay->open[nr - 1];
	counted = entry->kind == VPMC_TIMELINE_END;
	for (i = 0; i < replay->events; i++)
		count[i] =
			vpmc_timeline_narrow(entry->count[i] - open->count[i]);
	find_net_counts(replay, &open->inside, count, &counts);
	end_open(replay, counted ? &counts : NULL,
		 !counted			? NOT_COUNTED
		 : has_uncounted(&open->inside) ? ONE_NOT_COUNTED
						: NULL);
	add_to_outer(replay, open, &counts, counted);
}

/* Exclude counts from the entry's region. Its begin may follow later. */
static void read_apart_one(struct replay *replay,
			   const struct vpmc_timeline_entry *entry)
{
	struct place *place = place_of(replay, entry->region);
	const size_t nr = find_open(replay, entry->region);

	if (nr) {
		add_counts(replay, replay->open[nr - 1].count, entry);
	} else if (place) {
		add_counts(replay, place->apart, entry);
		place->has_apart = true;
	}
}

static uint32_t region_around(const struct replay *replay, uint32_t region)
{
	const struct place *place = place_of(replay, region);

	return place ? place->around : 0;
}

/*
 * Exclude counts from the entry's region, whose begin may follow later, and from the regions
 * around it.
 */
static void read_apart(struct replay *replay,
		       const struct vpmc_timeline_entry *entry)
{
	uint32_t region = region_around(replay, entry->region);
	size_t nr;

	read_apart_one(replay, entry);
	for (nr = replay->nr_open; nr && region; nr--) {
		if (replay->open[nr - 1].region != region)
			continue;
		add_counts(replay, replay->open[nr - 1].count, entry);
		region = region_around(replay, region);
	}
}

static bool read_entry(struct replay *replay,
		       const struct vpmc_timeline_entry *entry)
{
	switch (entry->kind) {
	case VPMC_TIMELINE_BEGIN:
		return read_begin(replay, entry);
	case VPMC_TIMELINE_END:
	case VPMC_TIMELINE_UNCOUNTED:
		read_end(replay, entry);
		return true;
	case VPMC_TIMELINE_APART:
		read_apart(replay, entry);
		return true;
	case VPMC_TIMELINE_APART_ONE:
		read_apart_one(replay, entry);
		return true;
	default:
		return true;
	}
}

/*
 * Show a change of the window. The time of surrounding regions includes it, but their counts do
 * not.
 */
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

/* Prepare the output of a thread. Returns false if there is no memory. */
static bool name_thread(struct replay *replay,
			const struct vpmc_timeline_window *window)
{
	struct trace_thread *thread = &replay->thread;

	begin_trace_thread(replay->trace, thread, window, replay->tid);
	replay->unknown = make_head(thread, REGION, "?");
	replay->change = make_head(thread, PERFEX, "(timeline)");
	return replay->unknown && replay->change;
}

static const char *place_in_window(const struct replay *replay, uint32_t nr)
{
	return vpmc_timeline_at(replay->window, nr, replay->size);
}

/*
 * Read all entries of the window. Region 0 means that an entry was not written completely, so
 * make it void.
 */
static void read_entries(struct replay *replay)
{
	const char *place = place_in_window(replay, 0);
	const char *end = place_in_window(replay, replay->used);
	struct vpmc_timeline_entry *entry = entries;

	for (; place < end; place += replay->size, entry++) {
		vpmc_timeline_read(entry, place, replay->size,
				   replay->window->since);
		if (!entry->region)
			entry->kind = VPMC_TIMELINE_VOID;
	}
	entry->kind = VPMC_TIMELINE_VOID;
}

/* Return the number of entries after @entry that continue a name. */
static uint32_t rest_of(const struct replay *replay,
			const struct vpmc_timeline_entry *entry, uint32_t nr)
{
	const uint32_t rest =
		entry->kind == VPMC_TIMELINE_NAME ? entry->more : 0;

	return rest < replay->used - nr ? rest : replay->used - nr - 1;
}

static bool is_stamped(const struct vpmc_timeline_entry *entry)
{
	return entry->kind >= VPMC_TIMELINE_BEGIN &&
	       entry->kind <= VPMC_TIMELINE_UNCOUNTED;
}

/*
 * Return the index of the next begin or end of a region after entry @nr, or the index of the
 * last, void entry.
 */
static uint32_t find_stamped(const struct replay *replay, uint32_t nr)
{
	for (nr++; nr < replay->used && !is_stamped(&entries[nr]); nr++)
		nr += rest_of(replay, &entries[nr], nr);
	return nr;
}

/*
 * Correct a stamp that is too late. A stamp may be read after a signal handler has begun regions.
 * Their entries follow this entry, because its place was taken before.
 */
static void correct_stamp(const struct replay *replay, uint32_t nr)
{
	struct vpmc_timeline_entry *entry = &entries[nr];
	const struct vpmc_timeline_entry *next;
	uint64_t stamp = entry->stamp;
	uint32_t late = 0;

	/* The loop ends at the last entry, because it is void. */
	for (;;) {
		nr = find_stamped(replay, nr);
		next = &entries[nr];
		if (next->kind != VPMC_TIMELINE_BEGIN || next->stamp >= stamp)
			break;
		stamp = next->stamp;
		late++;
	}
	/* If the condition is false, the time stamp counters of processors differ. */
	if (late && stamp > replay->stamp + late)
		entry->stamp = stamp - late;
}

/* Tell whether the next entry shows that no signal handler has interrupted this one. */
static bool is_in_order(const struct vpmc_timeline_entry *entry)
{
	const struct vpmc_timeline_entry *next = entry + 1;

	return next->kind == VPMC_TIMELINE_END ||
	       (next->kind == VPMC_TIMELINE_BEGIN &&
		next->stamp >= entry->stamp);
}

/*
 * Read a name and the following entries, which have its text. @nr becomes the index of the last
 * entry of the name. Returns false if there is no memory.
 */
static bool replay_name(struct replay *replay,
			const struct vpmc_timeline_entry *entry, uint32_t *nr)
{
	const char *text = place_in_window(replay, *nr + 1);
	const uint32_t rest = rest_of(replay, entry, *nr);

	*nr += rest;
	return read_name(replay, entry, text, (size_t)rest * replay->size);
}

static bool replay_entries(struct replay *replay)
{
	const struct vpmc_timeline_entry *entry;
	bool good = true;
	uint32_t i;

	for (i = 0; i < replay->used && good; i++) {
		entry = &entries[i];
		if (entry->kind == VPMC_TIMELINE_NAME) {
			good = replay_name(replay, entry, &i);
			continue;
		}
		if (is_stamped(entry) && !is_in_order(entry))
			correct_stamp(replay, i);
		good = read_entry(replay, entry);
	}
	return good;
}

bool replay_window(struct replay *replay,
		   const struct vpmc_timeline_window *window)
{
	uint32_t room;

	if (!replay->unknown && !name_thread(replay, window))
		return false;
	replay->window = window;
	replay->events = window->events < VPMC_TIMELINE_EVENTS
				 ? window->events
				 : VPMC_TIMELINE_EVENTS;
	replay->size = vpmc_timeline_size(window->events);
	room = vpmc_timeline_room(replay->size);
	replay->used = window->used < room ? window->used : room;
	if (window->anew)
		end_all(replay, window->since);
	show_change(replay);
	read_entries(replay);
	return replay_entries(replay);
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
	for (i = 0; i < replay->nr_places; i++) {
		free(replay->place[i].head);
		free(replay->place[i].name);
	}
	free(replay->unknown);
	free(replay->change);
	free(replay->place);
	free(replay->open);
	free(replay);
	return stamp;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choose ESCRs and counters. A few ESCRs can detect an event, and each ESCR feeds a few counters.
 * A part that sets tags also gets a counter, because an ESCR only works together with a counter's
 * CCCR.
 */
#include "assign.h"

/* An experiment that can be counted has at most this many parts that need a counter. */
#define NEEDS_MAX (2 * COUNTERS)

/* The search for a choice stops after this many steps, which take much less than a second. */
#define STEPS_MAX 1000000

/**
 * struct need - a part that needs an ESCR and a counter
 * @part: the part
 * @element: the element of its event
 * @counters: the counters that the part may use
 * @starter: the part whose counter starts this part's counter, or NULL
 */
struct need {
	struct part *part;
	const struct xml_element *element;
	uint32_t counters;
	const struct part *starter;
};

/**
 * struct search - the search for a choice
 * @need: the needs; the first @nr_chosen have an ESCR and a counter
 * @nr: number of needs
 * @steps: number of steps so far
 * @deepest: the largest number of needs that were satisfied at the same time
 */
struct search {
	const struct need *need;
	unsigned int nr;
	unsigned int steps;
	unsigned int deepest;
};

static bool same_part(const struct part *a, const struct part *b)
{
	return a->event == b->event && a->escr_value == b->escr_value;
}

static const struct experiment_event *
find_tagger(const struct experiment *experiment,
	    const struct experiment_event *event)
{
	const struct experiment_event *other = experiment->event;

	for (; other < event; other++)
		if (other->tag.event && same_part(&other->tag, &event->tag))
			return other;
	return NULL;
}

bool shares_tag(const struct experiment *experiment,
		const struct experiment_event *event)
{
	return event->tag.event && find_tagger(experiment, event);
}

/* Tell whether one ESCR can serve two needs, because both need the same event and settings. */
static bool can_share(const struct need *a, const struct need *b)
{
	return same_part(a->part, b->part);
}

/* Get the counters that a counter starts when it overflows, if their CCCRs have "cascade". */
static uint32_t started_by(unsigned int counter)
{
	if (counter >= 16)
		return 0;
	return 1U << (counter ^ 2) | (counter >= 14 ? 1U << (counter + 2) : 0);
}

static bool is_free(const struct search *search, unsigned int nr_chosen,
		    const struct escr *escr, unsigned int counter)
{
	const struct need *need = &search->need[nr_chosen], *other;

	for (other = search->need; other < need; other++)
		if (other->part->counter == counter ||
		    (other->part->escr == escr && !can_share(need, other)) ||
		    (need->starter == other->part &&
		     !(started_by(other->part->counter) & 1U << counter)))
			return false;
	return true;
}

/*
 * Assign the next free ESCR and counter to need @i. @option is the number of the first pair to
 * try, and receives the number after the assigned pair.
 */
static bool take_next(const struct search *search, unsigned int i,
		      unsigned int *option)
{
	const struct need *need = &search->need[i];
	const struct normal_event *event = need->part->event;
	const struct escr *escr;
	unsigned int counter;

	while (*option < event->nr_escrs * COUNTERS) {
		escr = event->escr[*option / COUNTERS];
		counter = (*option)++ % COUNTERS;
		if (!(escr->counters & need->counters & 1U << counter) ||
		    !is_free(search, i, escr, counter))
			continue;
		need->part->escr = escr;
		need->part->counter = counter;
		return true;
	}
	return false;
}

/*
 * Choose a pair for each need. If no pair is left for a need, go back and choose another pair for
 * the previous need.
 */
static bool choose(struct search *search)
{
	unsigned int option[NEEDS_MAX + 1] = { 0 };
	unsigned int i = 0;

	while (i < search->nr) {
		if (search->deepest < i)
			search->deepest = i;
		if (++search->steps > STEPS_MAX)
			return false;
		if (take_next(search, i, &option[i]))
			option[++i] = 0;
		else if (!i--)
			return false;
	}
	return true;
}

/*
 * Exit, and name the register that two needs compete for: an ESCR that both need, or a counter.
 */
static _Noreturn void leave_conflict(const struct need *a, const struct need *b)
{
	const struct normal_event *one = a->part->event, *two = b->part->event;
	uint32_t both = 0, other = 0;
	unsigned int i, j, counter;

	if (b->starter == a->part)
		leave_at(&b->element->place,
			 "<%s> and <%s> have no counters of which the first"
			 " starts the second: count <%s> without <cascade/>",
			 a->element->name, b->element->name, b->element->name);
	for (i = 0; i < one->nr_escrs; i++)
		both |= one->escr[i]->counters & a->counters;
	for (j = 0; j < two->nr_escrs; j++)
		other |= two->escr[j]->counters & b->counters;
	for (i = 0; i < one->nr_escrs && !can_share(a, b); i++)
		for (j = 0; j < two->nr_escrs; j++)
			if (one->escr[i] == two->escr[j])
				leave_at(&b->element->place,
					 "<%s> and <%s> need the same register,"
					 " %s: count them in different"
					 " experiments",
					 a->element->name, b->element->name,
					 one->escr[i]->name);
	counter = (unsigned int)__builtin_ctz(both & other);
	leave_at(&b->element->place,
		 "<%s> and <%s> need the same register, counter %u: count them"
		 " in different experiments",
		 a->element->name, b->element->name, counter);
}

/* Tell whether two needs compete for an ESCR or a counter, even if each could use another one. */
static bool compete(const struct need *a, const struct need *b)
{
	uint32_t one = 0, two = 0;
	unsigned int i, j;

	for (i = 0; i < a->part->event->nr_escrs; i++) {
		one |= a->part->event->escr[i]->counters & a->counters;
		for (j = 0; j < b->part->event->nr_escrs; j++)
			if (a->part->event->escr[i] == b->part->event->escr[j])
				return true;
	}
	for (j = 0; j < b->part->event->nr_escrs; j++)
		two |= b->part->event->escr[j]->counters & b->counters;
	return one & two;
}

/*
 * Exit, and name two events: a pair that cannot be counted together, or the last event and a
 * competing one.
 */
static _Noreturn void explain(struct search *search)
{
	const struct need *last = &search->need[search->deepest], *rival;
	struct search pair = { .nr = 2 };
	struct need two[2];
	unsigned int i, j;

	for (i = 0; i < search->nr; i++)
		for (j = i + 1; j < search->nr; j++) {
			two[0] = search->need[i];
			two[1] = search->need[j];
			pair.need = two;
			if (!choose(&pair))
				leave_conflict(&two[0], &two[1]);
		}
	if (search->steps > STEPS_MAX)
		leave_at(&last->element->place,
			 "no counters were found for <%s> and the other events"
			 " within %d steps: count fewer events",
			 last->element->name, STEPS_MAX);
	for (rival = last; rival-- > search->need;)
		if (compete(rival, last))
			leave_conflict(rival, last);
	leave_at(&last->element->place, "no counter can count <%s>",
		 last->element->name);
}

static unsigned int list_needs(struct experiment *experiment, struct need *need)
{
	struct experiment_event *event = experiment->event;
	unsigned int nr = 0;

	for (; event < experiment->event + experiment->nr; event++) {
		need[nr++] = (struct need){
			.part = &event->count,
			.element = event->element,
			.counters = event->sampling.precise
					    ? UINT32_C(1) << PEBS_COUNTER
					    : UINT32_MAX,
			.starter = event->after ? &event[-1].count : NULL,
		};
		if (event->tag.event && !shares_tag(experiment, event))
			need[nr++] = (struct need){ &event->tag, event->element,
						    UINT32_MAX, NULL };
	}
	return nr;
}

static _Noreturn void leave_shared(const struct experiment_event *a,
				   const struct experiment_event *b,
				   const char *what)
{
	leave_at(&b->element->place,
		 "<%s> and <%s> need different values of %s: count them in"
		 " different experiments",
		 a->element->name, b->element->name, what);
}

/* Get the bits of an ESCR that select the tag to set, or the tag that execution_event counts. */
static uint64_t tag_bits(const struct emon_config *config,
			 const struct experiment_event *event)
{
	static const char *const name[] = { "tag0", "tag1", "tag2", "tag3" };
	uint64_t bits = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		bits |= layout_get(&config->escr_layout, name[i],
				   event->tag.escr_value)
			<< i;
	return bits;
}

/*
 * Two events with different tagging must not use the same tag, because each would count the
 * operations that the other has tagged.
 */
static void check_tags(const struct emon_config *config,
		       const struct experiment_event *a,
		       const struct experiment_event *b)
{
	if (a->type != b->type || !a->tag.event || !b->tag.event ||
	    same_part(&a->tag, &b->tag))
		return;
	if (a->type == TAG_FRONT_END)
		leave_shared(a, b, "the front end's tag");
	if (a->type == TAG_EXECUTION &&
	    (tag_bits(config, a) & tag_bits(config, b)))
		leave_shared(a, b, "a tag of execution (tag0 to tag3)");
}

static void check_pair(const struct emon_config *config,
		       const struct experiment_event *a,
		       const struct experiment_event *b)
{
	check_tags(config, a, b);
	if (a->type == TAG_REPLAY && b->type == TAG_REPLAY) {
		if (a->pebs_enable != b->pebs_enable)
			leave_shared(a, b, "pebs_enable");
		if (a->pebs_matrix_vert != b->pebs_matrix_vert)
			leave_shared(a, b, "pebs_matrix_vert");
	}
	if ((a->sampling.precise || b->sampling.precise) && a->type &&
	    b->type && a->type != b->type)
		leave_at(&b->element->place,
			 "<%s> and <%s> get their tags in different ways, and"
			 " with PEBS all must get them in the same way",
			 a->element->name, b->element->name);
}

static bool counts_replays(const struct emon_config *config,
			   const struct normal_event *event)
{
	unsigned int i;

	for (i = 0; i < config->nr_tagged; i++)
		if (config->tagged[i].type == TAG_REPLAY &&
		    config->tagged[i].count == event)
			return true;
	return false;
}

/* An event that counts replays without tagging needs the registers of an event that sets tags. */
static void adopt_tags(const struct emon_config *config,
		       const struct experiment *experiment,
		       struct experiment_event *event)
{
	const struct experiment_event *other = experiment->event;
	const struct experiment_event *end = other + experiment->nr;

	if (event->type || !counts_replays(config, event->count.event))
		return;
	while (other < end && other->type != TAG_REPLAY)
		other++;
	if (other == end)
		leave_at(&event->element->place,
			 "<%s> counts replays with a tag, and no event of the"
			 " experiment sets this tag: add such an event",
			 event->element->name);
	event->type = TAG_REPLAY;
	event->pebs_enable = other->pebs_enable;
	event->pebs_matrix_vert = other->pebs_matrix_vert;
}

void assign_counters(const struct emon_config *config,
		     struct experiment *experiment)
{
	struct experiment_event *const end = experiment->event + experiment->nr;
	struct experiment_event *a, *b;
	struct need need[NEEDS_MAX];
	struct search search = { .need = need };

	for (a = experiment->event; a < end; a++)
		adopt_tags(config, experiment, a);
	for (a = experiment->event; a < end; a++)
		for (b = a + 1; b < end; b++)
			check_pair(config, a, b);
	search.nr = list_needs(experiment, need);
	if (!choose(&search))
		explain(&search);
	for (a = experiment->event; a < end; a++) {
		if (shares_tag(experiment, a)) {
			a->tag.escr = find_tagger(experiment, a)->tag.escr;
			a->tag.counter =
				find_tagger(experiment, a)->tag.counter;
		}
		layout_put(&config->cccr_layout, "escr_select",
			   &a->count.cccr_value, a->count.escr->select);
		if (a->tag.event)
			layout_put(&config->cccr_layout, "escr_select",
				   &a->tag.cccr_value, a->tag.escr->select);
	}
}

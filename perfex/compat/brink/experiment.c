// SPDX-License-Identifier: GPL-2.0-only
/* Read the file of experiments, and compute the registers of each event. */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

#include "vpmc.h"

/* An event has fields in at most this many registers. */
#define TARGETS_MAX 8

/*
 * Exit if an element before @element has the same name, because their files would have the same
 * names.
 */
static void check_unique(const struct xml_element *element)
{
	const struct xml_element *child = element->parent->first;

	for (; child != element; child = child->next)
		if (xml_same(child->name, element->name))
			leave_at(&element->place, "there are two <%s> in <%s>",
				 element->name, element->parent->name);
}

unsigned int split_command(char *text, char **argv)
{
	unsigned int nr = 0;
	char *word;

	while ((word = strtok_r(text, " \t\n", &text)) &&
	       nr < COMMAND_WORDS_MAX)
		argv[nr++] = word;
	argv[nr] = NULL;
	return word ? 0 : nr;
}

static void check_command(const struct xml_element *element)
{
	char *text = copy_text(xml_need_value(element, "command"));
	char *argv[COMMAND_WORDS_MAX + 1];

	if (!split_command(text, argv))
		leave_at(&element->place,
			 "the command of <%s> does not have 1 to %d words",
			 element->name, COMMAND_WORDS_MAX);
	free(text);
}

static void read_programs(struct experiments *experiments)
{
	const struct xml_element *programs =
		xml_need(experiments->root, "programs");
	const struct xml_element *child;
	struct program *program;

	experiments->program =
		allocate(xml_count(programs) + 1, sizeof(*program));
	for (child = programs->first; child; child = child->next) {
		check_unique(child);
		if (strchr(child->name, '.'))
			leave_at(&child->place,
				 "the name <%s> has a dot, which"
				 " separates it from that of the"
				 " experiment in file names",
				 child->name);
		check_command(child);
		program = &experiments->program[experiments->nr_programs++];
		program->name = child->name;
		program->command = xml_value(child, "command");
	}
	if (!experiments->nr_programs)
		leave_at(&programs->place, "<programs> has no program");
}

/* List the registers of an event. Fields of tagging belong to the part that sets tags. */
static unsigned int list_targets(const struct emon_config *config,
				 struct experiment_event *event,
				 struct target *target)
{
	unsigned int nr = 0;

	target[nr++] = (struct target){ &event->count.event->mask,
					&event->count.escr_value };
	if (event->tag.event) {
		target[nr++] = (struct target){ &event->tag.event->mask,
						&event->tag.escr_value };
		target[nr++] = (struct target){ &config->escr_layout,
						&event->tag.escr_value };
	}
	target[nr++] = (struct target){ &config->escr_layout,
					&event->count.escr_value };
	target[nr++] = (struct target){ &config->cccr_layout,
					&event->count.cccr_value };
	if (event->type == TAG_REPLAY) {
		target[nr++] = (struct target){ &config->pebs_enable,
						&event->pebs_enable };
		target[nr++] = (struct target){ &config->pebs_matrix_vert,
						&event->pebs_matrix_vert };
	}
	return nr;
}

static void begin_part(const struct emon_config *config, struct part *part,
		       const struct normal_event *event)
{
	part->event = event;
	part->escr_value = config->escr_layout.initial;
	part->cccr_value = config->cccr_layout.initial;
	layout_put(&config->escr_layout, "event_select", &part->escr_value,
		   event->select);
}

/* Apply the settings of one half of a tagged event in the configuration. */
static void set_part(const struct emon_config *config, struct part *part,
		     const struct xml_element *settings)
{
	static const char *const none[] = { NULL };
	const struct target targets[] = {
		{ &part->event->mask, &part->escr_value },
		{ &config->escr_layout, &part->escr_value },
		{ &config->cccr_layout, &part->cccr_value },
	};

	settings_apply(settings, targets, 3, none);
}

static void set_pebs(const struct xml_element *setup,
		     const struct target *target)
{
	static const char *const none[] = { NULL };
	const struct xml_element *element =
		xml_find(setup, target->layout->name);

	if (element)
		settings_apply(element, target, 1, none);
}

static void begin_tagged(const struct emon_config *config,
			 struct experiment_event *event,
			 const struct tag_event *base)
{
	event->type = base->type;
	begin_part(config, &event->count, base->count);
	set_part(config, &event->count, base->count_settings);
	if (base->tag) {
		begin_part(config, &event->tag, base->tag);
		set_part(config, &event->tag, base->tag_settings);
	}
	if (base->type != TAG_REPLAY)
		return;
	event->pebs_enable = config->pebs_enable.initial;
	event->pebs_matrix_vert = config->pebs_matrix_vert.initial;
	set_pebs(base->tag_setup,
		 &(struct target){ &config->pebs_enable, &event->pebs_enable });
	set_pebs(base->tag_setup, &(struct target){ &config->pebs_matrix_vert,
						    &event->pebs_matrix_vert });
}

/*
 * Find the base of an event in the configuration. Without the attribute "base", the base has the
 * event's name.
 */
static void begin_event(const struct emon_config *config,
			struct experiment_event *event)
{
	const struct xml_element *element = event->element;
	const char *name = xml_value(element, "base");
	const struct normal_event *normal;
	const struct tag_event *tagged;

	if (!name)
		name = element->name;
	normal = normal_event_find(config, name);
	tagged = tag_event_find(config, name);
	if (normal)
		begin_part(config, &event->count, normal);
	else if (tagged)
		begin_tagged(config, event, tagged);
	else
		leave_at(&element->place,
			 "the configuration has no event \"%.60s\"", name);
}

static uint32_t read_limit(const struct xml_element *ebs, const char *name,
			   uint32_t min, uint32_t max)
{
	unsigned long number = xml_number(ebs, xml_need_value(ebs, name), max);

	if (number < min)
		leave_at(&ebs->place, "the %s of <ebs> is less than %u", name,
			 min);
	return (uint32_t)number;
}

static bool read_choice(const struct xml_element *ebs, const char *name,
			const char *yes, const char *no)
{
	const char *value = xml_need_value(ebs, name);

	if (!xml_same(value, yes) && !xml_same(value, no))
		leave_at(&ebs->place,
			 "the %s of <ebs> is neither \"%s\" nor"
			 " \"%s\"",
			 name, yes, no);
	return xml_same(value, yes);
}

static void check_precise(const struct emon_config *config,
			  const struct experiment_event *event,
			  const struct xml_element *ebs)
{
	if (!event->count.event->has_pebs)
		leave_at(&ebs->place,
			 "PEBS cannot sample <%s>: it can sample"
			 " front_end_event, execution_event and replay_event",
			 event->element->name);
	if (layout_get(&config->escr_layout, "os", event->count.escr_value))
		leave_at(&ebs->place,
			 "PEBS samples <%s> in user mode alone: clear <os/>, or"
			 " write type=\"imprecise\"",
			 event->element->name);
}

static void read_sampling(const struct emon_config *config,
			  struct experiment_event *event,
			  const struct xml_element *ebs)
{
	struct sampling *sampling = &event->sampling;

	sampling->precise = read_choice(ebs, "type", "precise", "imprecise");
	sampling->all = read_choice(ebs, "sample", "A", "E");
	sampling->interval =
		read_limit(ebs, "interval", VPMC_PERIOD_MIN, VPMC_PERIOD_MAX);
	sampling->buffer = read_limit(ebs, "buffer", 1, 100000);
	sampling->max = read_limit(ebs, "max", 1, 10000000);
	if (sampling->precise)
		check_precise(config, event, ebs);
}

static void check_modes(const struct emon_config *config,
			const struct experiment_event *event)
{
	const struct layout *layout = &config->escr_layout;

	if (!layout_get(layout, "usr", event->count.escr_value) &&
	    !layout_get(layout, "os", event->count.escr_value))
		leave_at(&event->element->place,
			 "<%s> counts nothing: set <usr/>, <os/> or both",
			 event->element->name);
}

static bool counts_user_alone(const struct emon_config *config,
			      const struct experiment_event *event)
{
	return !layout_get(&config->escr_layout, "os", event->count.escr_value);
}

/*
 * The counter of an event with <cascade/> starts when the counter of the event before it overflows.
 */
static void read_cascade(const struct emon_config *config,
			 struct experiment_event *event, bool is_first)
{
	const struct experiment_event *before = event - 1;

	if (!layout_get(&config->cccr_layout, "cascade",
			event->count.cccr_value))
		return;
	if (is_first || !before->sampling.interval || before->sampling.precise)
		leave_at(&event->element->place,
			 "<%s> has <cascade/>, and no event before it has an"
			 " interval: put an event with <ebs type=\"imprecise\">"
			 " before it",
			 event->element->name);
	if (event->sampling.interval)
		leave_at(&event->element->place,
			 "<%s> has <cascade/> and <ebs>: leave one of them out",
			 event->element->name);
	if (!counts_user_alone(config, event) ||
	    !counts_user_alone(config, before))
		leave_at(&event->element->place,
			 "<%s> starts after <%s> in user mode alone: clear"
			 " <os/> in both",
			 event->element->name, before->element->name);
	event->after = before->sampling.interval;
}

static void read_event(const struct emon_config *config,
		       const struct xml_element *defaults,
		       struct experiment_event *event)
{
	static const char *const others[] = { "ebs", NULL };
	struct target targets[TARGETS_MAX];
	const struct xml_element *ebs = xml_find(event->element, "ebs");
	unsigned int nr;

	begin_event(config, event);
	nr = list_targets(config, event, targets);
	if (defaults)
		settings_apply(defaults, targets, nr, others + 1);
	settings_apply(event->element, targets, nr, others);
	check_modes(config, event);
	if (ebs)
		read_sampling(config, event, ebs);
}

static void read_experiment(const struct emon_config *config,
			    const struct xml_element *defaults,
			    struct experiment *experiment)
{
	const struct xml_element *element = experiment->element, *child;

	for (child = element->first; child; child = child->next) {
		check_unique(child);
		if (experiment->nr == COUNTERS)
			leave_at(&child->place,
				 "<%s> has more than %d events: divide it into"
				 " two experiments",
				 element->name, COUNTERS);
		experiment->event[experiment->nr].element = child;
		read_event(config, defaults,
			   &experiment->event[experiment->nr]);
		read_cascade(config, &experiment->event[experiment->nr],
			     !experiment->nr);
		experiment->nr++;
	}
	if (!experiment->nr)
		leave_at(&element->place, "<%s> has no event", element->name);
}

static void read_list(struct experiments *experiments,
		      const struct emon_config *config)
{
	const struct xml_element *list =
		xml_need(experiments->root, "experiments");
	const struct xml_element *defaults = xml_find(list, "default"), *child;

	experiments->experiment =
		allocate(xml_count(list) + 1, sizeof(*experiments->experiment));
	for (child = list->first; child; child = child->next) {
		check_unique(child);
		if (child == defaults)
			continue;
		experiments->experiment[experiments->nr].element = child;
		read_experiment(config, defaults,
				&experiments->experiment[experiments->nr]);
		experiments->nr++;
	}
	if (!experiments->nr)
		leave_at(&list->place, "<experiments> has no experiment");
}

static void check_processor(const struct xml_element *root)
{
	const struct xml_element *processor = xml_find(root, "processor");

	if (processor &&
	    !xml_same(xml_need_value(processor, "type"), "pentium4"))
		leave_at(&processor->place,
			 "the processor is \"%.40s\", and not"
			 " \"pentium4\"",
			 xml_value(processor, "type"));
}

void experiments_read(struct experiments *experiments,
		      const struct emon_config *config, const char *path)
{
	static const char *const names[] = { "processor", "programs",
					     "experiments", NULL };

	memset(experiments, 0, sizeof(*experiments));
	experiments->root = xml_read(path, "exp_config", &experiments->bytes);
	xml_only(experiments->root, names);
	check_processor(experiments->root);
	read_programs(experiments);
	read_list(experiments, config);
}

void experiments_free(struct experiments *experiments)
{
	free(experiments->program);
	free(experiments->experiment);
	free(experiments->bytes.text);
	xml_free(experiments->root);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Read the configuration file of brink. */
#include "emon_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_layout(const struct xml_element *root, const char *name,
			struct layout *layout, const char *const *needed)
{
	const struct xml_element *element = xml_need(root, name);

	layout_read(layout, element);
	for (; needed && *needed; needed++)
		xml_need(element, *needed);
}

/*
 * ESCRs and CCCRs have 32 bits that can be set. Other bits would be lost in the files of p4pm. No
 * experiment can set fields with reserved bits.
 */
static void check_width(const struct xml_element *root, const char *name,
			const struct layout *layout)
{
	const struct xml_element *child = xml_need(root, name)->first;
	unsigned int i;

	for (i = 0; i < layout->nr; i++, child = child->next)
		if (layout->field[i].low + layout->field[i].width > 32 &&
		    !layout_is_reserved(child->name))
			leave_at(&child->place,
				 "<%s> has bits above 31, which the register of"
				 " <%s> does not have",
				 child->name, name);
}

/* The modes of an event are passed to libvpmc apart from the ESCR, so their bits must be known. */
static void check_mode(const struct xml_element *escr,
		       const struct layout *layout, const char *name,
		       unsigned int bit)
{
	const struct field *field = layout_find(layout, name);

	if (field->low != bit || field->width != 1)
		leave_at(&xml_find(escr, name)->place,
			 "<%s> is not bit %u, where each ESCR has this mode",
			 name, bit);
}

static void check_registers(const struct emon_config *config)
{
	const struct xml_element *escr = xml_need(config->root, "escr_config");

	check_width(config->root, "escr_config", &config->escr_layout);
	check_width(config->root, "cccr_config", &config->cccr_layout);
	check_mode(escr, &config->escr_layout, "usr", 2);
	check_mode(escr, &config->escr_layout, "os", 3);
}

static void read_layouts(struct emon_config *config)
{
	static const char *const escr[] = { "usr", "os", "event_mask",
					    "event_select", NULL };
	static const char *const cccr[] = { "enable", "escr_select", NULL };

	read_layout(config->root, "escr_config", &config->escr_layout, escr);
	read_layout(config->root, "cccr_config", &config->cccr_layout, cccr);
	read_layout(config->root, "counter_config", &config->counter_layout,
		    NULL);
	read_layout(config->root, "pebs_enable", &config->pebs_enable, NULL);
	read_layout(config->root, "pebs_matrix_vert", &config->pebs_matrix_vert,
		    NULL);
	check_registers(config);
}

static uint32_t read_counters(const struct xml_element *element)
{
	char *text = copy_text(xml_need_value(element, "counters"));
	char *rest = text, *word;
	uint32_t counters = 0;

	while ((word = strtok_r(rest, " ", &rest)))
		counters |= UINT32_C(1)
			    << xml_number(element, word, COUNTERS - 1);
	free(text);
	if (!counters)
		leave_at(&element->place, "<%s> feeds no counter",
			 element->name);
	return counters;
}

static void read_escrs(struct emon_config *config)
{
	const struct xml_element *escrs = xml_need(config->root, "escrs");
	const struct xml_element *child;
	struct escr *escr;

	config->escr = allocate(xml_count(escrs) + 1, sizeof(*escr));
	for (child = escrs->first; child; child = child->next) {
		escr = &config->escr[config->nr_escrs++];
		escr->name = child->name;
		escr->address = (uint32_t)xml_number(
			child, xml_need_value(child, "address"), UINT32_MAX);
		escr->select = (uint32_t)xml_number(
			child, xml_need_value(child, "select"), 7);
		escr->counters = read_counters(child);
	}
}

static const struct escr *find_escr(const struct emon_config *config,
				    const struct xml_element *element)
{
	unsigned int i;

	for (i = 0; i < config->nr_escrs; i++)
		if (xml_same(config->escr[i].name, element->text))
			return &config->escr[i];
	leave_at(&element->place, "<escrs> lacks the ESCR \"%s\"",
		 element->text);
}

static void read_event_escrs(const struct emon_config *config,
			     const struct xml_element *element,
			     struct normal_event *event)
{
	const struct xml_element *child;

	for (child = element->first; child; child = child->next) {
		if (!xml_same(child->name, "escr"))
			continue;
		if (event->nr_escrs == EVENT_ESCRS_MAX)
			leave_at(&child->place, "<%s> has more than %d ESCRs",
				 element->name, EVENT_ESCRS_MAX);
		event->escr[event->nr_escrs++] = find_escr(config, child);
	}
	if (!event->nr_escrs)
		leave_at(&element->place, "<%s> has no <escr>", element->name);
}

/* A field of an event mask must lie within the ESCR's field event_mask. */
static void check_mask(const struct emon_config *config,
		       const struct xml_element *mask,
		       const struct layout *layout)
{
	const struct field *whole =
		layout_find(&config->escr_layout, "event_mask");
	const struct field *field;
	const struct xml_element *child = mask->first;
	unsigned int i;

	for (i = 0; i < layout->nr; i++, child = child->next) {
		field = &layout->field[i];
		if (field->low < whole->low ||
		    field->low + field->width > whole->low + whole->width)
			leave_at(&child->place,
				 "<%s> has bits outside of the ESCR's"
				 " <event_mask>",
				 child->name);
	}
}

static void read_normal(const struct emon_config *config,
			const struct xml_element *element,
			struct normal_event *event)
{
	static const char *const names[] = { "event_select", "event_mask",
					     "escr", "available_for_pebs",
					     NULL };
	const struct xml_element *select = xml_need(element, "event_select");
	const struct xml_element *mask = xml_find(element, "event_mask");

	xml_only(element, names);
	if (normal_event_find(config, element->name))
		leave_at(&element->place, "the event <%s> is already defined",
			 element->name);
	event->name = element->name;
	event->select = (uint32_t)xml_number(select, select->text, 0x3f);
	if (mask) {
		layout_read_mask(&event->mask, mask);
		check_mask(config, mask, &event->mask);
	}
	read_event_escrs(config, element, event);
	event->has_pebs = xml_find(element, "available_for_pebs");
}

static void read_normal_events(struct emon_config *config)
{
	const struct xml_element *events =
		xml_need(config->root, "normal_events");
	const struct xml_element *child;

	config->normal =
		allocate(xml_count(events) + 1, sizeof(*config->normal));
	for (child = events->first; child; child = child->next) {
		read_normal(config, child, &config->normal[config->nr_normal]);
		config->nr_normal++;
	}
}

static enum tag_type read_type(const struct xml_element *element)
{
	if (xml_same(element->text, "front_end"))
		return TAG_FRONT_END;
	if (xml_same(element->text, "execution"))
		return TAG_EXECUTION;
	if (xml_same(element->text, "replay"))
		return TAG_REPLAY;
	leave_at(&element->place,
		 "\"%s\" is not a type of tags: write front_end, execution or"
		 " replay",
		 element->text);
}

static bool is_pebs_register(const char *name)
{
	return xml_same(name, "pebs_enable") ||
	       xml_same(name, "pebs_matrix_vert");
}

/* Find the only event that <tag_setup> or <count_setup> names, or NULL. */
static const struct normal_event *
read_setup(const struct emon_config *config, const struct xml_element *setup,
	   const struct xml_element **settings)
{
	const struct xml_element *child;

	*settings = NULL;
	for (child = setup->first; child; child = child->next) {
		if (is_pebs_register(child->name))
			continue;
		if (*settings)
			leave_at(&child->place, "<%s> has two events",
				 setup->name);
		*settings = child;
		if (!normal_event_find(config, child->name))
			leave_at(&child->place,
				 "<normal_events> lacks the event <%s>",
				 child->name);
	}
	return *settings ? normal_event_find(config, (*settings)->name) : NULL;
}

static void read_tagged(const struct emon_config *config,
			const struct xml_element *element,
			struct tag_event *event)
{
	static const char *const names[] = { "type", "tag_setup", "count_setup",
					     NULL };
	const struct xml_element *count = xml_need(element, "count_setup");

	xml_only(element, names);
	if (normal_event_find(config, element->name) ||
	    tag_event_find(config, element->name))
		leave_at(&element->place, "the event <%s> is already defined",
			 element->name);
	event->name = element->name;
	event->type = read_type(xml_need(element, "type"));
	event->tag_setup = xml_need(element, "tag_setup");
	event->tag = read_setup(config, event->tag_setup, &event->tag_settings);
	event->count = read_setup(config, count, &event->count_settings);
	if (!event->tag && event->type != TAG_REPLAY)
		leave_at(&event->tag_setup->place,
			 "<tag_setup> has no event, which only replay needs"
			 " not have");
	if (!event->count)
		leave_at(&count->place, "<count_setup> has no event");
}

static void read_tag_events(struct emon_config *config)
{
	const struct xml_element *events = xml_need(config->root, "tag_events");
	const struct xml_element *child;

	config->tagged =
		allocate(xml_count(events) + 1, sizeof(*config->tagged));
	for (child = events->first; child; child = child->next) {
		read_tagged(config, child, &config->tagged[config->nr_tagged]);
		config->nr_tagged++;
	}
}

void emon_config_read(struct emon_config *config, const char *path)
{
	static const char *const names[] = {
		"escr_config",	    "cccr_config", "counter_config",
		"pebs_enable",	    "escrs",	   "normal_events",
		"pebs_matrix_vert", "tag_events",  NULL
	};

	memset(config, 0, sizeof(*config));
	config->root = xml_read(path, "emon_config", &config->bytes);
	xml_only(config->root, names);
	read_layouts(config);
	read_escrs(config);
	read_normal_events(config);
	read_tag_events(config);
}

void emon_config_free(struct emon_config *config)
{
	free(config->escr);
	free(config->normal);
	free(config->tagged);
	free(config->bytes.text);
	xml_free(config->root);
}

const struct normal_event *normal_event_find(const struct emon_config *config,
					     const char *name)
{
	unsigned int i;

	for (i = 0; i < config->nr_normal; i++)
		if (xml_same(config->normal[i].name, name))
			return &config->normal[i];
	return NULL;
}

const struct tag_event *tag_event_find(const struct emon_config *config,
				       const char *name)
{
	unsigned int i;

	for (i = 0; i < config->nr_tagged; i++)
		if (xml_same(config->tagged[i].name, name))
			return &config->tagged[i];
	return NULL;
}

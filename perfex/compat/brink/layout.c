// SPDX-License-Identifier: GPL-2.0-only
/* Read layouts of registers, and set their fields. */
#include "layout.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static uint64_t bits_of(const struct field *field)
{
	return (field->width < 64 ? (UINT64_C(1) << field->width) - 1
				  : UINT64_MAX)
	       << field->low;
}

/* Read "LOW-HIGH" or "BIT". */
static void read_range(const struct xml_element *element, struct field *field)
{
	const char *text = xml_need_value(element, "bits");
	char low[8];
	const char *dash = strchr(text, '-');
	unsigned long first, last;

	if (dash && (size_t)(dash - text) < sizeof(low)) {
		memcpy(low, text, (size_t)(dash - text));
		low[dash - text] = '\0';
		first = xml_number(element, low, 63);
		last = xml_number(element, dash + 1, 63);
	} else {
		first = xml_number(element, text, 63);
		last = first;
	}
	if (last < first)
		leave_at(&element->place,
			 "the bits \"%.20s\" of <%s> run"
			 " downwards: begin with the lowest",
			 text, element->name);
	field->low = (unsigned int)first;
	field->width = (unsigned int)(last - first) + 1;
}

/* Read the digits 0 and 1 of a field, the highest bit first. */
static uint64_t read_digits(const struct xml_element *element,
			    const struct field *field, const char *text)
{
	uint64_t bits = 0;

	if (strlen(text) != field->width || strspn(text, "01") != field->width)
		leave_at(&element->place,
			 "\"%.70s\" for <%s> does not have %u"
			 " digits of 0 and 1",
			 text, element->name, field->width);
	for (; *text; text++)
		bits = bits << 1 | (*text == '1');
	return bits;
}

static void add_field(struct layout *layout, const struct xml_element *element)
{
	struct field *field = &layout->field[layout->nr];
	const char *initial = xml_value(element, "default");

	if (layout->nr == FIELDS_MAX)
		leave_at(&element->place, "<%s> has more than %d fields",
			 layout->name, FIELDS_MAX);
	if (layout_find(layout, element->name))
		leave_at(&element->place, "<%s> has two fields <%s>",
			 layout->name, element->name);
	field->name = element->name;
	read_range(element, field);
	if (initial)
		layout->initial |= read_digits(element, field, initial)
				   << field->low;
	layout->nr++;
}

void layout_read_mask(struct layout *layout, const struct xml_element *element)
{
	const struct xml_element *child;

	layout->name = element->name;
	for (child = element->first; child; child = child->next)
		add_field(layout, child);
}

void layout_read(struct layout *layout, const struct xml_element *element)
{
	uint64_t taken = 0, bits;
	const struct xml_element *child = element->first;
	unsigned int i;

	layout_read_mask(layout, element);
	for (i = 0; i < layout->nr; i++, child = child->next) {
		bits = bits_of(&layout->field[i]);
		if (taken & bits)
			leave_at(&child->place,
				 "<%s> has bits of another field"
				 " of <%s>",
				 child->name, layout->name);
		taken |= bits;
	}
}

const struct field *layout_find(const struct layout *layout, const char *name)
{
	unsigned int i;

	for (i = 0; i < layout->nr; i++)
		if (xml_same(layout->field[i].name, name))
			return &layout->field[i];
	return NULL;
}

uint64_t layout_get(const struct layout *layout, const char *name,
		    uint64_t value)
{
	const struct field *field = layout_find(layout, name);

	return field ? (value & bits_of(field)) >> field->low : 0;
}

static void put(const struct field *field, uint64_t *value, uint64_t bits)
{
	*value &= ~bits_of(field);
	*value |= bits << field->low & bits_of(field);
}

void layout_put(const struct layout *layout, const char *name, uint64_t *value,
		uint64_t bits)
{
	put(layout_find(layout, name), value, bits);
}

int layout_is_reserved(const char *name)
{
	return !strncasecmp(name, "reserved", strlen("reserved"));
}

/* Exit if the driver or the assignment of counters decides the value of the field. */
static void check_field(const struct xml_element *element)
{
	static const char *const owned[] = { "enable",	  "escr_select",
					     "force_ovf", "ovf_pmi",
					     "ovf",	  "enable_pebs" };
	size_t i;

	if (layout_is_reserved(element->name))
		leave_at(&element->place, "<%s> is reserved: leave it out",
			 element->name);
	for (i = 0; i < sizeof(owned) / sizeof(owned[0]); i++)
		if (xml_same(element->name, owned[i]))
			leave_at(&element->place,
				 "<%s> is set where it is needed: leave it out",
				 element->name);
}

/* Tell whether a field selects a mode. Both halves of a tagged event have the same modes. */
static bool is_mode(const char *name)
{
	return xml_same(name, "usr") || xml_same(name, "os");
}

/* Set a field to all ones or zeros, or to the attribute val of its element. */
static void set_field(const struct xml_element *element,
		      const struct target *targets, unsigned int nr, bool ones)
{
	const char *val = xml_value(element, "val");
	const struct field *field;
	bool found = false;
	unsigned int i;

	check_field(element);
	for (i = 0; i < nr && (!found || is_mode(element->name)); i++) {
		field = layout_find(targets[i].layout, element->name);
		if (!field)
			continue;
		found = true;
		put(field, targets[i].value,
		    val	   ? read_digits(element, field, val)
		    : ones ? UINT64_MAX
			   : 0);
	}
	if (!found)
		leave_at(&element->place, "the event has no field <%s>",
			 element->name);
}

static bool is_other(const char *name, const char *const *others)
{
	while (*others && !xml_same(*others, name))
		others++;
	return *others;
}

void settings_apply(const struct xml_element *element,
		    const struct target *targets, unsigned int nr,
		    const char *const *others)
{
	const struct xml_element *child, *field;
	bool is_set;

	for (child = element->first; child; child = child->next) {
		if (is_other(child->name, others))
			continue;
		is_set = xml_same(child->name, "set") ||
			 xml_same(child->name, "val");
		if (!is_set && !xml_same(child->name, "clr")) {
			xml_need_value(child, "val");
			set_field(child, targets, nr, true);
			continue;
		}
		for (field = child->first; field; field = field->next)
			set_field(field, targets, nr, is_set);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares layouts of registers with named bits, and how a file sets bits. */
#ifndef BRINK_LAYOUT_H
#define BRINK_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "xml_tree.h"

/* A register of 64 bits has at most this many fields. */
#define FIELDS_MAX 64

/**
 * struct field - named bits of a register
 * @name: the name
 * @low: the lowest bit
 * @width: number of bits
 */
struct field {
	const char *name;
	unsigned int low;
	unsigned int width;
};

/**
 * struct layout - the fields of a register, or of an event mask
 * @name: name of the element that describes the register
 * @field: the fields
 * @nr: number of fields
 * @initial: the value of the register with the default of each field
 */
struct layout {
	const char *name;
	struct field field[FIELDS_MAX];
	unsigned int nr;
	uint64_t initial;
};

/**
 * layout_read() - read the description of a layout
 * @layout: receives the layout
 * @element: the element, which must stay allocated
 *
 * The function exits if the bits are malformed, or fields of the same register overlap.
 */
void layout_read(struct layout *layout, const struct xml_element *element);

/**
 * layout_read_mask() - read the description of an event mask, whose fields may overlap
 */
void layout_read_mask(struct layout *layout, const struct xml_element *element);

/* layout_is_reserved() - tell whether a name is that of reserved bits */
int layout_is_reserved(const char *name);

/* layout_find() - find a field by its name, or NULL */
const struct field *layout_find(const struct layout *layout, const char *name);

/* layout_get() - get the value of a field, 0 if the layout does not have it */
uint64_t layout_get(const struct layout *layout, const char *name,
		    uint64_t value);

/* layout_put() - set a field to @bits. The layout must have the field. */
void layout_put(const struct layout *layout, const char *name, uint64_t *value,
		uint64_t bits);

/**
 * struct target - a register with fields that a file may set
 * @layout: its layout
 * @value: its value
 */
struct target {
	const struct layout *layout;
	uint64_t *value;
};

/**
 * settings_apply() - apply <set>, <clr>, <val> and fields with the attribute val
 * @element: the element that contains the settings
 * @targets: the registers. A field is set in the first register that has it. "usr" and "os" are
 *	set in all registers.
 * @nr: number of registers
 * @others: names of elements that are not settings, ended by NULL
 *
 * The function exits if no register has the field, or if it is reserved or belongs to the driver.
 */
void settings_apply(const struct xml_element *element,
		    const struct target *targets, unsigned int nr,
		    const char *const *others);

#endif /* BRINK_LAYOUT_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the configuration file: registers, ESCRs and events of a Pentium 4. */
#ifndef BRINK_EMON_CONFIG_H
#define BRINK_EMON_CONFIG_H

#include "layout.h"

/* A Pentium 4 has this many counters. */
#define COUNTERS 18

/* At most this many ESCRs can detect an event. */
#define EVENT_ESCRS_MAX 4

/**
 * struct escr - an event selection control register, which detects events
 * @name: its name
 * @address: its address
 * @select: the value of a CCCR's field escr_select that selects this ESCR
 * @counters: bit n is set if the ESCR feeds counter n
 */
struct escr {
	const char *name;
	uint32_t address;
	uint32_t select;
	uint32_t counters;
};

/**
 * struct normal_event - an event that an ESCR detects
 * @name: its name
 * @select: value of the ESCR's field event_select
 * @mask: fields of the ESCR that are special to the event
 * @escr: the ESCRs that can detect it
 * @nr_escrs: number of ESCRs in @escr
 * @has_pebs: whether PEBS can sample it
 */
struct normal_event {
	const char *name;
	uint32_t select;
	struct layout mask;
	const struct escr *escr[EVENT_ESCRS_MAX];
	unsigned int nr_escrs;
	bool has_pebs;
};

/* Operations get tags in these ways. */
enum tag_type {
	TAG_NONE,
	TAG_FRONT_END,
	TAG_EXECUTION,
	TAG_REPLAY,
};

/**
 * struct tag_event - an event that counts tagged operations at retirement
 * @name: its name
 * @type: the way in which the operations get the tag
 * @tag_setup: the element with the settings of tagging
 * @tag: the event that sets the tag, or NULL if registers of PEBS suffice
 * @tag_settings: the element with the settings of @tag
 * @count: the event that counts
 * @count_settings: the element with the settings of @count
 */
struct tag_event {
	const char *name;
	enum tag_type type;
	const struct xml_element *tag_setup;
	const struct normal_event *tag;
	const struct xml_element *tag_settings;
	const struct normal_event *count;
	const struct xml_element *count_settings;
};

/**
 * struct emon_config - a configuration file
 * @root: the outermost element of the file
 * @bytes: the contents of the file
 * @escr_layout: layout of an ESCR
 * @cccr_layout: layout of a CCCR
 * @counter_layout: layout of a counter
 * @pebs_enable: layout of IA32_PEBS_ENABLE
 * @pebs_matrix_vert: layout of MSR_PEBS_MATRIX_VERT
 * @escr: the ESCRs
 * @nr_escrs: number of ESCRs
 * @normal: the events without tags
 * @nr_normal: number of events without tags
 * @tagged: the events with tags
 * @nr_tagged: number of events with tags
 */
struct emon_config {
	struct xml_element *root;
	struct xml_bytes bytes;
	struct layout escr_layout;
	struct layout cccr_layout;
	struct layout counter_layout;
	struct layout pebs_enable;
	struct layout pebs_matrix_vert;
	struct escr *escr;
	unsigned int nr_escrs;
	struct normal_event *normal;
	unsigned int nr_normal;
	struct tag_event *tagged;
	unsigned int nr_tagged;
};

/* emon_config_read() - read a configuration file, or exit */
void emon_config_read(struct emon_config *config, const char *path);

/* emon_config_free() - free the memory that emon_config_read() has allocated */
void emon_config_free(struct emon_config *config);

/* normal_event_find() - find an event without tags by its name, or NULL */
const struct normal_event *normal_event_find(const struct emon_config *config,
					     const char *name);

/* tag_event_find() - find an event with tags by its name, or NULL */
const struct tag_event *tag_event_find(const struct emon_config *config,
				       const char *name);

#endif /* BRINK_EMON_CONFIG_H */

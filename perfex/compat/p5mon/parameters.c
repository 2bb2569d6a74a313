// SPDX-License-Identifier: GPL-2.0-only
/* Set and check the parameters of run_p5mon. */
#include "parameters.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <strings.h>

#include "run_p5mon.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

enum kind { SWITCH, NUMBER, STRING };

/**
 * struct description - the description of a parameter
 * @name: name of the parameter
 * @offset: offset of its value in struct parameters
 * @kind: kind of its value
 * @least: lowest number
 * @most: highest number
 * @is_other: true if this is a second name of the preceding parameter
 */
struct description {
	const char *name;
	size_t offset;
	enum kind kind;
	unsigned int least;
	unsigned int most;
	bool is_other;
};

#define PARAMETER(name_) \
	.name = #name_, .offset = offsetof(struct parameters, name_)

static const struct description descriptions[] = {
	{ PARAMETER(command), .kind = STRING },
	{ PARAMETER(repetitions), .kind = NUMBER, .least = 1, .most = INT_MAX },
	{ PARAMETER(user_events), .kind = SWITCH },
	{ PARAMETER(kernel_events), .kind = SWITCH },
	{ PARAMETER(output_all_results), .kind = SWITCH },
	/* p5mon's description uses both names. */
	{ .name = "confidence_level_99",
	  .kind = SWITCH,
	  .offset = offsetof(struct parameters, level_99) },
	{ .name = "conf_level_99",
	  .kind = SWITCH,
	  .offset = offsetof(struct parameters, level_99),
	  .is_other = true },
	{ PARAMETER(use_assembly_regions), .kind = SWITCH },
	{ PARAMETER(max_regions), .kind = NUMBER, .least = 1,
	  .most = P5MON_REGIONS },
	{ PARAMETER(output_file), .kind = STRING },
	{ PARAMETER(skip_initialization_run), .kind = SWITCH },
	{ PARAMETER(verbose_level), .kind = NUMBER, .least = 0,
	  .most = INT_MAX },
	{ PARAMETER(repeat_first_run), .kind = SWITCH },
	{ PARAMETER(published_intervals), .kind = SWITCH },
	{ PARAMETER(dump_parms), .kind = SWITCH },
	{ PARAMETER(warn_parm_not_defined), .kind = SWITCH },
	{ PARAMETER(warn_parm_defined_twice), .kind = SWITCH },
	{ PARAMETER(warn_parm_not_used), .kind = SWITCH },
	{ PARAMETER(parm_warn_file_name), .kind = STRING },
	{ PARAMETER(parm_dump_file_name), .kind = STRING },
};

#define NR_DESCRIPTIONS ARRAY_SIZE(descriptions)

struct parameters default_parameters(void)
{
	return (struct parameters){
		.repetitions = 1,
		.user_events = true,
		.max_regions = P5MON_REGIONS,
		.warn_parm_defined_twice = true,
		.warn_parm_not_used = true,
		.parm_warn_file_name = "stderr",
		.parm_dump_file_name = "stderr",
	};
}

size_t number_of_parameters(void)
{
	return NR_DESCRIPTIONS + NR_EVENTS;
}

const char *parameter_name(size_t i)
{
	return i < NR_DESCRIPTIONS ? descriptions[i].name
				   : events[i - NR_DESCRIPTIONS].parameter;
}

bool is_other_name(size_t i)
{
	return i < NR_DESCRIPTIONS && descriptions[i].is_other;
}

int parameter_number(const char *name)
{
	size_t i;

	for (i = 0; i < number_of_parameters(); i++) {
		if (!strcasecmp(name, parameter_name(i)))
			return (int)(is_other_name(i) ? i - 1 : i);
	}
	return -1;
}

static int set_switch(bool *to, const char *name, const char *value,
		      const char *place)
{
	/* An empty value means yes. */
	static const char *const words[2][5] = {
		{ "no", "n", "0", "off" },
		{ "yes", "y", "1", "on", "" },
	};
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		for (j = 0; j < ARRAY_SIZE(words[i]) && words[i][j]; j++) {
			if (!strcasecmp(value, words[i][j])) {
				*to = i;
				return 0;
			}
		}
	}
	complain("%s: %s is \"%s\": give yes or no", place, name, value);
	return PERFEX_USAGE;
}

static int set_number(unsigned int *to, const struct description *description,
		      const char *value, const char *place)
{
	unsigned long number;
	char *end;

	errno = 0;
	number = strtoul(value, &end, 10);
	if (!isdigit((unsigned char)*value) || *end || errno ||
	    number < description->least || number > description->most) {
		complain("%s: %s is \"%s\": give a number from %u to %u", place,
			 description->name, value, description->least,
			 description->most);
		return PERFEX_USAGE;
	}
	*to = (unsigned int)number;
	return 0;
}

int set_parameter(struct parameters *parameters, size_t i, const char *value,
		  const char *place)
{
	const struct description *description;
	void *to;

	if (i >= NR_DESCRIPTIONS)
		return set_switch(&parameters->event[i - NR_DESCRIPTIONS],
				  parameter_name(i), value, place);
	description = &descriptions[i];
	to = (char *)parameters + description->offset;
	switch (description->kind) {
	case SWITCH:
		return set_switch(to, description->name, value, place);
	case NUMBER:
		return set_number(to, description, value, place);
	default:
		*(const char **)to = value;
		return 0;
	}
}

static bool counts_something(const struct parameters *parameters)
{
	size_t i;

	for (i = 0; i < NR_EVENTS; i++) {
		if (parameters->event[i])
			return true;
	}
	return false;
}

int check_parameters(const struct parameters *parameters)
{
	if (!parameters->command || !*parameters->command) {
		complain("the parameter command is not set: set it in the"
			 " parameter file, or give -Fcommand=COMMAND");
		return PERFEX_USAGE;
	}
	if (!counts_something(parameters)) {
		complain("no event is set to yes: set one in the parameter"
			 " file, or give -Finstructions_executed=yes");
		return PERFEX_USAGE;
	}
	if (parameters->repeat_first_run) {
		complain("repeat_first_run is yes: p5mon's description does"
			 " not say what that means, so set it to no");
		return PERFEX_USAGE;
	}
	if (!parameters->user_events && !parameters->kernel_events)
		complain("warning: nothing is counted, because user_events and"
			 " kernel_events are both no");
	return 0;
}

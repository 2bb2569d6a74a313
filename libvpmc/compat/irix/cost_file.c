// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read and print tables of event costs as text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libperfex_costs.h"

#define BLANKS " \t\n"

static const char *const unit_names[] = {
	[PERFEXINT_CLKS] = "clks", [PERFEXINT_NSEC] = "nsec"
};

/* A line has these words: number, name, three costs and a unit. */
enum word { NUMBER, NAME, COST, UNIT = COST + PERFEXINT_EXTENTS, WORDS };

static int fail(struct vpmc_error *err, enum vpmc_code code, const char *path,
		unsigned int line, const char *text)
{
	err->code = code;
	snprintf(err->text, sizeof(err->text), "%.100s, line %u: %s", path,
		 line, text);
	return code;
}

/* Split a line into words. Returns the number of words, or WORDS + 1 if there are too many. */
static unsigned int split(char *line, char *word[WORDS])
{
	char *rest = NULL;
	char *found;
	unsigned int nr = 0;

	line[strcspn(line, "#")] = '\0';
	for (found = strtok_r(line, BLANKS, &rest); found && nr <= WORDS;
	     found = strtok_r(NULL, BLANKS, &rest)) {
		if (nr < WORDS)
			word[nr] = found;
		nr++;
	}
	return nr;
}

/* Parse a whole word as a number that is not below 0. */
static int parse_cost(const char *word, double *cost)
{
	char *end;

	*cost = strtod(word, &end);
	return end != word && !*end && *cost >= 0 && *cost <= 1e12;
}

static int parse_unit(const char *word, enum perfexint_unit *unit)
{
	unsigned int i;

	for (i = 0; i < sizeof(unit_names) / sizeof(unit_names[0]); i++) {
		if (!strcmp(word, unit_names[i])) {
			*unit = (enum perfexint_unit)i;
			return 1;
		}
	}
	return 0;
}

/* Returns the event that has the number and the name of a line, or NULL. */
static struct perfexint_cost *find_event(struct perfexint_costs *costs,
					 char *const word[WORDS])
{
	const struct vpmc_event_info *info;
	uint64_t number;
	size_t nr, i;
	char *end;

	number = strtoull(word[NUMBER], &end, 0);
	info = vpmc_event_table(costs->pmu, &nr);
	for (i = 0; !*end && i < costs->nr; i++) {
		if (info[i].code == number && !strcmp(info[i].name, word[NAME]))
			return &costs->event[i];
	}
	return NULL;
}

static int parse_line(struct perfexint_costs *costs, char *text,
		      const char *path, unsigned int line,
		      struct vpmc_error *err)
{
	struct perfexint_cost cost;
	struct perfexint_cost *event;
	char *word[WORDS];
	unsigned int i;

	i = split(text, word);
	if (!i)
		return 0;
	if (i != WORDS)
		return fail(err, VPMC_E_SYNTAX, path, line,
			    "give number, name, typical, minimum and maximum"
			    " cost and unit of an event, as perfex.irix -t"
			    " does");
	event = find_event(costs, word);
	if (!event)
		return fail(err, VPMC_E_UNKNOWN_EVENT, path, line,
			    "this processor has no event with this number and"
			    " name (perfex.irix -t lists them)");
	cost = *event;
	for (i = 0; i < PERFEXINT_EXTENTS; i++) {
		if (!parse_cost(word[COST + i], &cost.cost[i]))
			return fail(err, VPMC_E_SYNTAX, path, line,
				    "a cost is a number from 0 to 1e12");
	}
	if (cost.cost[PERFEXINT_MINIMUM] > cost.cost[PERFEXINT_TYPICAL] ||
	    cost.cost[PERFEXINT_TYPICAL] > cost.cost[PERFEXINT_MAXIMUM])
		return fail(err, VPMC_E_SYNTAX, path, line,
			    "the typical cost comes first and lies between the"
			    " minimum and the maximum, which follow");
	if (!parse_unit(word[UNIT], &cost.unit))
		return fail(err, VPMC_E_SYNTAX, path, line,
			    "the unit is clks or nsec");
	*event = cost;
	return 0;
}

static int parse_file(struct perfexint_costs *costs, FILE *file,
		      const char *path, struct vpmc_error *err)
{
	unsigned int line = 0;
	char *text = NULL;
	size_t size = 0;
	int ret = 0;

	while (!ret && getline(&text, &size, file) >= 0)
		ret = parse_line(costs, text, path, ++line, err);
	free(text);
	if (!ret && ferror(file))
		return fail(err, VPMC_E_SYSTEM, path, line + 1,
			    strerror(errno));
	return ret;
}

int perfexint_load_costs(struct perfexint_costs *costs, const char *path,
			 struct vpmc_error *err)
{
	struct perfexint_costs loaded = *costs;
	FILE *file = fopen(path, "re");
	int ret;

	if (!file) {
		err->code = VPMC_E_SYSTEM;
		snprintf(err->text, sizeof(err->text),
			 "cannot open the costs %.100s: %s", path,
			 strerror(errno));
		return err->code;
	}
	ret = parse_file(&loaded, file, path, err);
	fclose(file);
	if (!ret)
		*costs = loaded;
	return ret;
}

void perfexint_write_costs(FILE *out, const struct perfexint_costs *costs)
{
	const struct vpmc_event_info *info;
	const struct perfexint_cost *event;
	size_t nr, i;

	info = vpmc_event_table(costs->pmu, &nr);
	fprintf(out, "# %s: number, event, typical, minimum and maximum cost\n",
		vpmc_pmu_name(costs->pmu));
	for (i = 0; i < costs->nr; i++) {
		event = &costs->event[i];
		fprintf(out, "%5llu %-32s %8g %8g %8g %s\n",
			(unsigned long long)info[i].code, event->name,
			event->cost[PERFEXINT_TYPICAL],
			event->cost[PERFEXINT_MINIMUM],
			event->cost[PERFEXINT_MAXIMUM],
			unit_names[event->unit]);
	}
}

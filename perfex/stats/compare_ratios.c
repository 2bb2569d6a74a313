// SPDX-License-Identifier: GPL-2.0-only
/* Compute the ratios between the commands of --compare. */
#include "stats/compare_ratios.h"

#include <math.h>

#include "stats/event_value.h"
#include "stats/run_series.h"
#include "stats/rusage.h"

/* Outside of this range, a ratio with six decimals would have too few or too many digits. */
#define SMALL 1e-3
#define LARGE 1e9

void print_ratio(char text[RATIO_MAX], double value)
{
	const double size = fabs(value);

	snprintf(text, RATIO_MAX,
		 size >= LARGE || (size > 0 && size < SMALL) ? "%.6e" : "%.6f",
		 value);
}

static void explain(struct relation *relation, const char *command,
		    const char *why)
{
	snprintf(relation->note, sizeof(relation->note), "%s%s", command, why);
}

static void compare(struct relation *relation,
		    const struct statistic *statistic,
		    const struct statistic *base)
{
	struct ratio *ratio = &relation->ratio;

	relation->has_value = get_ratio(ratio, statistic, base);
	relation->has_none = !relation->has_value;
	if (!relation->has_value)
		explain(relation, "command 1", " has none");
	else if (ratio->is_exact)
		explain(relation, "", "the same in all runs");
	else if (statistic->nr < 2 || base->nr < 2)
		explain(relation, "", "of one run");
	else if (!ratio->has_interval)
		explain(relation, "no interval: ",
			"the runs of command 1 differ too much");
}

/* Return the statistic of a figure. If it has a single run, make a statistic of one value. */
static struct statistic statistic_of(const struct figure *figure)
{
	struct statistic single = { .nr = 0 };

	if (figure->statistic)
		return *figure->statistic;
	add_value(&single, figure->count);
	return single;
}

static void compare_events(struct relation *relation,
			   const struct report *report,
			   const struct report *base)
{
	const struct figure own = figure_of_total(report, relation->event);
	const struct figure other = figure_of_total(base, relation->event);
	struct statistic statistic, divisor;

	if (own.missing || other.missing) {
		explain(relation, other.missing ? "command 1: " : "",
			other.missing ? other.missing : own.missing);
		return;
	}
	relation->share = own.share < other.share ? own.share : other.share;
	statistic = statistic_of(&own);
	divisor = statistic_of(&other);
	compare(relation, &statistic, &divisor);
}

static bool compare_resources(struct relation *relation, size_t i,
			      const struct report *report,
			      const struct report *base)
{
	struct resource resource;

	if (i >= NR_RESOURCES || !get_resource(base, i, &resource))
		return false;
	relation->resource = resource.name;
	relation->resource_nr = i;
	if (report->series->runs)
		compare(relation, &report->series->resource[i],
			&base->series->resource[i]);
	else
		explain(relation, "", "its run did not take place");
	return true;
}

bool get_relation(const struct comparison *comparison, size_t i, size_t command,
		  struct relation *relation)
{
	const struct report *base = comparison->report;
	const struct report *report = &comparison->report[command];
	const size_t nr = base->events->nr;

	*relation = (struct relation){ .event = i, .share = WHOLE };
	if (i >= nr)
		return compare_resources(relation, i - nr, report, base);
	compare_events(relation, report, base);
	return true;
}

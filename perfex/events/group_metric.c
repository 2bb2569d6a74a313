// SPDX-License-Identifier: GPL-2.0-only
/* Find a single metric in the groups. */
#include "events/group_metric.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "events/group_file.h"

/*
 * Load the metrics of one group. The caller frees them with free_one(). Returns NULL if there is
 * no memory.
 */
static struct metrics *load_one(const char *path, int *status)
{
	struct metrics *one = calloc(1, sizeof(*one));

	*status = one ? load_group_file(one, path) : PERFEX_UNKNOWN_EVENT;
	if (!one)
		complain("cannot read the group %s: out of memory", path);
	return one;
}

static void free_one(struct metrics *one)
{
	if (one)
		free_groups(one);
	free(one);
}

/**
 * struct search - a search for a metric
 * @name: name of the metric
 * @path: path of the first group that has the metric
 * @nr: number of groups that have the metric
 */
struct search {
	const char *name;
	char *path;
	unsigned int nr;
};

static const struct metric *find_metric(const struct metrics *metrics,
					const char *name)
{
	size_t i;

	for (i = 0; i < metrics->nr; i++) {
		if (!strcasecmp(metrics->metric[i].name, name))
			return &metrics->metric[i];
	}
	return NULL;
}

static int look_into(const char *path, const char *group, void *arg)
{
	struct search *search = arg;
	int status;
	struct metrics *one = load_one(path, &status);

	(void)group;
	if (!status && find_metric(one, search->name) && !search->nr++) {
		search->path = strdup(path);
		if (!search->path)
			search->nr = 0;
	}
	free_one(one);
	return status;
}

/* Move an event of a formula. Returns its new index. */
static size_t move_event(struct metrics *metrics,
			 const struct group_event *event)
{
	size_t i;

	for (i = 0; i < metrics->nr_events; i++) {
		if (metrics->event[i].file == event->file &&
		    metrics->event[i].line == event->line)
			return i;
	}
	metrics->event[metrics->nr_events] = *event;
	return metrics->nr_events++;
}

/* Move a metric, with the texts that it uses. */
static int move_metric(struct metrics *metrics, struct metrics *one,
		       const char *name)
{
	struct metric metric = *find_metric(one, name);
	size_t i;

	if (metrics->nr == METRICS_MAX || metrics->nr_files == FILES_MAX ||
	    metrics->nr_events + metric.formula.nr > EVENTS_MAX) {
		complain("metric %s is one too many: count fewer at once",
			 name);
		return PERFEX_TOO_MANY;
	}
	for (i = 0; i < metric.formula.nr; i++) {
		struct step *step = &metric.formula.step[i];

		if (step->kind == STEP_EVENT)
			step->event =
				move_event(metrics, &one->event[step->event]);
	}
	metrics->metric[metrics->nr++] = metric;
	metrics->file[metrics->nr_files] = one->file[0];
	metrics->name[metrics->nr_files++] = one->name[0];
	one->nr_files = 0;
	return 0;
}

int load_metric(struct metrics *metrics, const struct vpmc_pmu *pmu,
		const char *name, bool *found)
{
	struct search search = { .name = name };
	int status = visit_groups(pmu, look_into, &search);
	struct metrics *one;

	*found = search.nr;
	if (!status && search.nr > 1) {
		complain("several groups have a metric %s: count all events of"
			 " one of them (perfex -l %s, perfex -g GROUP)",
			 name, name);
		status = PERFEX_UNKNOWN_EVENT;
	} else if (!status && search.nr) {
		one = load_one(search.path, &status);
		if (!status)
			status = move_metric(metrics, one, name);
		free_one(one);
	}
	free(search.path);
	return status;
}

/* struct visit holds the arguments of visit_metrics() while it visits groups. */
struct visit {
	void (*use)(const struct metric *metric, const char *group, void *arg);
	void *arg;
};

static int visit_group(const char *path, const char *group, void *arg)
{
	const struct visit *visit = arg;
	int status;
	struct metrics *one = load_one(path, &status);
	size_t i;

	for (i = 0; !status && i < one->nr; i++)
		visit->use(&one->metric[i], group, visit->arg);
	free_one(one);
	return 0;
}

void visit_metrics(const struct vpmc_pmu *pmu,
		   void (*use)(const struct metric *metric, const char *group,
			       void *arg),
		   void *arg)
{
	struct visit visit = { .use = use, .arg = arg };

	visit_groups(pmu, visit_group, &visit);
}

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the single metrics of groups, for perfex -e METRIC and perfex -l. */
#ifndef PERFEX_GROUP_METRIC_H
#define PERFEX_GROUP_METRIC_H

#include "events/group.h"

/**
 * load_metric() - find a metric in the groups of a processor
 * @metrics: receives the metric, after metrics that it already has, and the events of its formula
 * @pmu: the processor's counters
 * @name: name of the metric; case does not matter
 * @found: receives whether a group has it
 *
 * Return: 0, or an enum perfex_status after a complaint: a group cannot be read, or
 * several groups have such a metric.
 */
int load_metric(struct metrics *metrics, const struct vpmc_pmu *pmu,
		const char *name, bool *found);

/**
 * visit_metrics() - visit all metrics in the groups of a processor
 * @pmu: the processor's counters
 * @use: function that is called with each metric, the name of its group, and @arg
 * @arg: last argument of @use
 *
 * Groups that cannot be read are skipped, after a complaint.
 */
void visit_metrics(const struct vpmc_pmu *pmu,
		   void (*use)(const struct metric *metric, const char *group,
			       void *arg),
		   void *arg);

#endif /* PERFEX_GROUP_METRIC_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the labels that an exposition needs in addition to a name, so that no two
 * of its samples have equal labels. A reader of expositions would drop one of two samples with
 * equal labels.
 */
#ifndef PERFEX_SAMPLE_LABELS_H
#define PERFEX_SAMPLE_LABELS_H

#include "util/perfex.h"

/* distinguish_event() and distinguish_metric() return at most this many labels. */
#define DISTINCT_MAX 3

/**
 * struct label - a label
 * @name: its name, or NULL after the last label
 * @value: its value, which can be any text
 */
struct label {
	const char *name;
	const char *value;
};

/**
 * struct distinct - labels that distinguish a sample from other samples of its name
 * @label: the labels, ended by a label without a name
 * @nr: number of labels
 * @text: room for numbers
 */
struct distinct {
	struct label label[DISTINCT_MAX + 1];
	size_t nr;
	char text[DISTINCT_MAX][24];
};

/**
 * distinguish_event() - find the labels that an event needs in addition to its name and mode
 * @events: the events that are counted
 * @i: index of the event
 * @distinct: receives the labels: "code" if the event has no name or another event of this name
 *	has a different code, "counter" if another counter counts the same event, and "number" if
 *	the driver chooses the counters of both events
 */
void distinguish_event(const struct events *events, size_t i,
		       struct distinct *distinct);

/**
 * distinguish_metric() - find the labels that a metric needs in addition to its name and unit
 * @events: the events that are counted, with metrics
 * @i: index of the metric
 * @distinct: receives the labels: "group" if another group has a metric of this name, and
 *	"number" if a metric with this name and unit is in another group with the same name
 */
void distinguish_metric(const struct events *events, size_t i,
			struct distinct *distinct);

#endif /* PERFEX_SAMPLE_LABELS_H */

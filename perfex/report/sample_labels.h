/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the labels that an exposition needs besides a name, so that no two
 * of its samples have equal labels. A reader of expositions keeps one of two such samples
 * and drops the other.
 */
#ifndef PERFEX_SAMPLE_LABELS_H
#define PERFEX_SAMPLE_LABELS_H

#include "util/perfex.h"

/* The most labels that distinguish_event() or distinguish_metric() returns. */
#define DISTINCT_MAX 3

/**
 * struct label - name and value of a label
 * @name: of the label, or NULL after the last one
 * @value: any text
 */
struct label {
	const char *name;
	const char *value;
};

/**
 * struct distinct - labels that distinguish a sample from the others of its name
 * @label: the labels; the last one is followed by one without a name
 * @nr: how many there are
 * @text: room for numbers
 */
struct distinct {
	struct label label[DISTINCT_MAX + 1];
	size_t nr;
	char text[DISTINCT_MAX][24];
};

/**
 * distinguish_event() - find the labels that an event needs besides its name and mode
 * @events: what is counted
 * @i: the event
 * @distinct: receives them: "code" if the event has no name or another event of this
 *	name has another code, "counter" if another counter counts the same event, and "number" if
 *	the driver chooses the counters of both
 */
void distinguish_event(const struct events *events, size_t i,
		       struct distinct *distinct);

/**
 * distinguish_metric() - find the labels that a metric needs besides its name and unit
 * @events: what is counted, with metrics
 * @i: the metric
 * @distinct: receives them: "group" if another group has a metric of this name, and
 *	"number" if one with the same unit is of a group of the same name
 */
void distinguish_metric(const struct events *events, size_t i,
			struct distinct *distinct);

#endif /* PERFEX_SAMPLE_LABELS_H */

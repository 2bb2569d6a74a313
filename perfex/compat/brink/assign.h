/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the choice of ESCRs and counters, and the check for conflicts. */
#ifndef BRINK_ASSIGN_H
#define BRINK_ASSIGN_H

#include "experiment.h"

/* PEBS works on this counter only. */
#define PEBS_COUNTER 16

/**
 * assign_counters() - choose an ESCR and a counter for each part of an experiment's events
 * @config: the configuration
 * @experiment: the experiment; its parts receive ESCRs and counters
 *
 * The function exits if two events need the same register, or different values of a register that
 * all events share. The error names both events and the register.
 */
void assign_counters(const struct emon_config *config,
		     struct experiment *experiment);

/*
 * shares_tag() - tell whether an event uses the tags that an earlier event of the experiment sets
 */
bool shares_tag(const struct experiment *experiment,
		const struct experiment_event *event);

#endif /* BRINK_ASSIGN_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the parameters of run_p5mon and their ranges. */
#ifndef P5MON_PARAMETERS_H
#define P5MON_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "events.h"

/**
 * struct parameters - all of them. Strings are the caller's.
 * @command: to be counted
 * @repetitions: how often each event is counted
 * @user_events: count what happens in user mode
 * @kernel_events: in kernel mode
 * @output_all_results: report each repetition
 * @level_99: confidence intervals of 99 % in place of 95 %
 * @use_assembly_regions: report regions of the command
 * @max_regions: they have numbers below it
 * @output_file: for a result file, or NULL
 * @skip_initialization_run: do not begin with a run that is not counted
 * @verbose_level: 1: say which repetition begins; 2: which execution, too
 * @repeat_first_run: has no meaning that is known
 * @published_intervals: confidence intervals as p5mon worked them out
 * @dump_parms: write the parameters that were set
 * @warn_parm_not_defined: say which were not set in the file
 * @warn_parm_defined_twice: say which were set in it twice
 * @warn_parm_not_used: say which are no parameters
 * @parm_warn_file_name: where to, "stderr", "stdout" or the name of a file
 * @parm_dump_file_name: likewise
 * @event: which of the events are counted
 */
struct parameters {
	const char *command;
	unsigned int repetitions;
	bool user_events;
	bool kernel_events;
	bool output_all_results;
	bool level_99;
	bool use_assembly_regions;
	unsigned int max_regions;
	const char *output_file;
	bool skip_initialization_run;
	unsigned int verbose_level;
	bool repeat_first_run;
	bool published_intervals;
	bool dump_parms;
	bool warn_parm_not_defined;
	bool warn_parm_defined_twice;
	bool warn_parm_not_used;
	const char *parm_warn_file_name;
	const char *parm_dump_file_name;
	bool event[NR_EVENTS];
};

/* default_parameters() - those that are not set have these values */
struct parameters default_parameters(void);

/* How many names parameter_name() knows. */
size_t number_of_parameters(void);

/* parameter_name() - of the parameter number @i; capitals do not matter */
const char *parameter_name(size_t i);

/* is_other_name() - whether it is another name of the parameter before it */
bool is_other_name(size_t i);

/* parameter_number() - of a name: the first index for parameter_name(), or -1 */
int parameter_number(const char *name);

/**
 * set_parameter() - give a parameter a value
 * @parameters: changed
 * @i: its number
 * @value: text, which must last
 * @place: where it was set, for a sentence
 *
 * Return: 0, or PERFEX_USAGE after a complaint.
 */
int set_parameter(struct parameters *parameters, size_t i, const char *value,
		  const char *place);

/* check_parameters() - whether they go together; 0, or PERFEX_USAGE after a complaint */
int check_parameters(const struct parameters *parameters);

#endif /* P5MON_PARAMETERS_H */

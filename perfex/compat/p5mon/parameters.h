/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the parameters of run_p5mon and their ranges. */
#ifndef P5MON_PARAMETERS_H
#define P5MON_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "events.h"

/**
 * struct parameters - all parameters. Their strings must stay valid.
 * @command: the command to count
 * @repetitions: number of counts of each event
 * @user_events: true to count in user mode
 * @kernel_events: true to count in kernel mode
 * @output_all_results: true to report each repetition
 * @level_99: true for confidence intervals of 99 % instead of 95 %
 * @use_assembly_regions: true to report regions of the command
 * @max_regions: all numbers of regions must be below this limit
 * @output_file: name of a result file, or NULL
 * @skip_initialization_run: true to leave out the first run, which is not counted
 * @verbose_level: 1 to print each repetition when it begins; 2 to also print each execution
 * @repeat_first_run: has no known meaning
 * @published_intervals: true for confidence intervals in p5mon's published way
 * @dump_parms: true to write the parameters that were set
 * @warn_parm_not_defined: true to warn of parameters that are not set in the file
 * @warn_parm_defined_twice: true to warn of parameters that are set twice in the file
 * @warn_parm_not_used: true to warn of names that are not parameters
 * @parm_warn_file_name: destination of warnings: "stderr", "stdout" or the name of a file
 * @parm_dump_file_name: destination of written parameters: "stderr", "stdout" or the name
 *	of a file
 * @event: true for each event to count
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

/* default_parameters() - get the values of parameters that are not set */
struct parameters default_parameters(void);

/* number_of_parameters() - get the number of names of parameters, for parameter_name() */
size_t number_of_parameters(void);

/* parameter_name() - get the name of parameter number @i; case does not matter */
const char *parameter_name(size_t i);

/* is_other_name() - tell whether a name is a second name of the preceding parameter */
bool is_other_name(size_t i);

/* parameter_number() - find the first index of a name, as for parameter_name(), or -1 */
int parameter_number(const char *name);

/**
 * set_parameter() - set a parameter
 * @parameters: the parameters, which are changed
 * @i: number of the parameter
 * @value: its value as text, which must stay valid
 * @place: position of the setting, for complaints
 *
 * Return: 0, or PERFEX_USAGE after a complaint.
 */
int set_parameter(struct parameters *parameters, size_t i, const char *value,
		  const char *place);

/*
 * check_parameters() - check that parameters are consistent; returns 0, or PERFEX_USAGE
 * after a complaint
 */
int check_parameters(const struct parameters *parameters);

#endif /* P5MON_PARAMETERS_H */

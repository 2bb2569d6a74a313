// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_p5mon [-P FILE] [-F NAME=VALUE]...
 *
 * Counts the events of a command, two in each execution, and computes confidence
 * intervals from several of them. See run_p5mon(1).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"
#include "parm_file.h"
#include "report.h"
#include "result_file.h"
#include "run_p5mon.h"

#define USAGE "use: run_p5mon [-P FILE] [-F NAME=VALUE]..."

/**
 * struct arguments - of the command line
 * @path: of the parameter file
 * @forced: parameters that it sets
 */
struct arguments {
	const char *path;
	struct setting *forced;
};

static int force(struct arguments *arguments, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals) {
		complain("-F \"%s\" has no value: give -F NAME=VALUE", text);
		return PERFEX_USAGE;
	}
	return add_setting(&arguments->forced, text, (size_t)(equals - text),
			   equals + 1, 0);
}

static int read_arguments(struct arguments *arguments, int argc, char **argv)
{
	int option, status = 0;

	*arguments = (struct arguments){ .path = STANDARD_FILE };
	opterr = 0;
	while (!status && (option = getopt(argc, argv, ":F:P:")) != -1) {
		if (option == 'F') {
			status = force(arguments, optarg);
		} else if (option == 'P') {
			arguments->path = optarg;
		} else {
			complain(option == ':' ? "-%c has no argument: " USAGE
					       : "there is no -%c: " USAGE,
				 optopt);
			status = PERFEX_USAGE;
		}
	}
	if (!status && optind < argc) {
		complain("\"%s\" is no option: " USAGE, argv[optind]);
		status = PERFEX_USAGE;
	}
	return status;
}

/* Names of a file that are no parameters are left to warn_of_settings(). */
static int apply(struct parameters *parameters, const struct setting *setting,
		 const char *path)
{
	char place[300];
	int i, status = 0;

	for (; !status && setting; setting = setting->next) {
		i = parameter_number(setting->name);
		if (path)
			snprintf(place, sizeof(place), "%s:%u", path,
				 setting->line);
		else
			snprintf(place, sizeof(place), "-F");
		if (i >= 0) {
			status = set_parameter(parameters, (size_t)i,
					       setting->value, place);
		} else if (!path) {
			complain("-F: there is no parameter \"%s\"",
				 setting->name);
			status = PERFEX_USAGE;
		}
	}
	return status;
}

static int count(const struct parameters *parameters, const char *path,
		 char *const *argv)
{
	struct results results;
	struct words words;
	int status;

	status = open_counters();
	if (status)
		return status;
	status = split_command(&words, parameters->command);
	if (status)
		goto out;
	status = open_results(&results, parameters);
	if (status)
		goto out;
	print_header(path, argv + 1, parameters->command);
	status = measure(&results, &words);
	if (!status)
		status = print_results(&results);
	if (!status && parameters->output_file)
		status = write_result_file(&results, parameters->output_file);
	close_results(&results);
out:
	free_words(&words);
	return status;
}

int main(int argc, char **argv)
{
	struct parameters parameters = default_parameters();
	struct setting *settings = NULL;
	struct arguments arguments;
	int status;

	status = read_arguments(&arguments, argc, argv);
	if (!status)
		status = read_settings(arguments.path, &settings);
	if (!status)
		status = apply(&parameters, settings, arguments.path);
	if (!status)
		status = apply(&parameters, arguments.forced, NULL);
	if (!status)
		status = warn_of_settings(&parameters, arguments.path, settings,
					  arguments.forced);
	if (!status)
		status = check_parameters(&parameters);
	if (!status)
		status = count(&parameters, arguments.path, argv);
	free_settings(settings);
	free_settings(arguments.forced);
	return status;
}

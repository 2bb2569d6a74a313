// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command is run_p5mon [-P FILE] [-D NAME=VALUE]... [-F NAME=VALUE]...
 *
 * It counts the events of a command, two in each execution, and computes confidence
 * intervals from several executions. See run_p5mon(1).
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure.h"
#include "parm_file.h"
#include "report.h"
#include "result_file.h"
#include "run_p5mon.h"

#define USAGE "use: run_p5mon [-P FILE] [-D NAME=VALUE]... [-F NAME=VALUE]..."

/**
 * struct arguments - the arguments of the command line
 * @path: path of the parameter file
 * @macros: values of macros in the file
 * @forced: parameters that the command line sets
 */
struct arguments {
	const char *path;
	struct setting *macros;
	struct setting *forced;
};

static int set(struct setting **settings, int option, const char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals) {
		complain("-%c \"%s\" has no value: give -%c NAME=VALUE", option,
			 text, option);
		return PERFEX_USAGE;
	}
	return add_setting(settings, text, (size_t)(equals - text), equals + 1,
			   0);
}

static int read_arguments(struct arguments *arguments, int argc, char **argv)
{
	int option, status = 0;

	*arguments = (struct arguments){ .path = STANDARD_FILE };
	opterr = 0;
	while (!status && (option = getopt(argc, argv, ":D:F:P:")) != -1) {
		if (option == 'F') {
			status = set(&arguments->forced, option, optarg);
		} else if (option == 'D') {
			status = set(&arguments->macros, option, optarg);
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
		complain("\"%s\" is not an option: " USAGE, argv[optind]);
		status = PERFEX_USAGE;
	}
	return status;
}

/*
 * Set parameters. Unknown names in a file are not errors here; warn_of_settings() reports them.
 */
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

static int check_file(const char *parameter, const char *name, const char *path)
{
	struct stat output, file;

	if (!name || stat(name, &output) || stat(path, &file) ||
	    output.st_dev != file.st_dev || output.st_ino != file.st_ino)
		return 0;
	complain("%s \"%s\" is the parameter file: name another one", parameter,
		 name);
	return PERFEX_USAGE;
}

/* Check that no output would overwrite the parameter file. */
static int check_files(const struct parameters *parameters, const char *path)
{
	int status = check_file("output_file", parameters->output_file, path);

	if (!status)
		status = check_file("parm_dump_file_name",
				    parameters->parm_dump_file_name, path);
	if (!status)
		status = check_file("parm_warn_file_name",
				    parameters->parm_warn_file_name, path);
	return status;
}

/* Write the result file first, because the reader of the report may close the pipe. */
static int report(const struct results *results, FILE *file)
{
	int status = 0, failure;

	if (file)
		status = write_result_file(results, file,
					   results->parameters->output_file);
	failure = print_results(results);
	return status ? status : failure;
}

static int count(const struct parameters *parameters, const char *path,
		 char *const *argv)
{
	struct results results;
	struct words words;
	FILE *file = NULL;
	int status;

	status = open_counters();
	if (!status && parameters->output_file)
		status = open_result_file(&file, parameters->output_file);
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
		status = report(&results, file);
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
		status = read_settings(arguments.path, arguments.macros,
				       &settings);
	if (!status)
		status = apply(&parameters, settings, arguments.path);
	if (!status)
		status = apply(&parameters, arguments.forced, NULL);
	if (!status)
		status = check_files(&parameters, arguments.path);
	if (!status)
		status = warn_of_settings(&parameters, arguments.path, settings,
					  arguments.forced);
	if (!status)
		status = check_parameters(&parameters);
	if (!status)
		status = count(&parameters, arguments.path, argv);
	free_settings(settings);
	free_settings(arguments.macros);
	free_settings(arguments.forced);
	return status;
}

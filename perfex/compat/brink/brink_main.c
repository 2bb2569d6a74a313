// SPDX-License-Identifier: GPL-2.0-only
/* brink counts the experiments of an XML file on a Pentium 4, as docs/history/brink.md describes. */
#include <stdlib.h>

#include "assign.h"
#include "job_files.h"
#include "text_options.h"

const char program_name[] = "brink";

static const char usage[] =
	"usage: brink [-config FILE] -exp FILE [-outdir DIR] [-interval SECONDS]\n"
	"\n"
	"Counts events of programs on a Pentium 4.\n"
	"\n"
	"  -config FILE       registers and events; " CONFIG_PATH "\n"
	"  -exp FILE          programs and experiments\n"
	"  -outdir DIR        folder for the results; emon_data\n"
	"  -interval SECONDS  time from one reading of the counters to the next; 1\n";

/**
 * struct options - the command line
 * @config: name of the configuration file
 * @exp: name of the file of experiments
 * @outdir: name of the folder of results
 * @interval_ms: time from one reading to the next
 */
struct options {
	const char *config;
	const char *exp;
	const char *outdir;
	unsigned int interval_ms;
};

static unsigned int read_interval(const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !(seconds >= 0.001 && seconds <= 86400))
		leave(PERFEX_USAGE,
		      "the interval \"%.40s\" is not a number of"
		      " seconds from 0.001 to 86400",
		      text);
	return (unsigned int)(seconds * 1000);
}

static void read_options(int argc, char **argv, struct options *options)
{
	const char *interval = NULL;
	const struct text_option names[] = {
		{ "config", &options->config },
		{ "exp", &options->exp },
		{ "outdir", &options->outdir },
		{ "interval", &interval },
		{ NULL, NULL },
	};
	char **rest = text_options_read(argc, argv, usage, names);

	if (interval)
		options->interval_ms = read_interval(interval);
	if (*rest)
		leave(PERFEX_USAGE,
		      "\"%.40s\" is not an option (brink -help shows how)",
		      *rest);
	if (!options->exp)
		leave(PERFEX_USAGE,
		      "name the file of experiments: brink -exp FILE");
}

static void run_job(const struct output *output, struct job *job,
		    unsigned int interval_ms)
{
	output_input(output, job);
	count_command(job->experiment, job->program->command, interval_ms,
		      &job->result);
	output_job(output, job);
	if (job->result.over_max)
		leave(PERFEX_LIMIT,
		      "the program <%s> had more samples in <%s> than its max:"
		      " raise max or interval",
		      job->program->name, job->experiment->element->name);
	free(job->result.reading);
	free(job->result.sample);
}

static void run_jobs(const struct options *options, struct output *output,
		     const struct experiments *experiments)
{
	unsigned int p, e;

	for (p = 0; p < experiments->nr_programs; p++)
		for (e = 0; e < experiments->nr; e++) {
			struct job job = {
				.program = &experiments->program[p],
				.experiment = &experiments->experiment[e],
			};

			run_job(output, &job, options->interval_ms);
		}
}

int main(int argc, char **argv)
{
	struct options options = { .config = CONFIG_PATH,
				   .outdir = "emon_data",
				   .interval_ms = 1000 };
	struct experiments experiments;
	struct emon_config config;
	struct output output;
	unsigned int e;

	read_options(argc, argv, &options);
	emon_config_read(&config, options.config);
	experiments_read(&experiments, &config, options.exp);
	for (e = 0; e < experiments.nr; e++)
		assign_counters(&config, &experiments.experiment[e]);
	for (e = 0; e < experiments.nr; e++)
		check_counting(&experiments.experiment[e]);
	output_open(&output, options.outdir, &config, &experiments,
		    options.exp);
	run_jobs(&options, &output, &experiments);
	output_close(&output);
	experiments_free(&experiments);
	emon_config_free(&config);
	return EXIT_SUCCESS;
}

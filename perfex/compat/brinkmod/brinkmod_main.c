// SPDX-License-Identifier: GPL-2.0-only
/* brinkMod translates experiments of brink into files of p4pm: docs/history/p4pm.md. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "p4pm_file.h"
#include "text_options.h"

const char program_name[] = "brinkMod";

static const char usage[] =
	"usage: brinkMod -exp FILE [-config FILE] [-outdir DIR]\n"
	"\n"
	"Translates experiments into files of p4pm, one for each.\n"
	"\n"
	"  -exp FILE     programs and experiments\n"
	"  -config FILE  registers and events; " CONFIG_PATH "\n"
	"  -outdir DIR   folder for the files; emon_data\n";

/**
 * struct options - the command line
 * @config: name of the configuration file
 * @exp: name of the file of experiments
 * @outdir: name of the folder for the files
 */
struct options {
	const char *config;
	const char *exp;
	const char *outdir;
};

static void read_options(int argc, char **argv, struct options *options)
{
	const struct text_option names[] = {
		{ "config", &options->config },
		{ "exp", &options->exp },
		{ "outdir", &options->outdir },
		{ NULL, NULL },
	};
	char **rest = text_options_read(argc, argv, usage, names);

	if (*rest)
		leave(PERFEX_USAGE,
		      "\"%.40s\" is not an option (brinkMod -help shows how)",
		      *rest);
	if (!options->exp)
		leave(PERFEX_USAGE,
		      "name the file of experiments: brinkMod -exp FILE");
}

/* Exit if a file to be written is an input, which would be lost. */
static void check_output(const char *path, const char *input)
{
	struct stat output, read;

	if (!stat(path, &output) && !stat(input, &read) &&
	    output.st_dev == read.st_dev && output.st_ino == read.st_ino)
		leave(PERFEX_OUTPUT,
		      "the translation would replace the input \"%s\": name"
		      " another folder with -outdir",
		      input);
}

int main(int argc, char **argv)
{
	struct options options = { .config = CONFIG_PATH,
				   .outdir = "emon_data" };
	struct translation translation;
	const struct experiment *experiment, *end;
	char *path;

	read_options(argc, argv, &options);
	translation_read(&translation, options.config, options.exp);
	if (mkdir(options.outdir, 0777) && errno != EEXIST)
		leave(PERFEX_OUTPUT, "cannot make the folder \"%s\": %s",
		      options.outdir, strerror(errno));
	experiment = translation.experiments.experiment;
	end = experiment + translation.experiments.nr;
	for (; experiment < end; experiment++) {
		path = translation_path(options.outdir, experiment);
		check_output(path, options.exp);
		check_output(path, options.config);
		free(path);
	}
	experiment = translation.experiments.experiment;
	for (; experiment < end; experiment++) {
		path = translation_path(options.outdir, experiment);
		translation_write(experiment, path);
		free(path);
	}
	translation_free(&translation);
	return EXIT_SUCCESS;
}

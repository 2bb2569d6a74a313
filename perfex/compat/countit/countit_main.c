// SPDX-License-Identifier: GPL-2.0-only
/*
 * CountIt translates experiments of brink into files of p4pm, and runs a program that is linked with
 * p4pm for each of them: docs/history/p4pm.md.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "p4pm_file.h"
#include "text_options.h"

/* CountIt appends two arguments to the arguments of the program. */
#define EXTRA 2

const char program_name[] = "CountIt";

static const char usage[] =
	"usage: CountIt -expfile FILE [-iters NUMBER] [-configfile FILE] PROGRAM [ARG]...\n"
	"\n"
	"Runs a program that is linked with p4pm.a with each experiment of a file. Its last two\n"
	"arguments are the file of events, and the experiment's name.\n"
	"\n"
	"  -expfile FILE     programs and experiments\n"
	"  -iters NUMBER     run it so often with each experiment; 1\n"
	"  -configfile FILE  registers and events; " CONFIG_PATH "\n";

/**
 * struct options - the command line
 * @config: name of the configuration file
 * @exp: name of the file of experiments
 * @iters: number of runs with each experiment
 * @argv: the program with its arguments
 */
struct options {
	const char *config;
	const char *exp;
	unsigned int iters;
	char **argv;
};

static unsigned int read_iters(const char *text)
{
	char *end;
	unsigned long iters = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || !iters || iters > 1000000)
		leave(PERFEX_USAGE,
		      "\"%.40s\" is not a number of runs from 1"
		      " to 1000000",
		      text);
	return (unsigned int)iters;
}

static void read_options(int argc, char **argv, struct options *options)
{
	const char *iters = NULL;
	const struct text_option names[] = {
		{ "configfile", &options->config },
		{ "expfile", &options->exp },
		{ "iters", &iters },
		{ NULL, NULL },
	};

	options->argv = text_options_read(argc, argv, usage, names);
	if (iters)
		options->iters = read_iters(iters);
	if (!options->exp || !*options->argv)
		leave(PERFEX_USAGE,
		      "name the file of experiments and a program:"
		      " CountIt -expfile FILE PROGRAM");
}

/* Compose the arguments of the program. The last two arguments differ between runs. */
static char **compose(char **argv, char *file, char *name)
{
	char **composed;
	size_t nr = 0;

	while (argv[nr])
		nr++;
	composed = allocate(nr + EXTRA + 1, sizeof(*composed));
	memcpy(composed, argv, nr * sizeof(*argv));
	composed[nr] = file;
	composed[nr + 1] = name;
	return composed;
}

static int run(char **argv)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execvp(argv[0], argv);
		leave(errno == ENOENT ? PERFEX_NOT_FOUND
				      : PERFEX_NOT_EXECUTABLE,
		      "cannot execute the program \"%s\": %s", argv[0],
		      strerror(errno));
	}
	while (pid < 0 || waitpid(pid, &status, 0) < 0)
		if (pid < 0 || errno != EINTR)
			leave(PERFEX_SYSTEM, "cannot run \"%s\": %s", argv[0],
			      strerror(errno));
	if (WIFSIGNALED(status))
		return PERFEX_SIGNAL_BASE + WTERMSIG(status);
	return WEXITSTATUS(status);
}

/* Run the program with one experiment until a run fails. Returns its status. */
static int run_experiment(const struct options *options,
			  const struct experiment *experiment,
			  const char *directory)
{
	char *file = translation_path(directory, experiment);
	char **argv = compose(options->argv, file, experiment->element->name);
	unsigned int i;
	int status = 0;

	translation_write(experiment, file);
	for (i = 0; i < options->iters && !status; i++)
		status = run(argv);
	unlink(file);
	free(argv);
	free(file);
	return status;
}

static char *make_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	char *path;

	if (asprintf(&path, "%s/CountIt.XXXXXX", tmp && *tmp ? tmp : "/tmp") <
	    0)
		leave(PERFEX_SYSTEM, "out of memory");
	if (!mkdtemp(path))
		leave(PERFEX_OUTPUT, "cannot make the folder \"%s\": %s", path,
		      strerror(errno));
	return path;
}

int main(int argc, char **argv)
{
	struct options options = { .config = CONFIG_PATH, .iters = 1 };
	const struct experiment *experiment, *end;
	struct translation translation;
	char *directory;
	int status = 0;

	read_options(argc, argv, &options);
	translation_read(&translation, options.config, options.exp);
	directory = make_folder();
	experiment = translation.experiments.experiment;
	end = experiment + translation.experiments.nr;
	for (; experiment < end && !status; experiment++)
		status = run_experiment(&options, experiment, directory);
	rmdir(directory);
	free(directory);
	translation_free(&translation);
	return status;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Recognize options of perf(1), and name perfex's options for the same purpose. */
#include "util/perf_hint.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#define GROUPS "-g GROUP, and perfex -g help for the groups"
/* These are options of perf stat, except for options that mean something else in perfex. */
static const struct {
	const char *name;
	const char *meant;
	char letter;
} options[] = {
	{ "all-cpus", "--system", 0 },
	{ "detailed", GROUPS, 'd' },
	{ "field-separator", "--csv", ',' },
	{ "interval-print", "--interval SECONDS", 'I' },
	{ "json-output", "--json", 'j' },
	{ "metrics", GROUPS, 'M' },
	{ "no-aggr", "--system --openmetrics", 'A' },
	{ "no-inherit", "-n", 0 },
	{ "per-thread", "-mp", 0 },
	{ "timeout", "--for SECONDS", 0 },
	{ "topdown", GROUPS, 0 },
	{ NULL, "--cpu N", 'C' },
	{ NULL, "--delay SECONDS", 'D' },
};

/* These are commands of perf. */
static const struct {
	const char *name;
	const char *hint;
} commands[] = {
	{ "annotate", "perfex --profile shows the functions in which events"
		      " happen" },
	{ "list", "perfex -l lists the events" },
	{ "record", "perfex --profile=FILE samples a command, and writes the"
		    " profile to FILE" },
	{ "report", "perfex --profile prints the profile when the command"
		    " ends" },
	{ "stat", "perfex does not have subcommands: write the options and the"
		  " command to count after perfex" },
	{ "top", "perfex --live --system shows counts while they grow" },
};

/* Tell whether a word is a long option, which may have a value after "=". */
static bool is_long(const char *word, const char *name)
{
	const size_t length = strcspn(word, "=");

	return name && !strncmp(word, "--", 2) && length == 2 + strlen(name) &&
	       !strncmp(word + 2, name, strlen(name));
}

const char *option_hint(const char *word, int letter)
{
	size_t i;

	/* perf's -x has an argument, which can be any separator. */
	if (letter && !isalnum(letter) && !strncmp(word, "-x", 2))
		letter = ',';
	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (letter ? letter == options[i].letter
			   : is_long(word, options[i].name))
			return options[i].meant;
	}
	return NULL;
}

const char *command_hint(const char *command)
{
	size_t i;

	if (*command && !command[strspn(command, "0123456789")])
		return "-r N runs a command N times, and --runs does not have"
		       " a number";
	if (!strcmp(command, ",") || !strcmp(command, ";"))
		return "--csv separates the fields of a report, and -x does"
		       " not have a separator";
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (!strcmp(commands[i].name, command))
			return commands[i].hint;
	}
	return NULL;
}

bool is_subcommand(const char *command)
{
	return !strcmp(command, "stat");
}

// SPDX-License-Identifier: GPL-2.0-only
/* Read the command lines of brink, brinkMod and CountIt. Their options begin with one hyphen. */
#include "text_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "leave.h"

/* getopt_long_only() returns this value for -help, and its index for any other option. */
#define HELP TEXT_OPTIONS_MAX

char **text_options_read(int argc, char **argv, const char *usage,
			 const struct text_option *options)
{
	struct option names[TEXT_OPTIONS_MAX + 2] = { { .name = NULL } };
	int nr, found;

	for (nr = 0; options[nr].name; nr++)
		names[nr] = (struct option){ options[nr].name,
					     required_argument, NULL, nr };
	names[nr] = (struct option){ "help", no_argument, NULL, HELP };
	opterr = 0;
	while ((found = getopt_long_only(argc, argv, "+", names, NULL)) >= 0) {
		if (found == HELP)
			exit(fputs(usage, stdout) < 0 || fflush(stdout)
				     ? PERFEX_OUTPUT
				     : EXIT_SUCCESS);
		if (found > HELP)
			leave(PERFEX_USAGE,
			      "unknown option, or one without its argument"
			      " (%s -help shows how)",
			      program_name);
		*options[found].value = optarg;
	}
	return argv + optind;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Find the form of a profile by the name of its file. */
#include <string.h>

#include "profile_formats/frames.h"

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length > end_length &&
	       strcmp(text + length - end_length, end) == 0;
}

enum profile_form profile_form(const char *file)
{
	const char *name = base_name(file);

	if (ends_with(name, ".folded"))
		return PROFILE_FOLDED;
	/* KCachegrind offers files with such names. */
	if (ends_with(name, ".callgrind") ||
	    strncmp(name, "callgrind.out", 13) == 0)
		return PROFILE_CALLGRIND;
	if (ends_with(name, ".perf"))
		return PROFILE_PERF;
	if (ends_with(name, ".pb.gz"))
		return PROFILE_PPROF;
	if (ends_with(name, ".profile"))
		return PROFILE_SAVED;
	return PROFILE_TABLE;
}

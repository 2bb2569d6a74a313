// SPDX-License-Identifier: GPL-2.0-only
/* Close streams, and report all write errors. */
#include "util/stream.h"

#include <errno.h>
#include <string.h>

#include "util/perfex.h"

bool flush_stream(FILE *out)
{
	return !fflush(out) && !ferror(out);
}

int finish_stdout(void)
{
	if (flush_stream(stdout))
		return 0;
	complain("cannot write to standard output: %s", strerror(errno));
	return PERFEX_OUTPUT;
}

bool close_stream(FILE *out)
{
	const bool is_bad = ferror(out);

	return !fclose(out) && !is_bad;
}

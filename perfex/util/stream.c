// SPDX-License-Identifier: GPL-2.0-only
/* Close streams, and report all write errors. */
#include "util/stream.h"

bool flush_stream(FILE *out)
{
	return !fflush(out) && !ferror(out);
}

bool close_stream(FILE *out)
{
	const bool is_bad = ferror(out);

	return !fclose(out) && !is_bad;
}

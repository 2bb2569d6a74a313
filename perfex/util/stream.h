/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of what is printed to a stream: each failure counts, also one from before the
 * last flush, of which that one may know nothing.
 */
#ifndef PERFEX_STREAM_H
#define PERFEX_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/* flush_stream() - returns whether all that was printed has been written, else errno */
bool flush_stream(FILE *out);

/* close_stream() - the same, and close it */
bool close_stream(FILE *out);

#endif /* PERFEX_STREAM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the end of output to a stream. It reports any write error, also an
 * error from before the last flush, which fclose(3) may not return.
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

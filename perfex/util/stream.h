/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the end of output to a stream. It reports any write error, also an
 * error from before the last flush, which fclose(3) may not return.
 */
#ifndef PERFEX_STREAM_H
#define PERFEX_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/*
 * flush_stream() - flush a stream. Returns false, with errno, if output has been lost.
 */
bool flush_stream(FILE *out);

/**
 * finish_stdout() - flush standard output, and complain if output has been lost
 *
 * Return: 0 or PERFEX_OUTPUT.
 */
int finish_stdout(void);

/* close_stream() - like flush_stream(), and close the stream */
bool close_stream(FILE *out);

#endif /* PERFEX_STREAM_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares files of events, for -e @FILE. */
#ifndef PERFEX_EVENT_FILE_H
#define PERFEX_EVENT_FILE_H

#include "events/count_spec.h"

/*
 * The texts of events from files have at most this many bytes in all, including terminating
 * zeros.
 */
#define EVENT_TEXTS_MAX 32768

/**
 * read_event_file() - read the events that a file lists, one per line
 * @file: name of the file, which must stay valid
 * @use: function that is called with each event, its position, and @arg; it returns an enum
 *	perfex_status. The event stays valid.
 * @arg: last argument of @use
 *
 * Blanks around an event, empty lines and the text after "#" are ignored.
 *
 * Return: 0, the return value of @use, or PERFEX_UNKNOWN_EVENT after a complaint.
 */
int read_event_file(const char *file,
		    int (*use)(const char *event,
			       const struct event_origin *origin, void *arg),
		    void *arg);

#endif /* PERFEX_EVENT_FILE_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares files of events, for -e @FILE. */
#ifndef PERFEX_EVENT_FILE_H
#define PERFEX_EVENT_FILE_H

#include "events/count_spec.h"

/* What the events of all files may be long together, each with its end. */
#define EVENT_TEXTS_MAX 32768

/**
 * read_event_file() - read the events that a file lists, one a line
 * @file: its name, which stays in use
 * @use: is given each event, which lasts as long as the program, where it stands, and
 *	@arg; returns an enum perfex_status
 * @arg: for it
 *
 * Blanks around an event, empty lines and what stands behind "#" are left out.
 *
 * Return: 0, what @use has returned, or PERFEX_UNKNOWN_EVENT after a complaint.
 */
int read_event_file(const char *file,
		    int (*use)(const char *event,
			       const struct event_origin *origin, void *arg),
		    void *arg);

#endif /* PERFEX_EVENT_FILE_H */

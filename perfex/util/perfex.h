/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the functions and constants that all files of perfex share. */
#ifndef PERFEX_PERFEX_H
#define PERFEX_PERFEX_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <vpmc.h>

#include "util/status.h"

/* The largest count, 2^64 - 1, has this many digits. */
#define COUNT_WIDTH 20

/* A command line has at most this many events; one count has at most VPMC_COUNTS_MAX of them. */
#define EVENTS_MAX 128

/* This is printed instead of a missing count. */
#define NO_COUNT "-"

/* print_processor() makes texts of this size at most. */
#define PROCESSOR_MAX 100

struct metrics;

/**
 * struct events - the events that are counted
 * @pmu: the processor's counters
 * @processor: description of the processor, as --info prints it, without the stepping
 * @sel: events, in the order of the command line
 * @name: their names in the command line; empty for names of the table
 * @given: their texts in the command line, for errors; NULL for the default event
 * @never: reasons why the events cannot happen in their modes, or NULL
 * @emulation: how an emulator counts them, as enum vpmc_emulation
 * @period: number of events from one sample to the next, 0 without samples
 * @jitter: largest difference between @period and the distance of two samples
 * @seed: seed of the random distances of samples
 * @callers: maximum number of callers in a sample
 * @at_ticks: true if samples are taken at clock ticks, though counters may interrupt
 * @nr: number of events
 * @leased: number of counters that the events may have, 0 if all
 * @emulated: true if an emulator counts
 * @shared: true if some events share a counter, so that counts may be projected
 * @skips: true if events that cannot happen are not started, see started_events()
 * @metrics: metrics that are computed from them, or NULL
 */
struct events {
	const struct vpmc_pmu *pmu;
	char processor[PROCESSOR_MAX];
	struct vpmc_event_sel sel[EVENTS_MAX];
	char name[EVENTS_MAX][VPMC_EVENT_NAME_MAX];
	const char *given[EVENTS_MAX];
	const char *never[EVENTS_MAX];
	int emulation[EVENTS_MAX];
	uint32_t period[EVENTS_MAX];
	uint32_t jitter[EVENTS_MAX];
	uint32_t seed;
	unsigned int callers;
	bool at_ticks;
	size_t nr;
	unsigned int leased;
	bool emulated;
	bool shared;
	bool skips;
	const struct metrics *metrics;
};

/* event_modes() makes texts of this size at most, and event_name() names. */
#define EVENT_MODES_MAX (sizeof("upp:after=") + 9)
#define EVENT_NAME_MAX	(VPMC_EVENT_NAME_MAX + EVENT_MODES_MAX)

/**
 * complain() - print an error as "perfex: SENTENCE" on stderr
 * @format: format as for printf(3), without newline
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * complain_vpmc() - print an error of libvpmc
 * @err: the error
 *
 * Return: the exit status for the error.
 */
enum perfex_status complain_vpmc(const struct vpmc_error *err);

/**
 * complain_hint() - print an error of libvpmc, and a hint that perfex adds
 * @err: the error
 * @hint: " (how perfex does that)", or ""
 *
 * Return: the exit status for the error.
 */
enum perfex_status complain_hint(const struct vpmc_error *err,
				 const char *hint);

/* usual_hint() - get the hint that complain_vpmc() adds */
const char *usual_hint(const struct vpmc_error *err);

/**
 * complain_of() - like complain_hint(), with the name of a process or thread
 * @whose: the process or thread: "process 12", or "" if there is only one
 * @err: the error
 * @hint: as for complain_hint()
 *
 * Return: the exit status for the error.
 */
enum perfex_status complain_of(const char *whose, const struct vpmc_error *err,
			       const char *hint);

/**
 * complain_start() - like complain_vpmc(), for a start; names the capability if the start failed
 * without it
 * @err: the error
 *
 * Return: the exit status for the error.
 */
enum perfex_status complain_start(const struct vpmc_error *err);

/* event_title() - get the name of an event in the report, without its modes */
const char *event_title(const struct events *events, size_t nr);

/**
 * event_modes() - compose the modes of an event as a user writes them
 * @events: the events
 * @nr: index of the event
 * @modes: receives "u", "k", "uk" or "upp", and the text of VPMC_AFTER(): "u:after=20"
 *
 * Return: @modes.
 */
const char *event_modes(const struct events *events, size_t nr,
			char modes[EVENT_MODES_MAX]);

/**
 * event_name() - compose the name of an event in the report, with its modes
 * @events: the events
 * @nr: index of the event
 * @name: receives the name
 */
void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX]);

/**
 * print_note() - print how many things are missing in the counts, if any are
 * @out: stream to write to
 * @nr: number of missing things
 * @one: name of the thing in the singular, with its verb
 * @many: name of the things in the plural, with their verb
 * @rest: the rest of the sentence
 */
void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest);

#endif /* PERFEX_PERFEX_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares what all files of perfex share. */
#ifndef PERFEX_PERFEX_H
#define PERFEX_PERFEX_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include <vpmc.h>

#include "util/status.h"

/* Digits of the largest count, 2^64 - 1. */
#define COUNT_WIDTH 20

/* The most events of a command line; one count takes VPMC_COUNTS_MAX of them. */
#define EVENTS_MAX 128

/* Printed in place of a count if there is none. */
#define NO_COUNT "-"

/* Room for what print_processor() makes. */
#define PROCESSOR_MAX 100

struct metrics;

/**
 * struct events - what is counted
 * @pmu: the processor's counters
 * @processor: what it is, as --info has it, but for the stepping
 * @sel: events, in the order of the command line
 * @name: their names as the command line has them; empty for those of the table
 * @given: their texts as the user wrote them, for errors; NULL for the default
 * @never: why they cannot happen as they are counted here, or NULL
 * @emulation: how an emulator counts them, enum vpmc_emulation
 * @nr: how many
 * @emulated: whether an emulator counts
 * @shared: whether some share a counter, so that counts may be projected
 * @skips: whether those that cannot happen are not started, see started_events()
 * @metrics: what is derived from them, or NULL
 */
struct events {
	const struct vpmc_pmu *pmu;
	char processor[PROCESSOR_MAX];
	struct vpmc_event_sel sel[EVENTS_MAX];
	char name[EVENTS_MAX][VPMC_EVENT_NAME_MAX];
	const char *given[EVENTS_MAX];
	const char *never[EVENTS_MAX];
	int emulation[EVENTS_MAX];
	size_t nr;
	bool emulated;
	bool shared;
	bool skips;
	const struct metrics *metrics;
};

/* Room for what event_name() makes. */
#define EVENT_NAME_MAX (VPMC_EVENT_NAME_MAX + 4)

/**
 * complain() - say what is wrong, as "perfex: SENTENCE" on stderr
 * @format: of printf(3), without newline
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * complain_vpmc() - say what libvpmc found wrong
 * @err: from libvpmc
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_vpmc(const struct vpmc_error *err);

/**
 * complain_hint() - the same, with what perfex can add to the sentence
 * @err: from libvpmc
 * @hint: " (how perfex does that)", or ""
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_hint(const struct vpmc_error *err,
				 const char *hint);

/* usual_hint() - that of complain_vpmc() */
const char *usual_hint(const struct vpmc_error *err);

/**
 * complain_of() - the same, of one of several
 * @whose: what the error is of: "process 12", or "" if there is no other
 * @err: from libvpmc
 * @hint: as for complain_hint()
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_of(const char *whose, const struct vpmc_error *err,
			       const char *hint);

/**
 * complain_start() - complain_vpmc() of a start, with the capability that perfex
 * lacks if that is why
 * @err: from libvpmc
 *
 * Return: the exit status that belongs to it.
 */
enum perfex_status complain_start(const struct vpmc_error *err);

/* event_title() - how the report names an event, without its modes */
const char *event_title(const struct events *events, size_t nr);

/* event_modes() - "u", "k" or "uk" */
const char *event_modes(const struct events *events, size_t nr);

/**
 * event_name() - how the report names an event: its name and modes
 * @events: what is counted
 * @nr: which of them
 * @name: receives the text
 */
void event_name(const struct events *events, size_t nr,
		char name[EVENT_NAME_MAX]);

/**
 * print_note() - print how many of something the counts lack, unless none
 * @out: where to
 * @nr: how many there are of it
 * @one: what it is, for one
 * @many: what it is, for several
 * @rest: the rest of the sentence
 */
void print_note(FILE *out, unsigned int nr, const char *one, const char *many,
		const char *rest);

#endif /* PERFEX_PERFEX_H */

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the translation of perfctr's events into perfex's events. perfctr's events
 * have values of registers: "evntsel[/escr][@pmc]".
 */
#ifndef PERFCTR_TRANSLATE_H
#define PERFCTR_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

/* These are the sizes of an event and of an error message. */
#define EVENT_MAX    128
#define SENTENCE_MAX 256

/* These registers select events on this processor. */
enum registers {
	CESR, /* one half of the Pentium's CESR */
	EVENT_SELECT,
	CCCR_AND_ESCR, /* of a Pentium 4 */
};

/**
 * struct replay - registers of a Pentium 4 that tag operations to be replayed
 * @pebs_enable: IA32_PEBS_ENABLE
 * @matrix_vert: MSR_PEBS_MATRIX_VERT
 */
struct replay {
	uint64_t pebs_enable;
	uint64_t matrix_vert;
};

/**
 * translate_event() - translate values of registers into an event
 * @text: the event in the form of perfctr's perfex
 * @registers: the registers
 * @replay: the registers of replay tags, for replay_event of a Pentium 4
 * @event: receives the event, EVENT_MAX characters
 * @fault: receives the error, SENTENCE_MAX characters
 *
 * Return: true if the translation is possible.
 */
bool translate_event(const char *text, enum registers registers,
		     const struct replay *replay, char *event, char *fault);

/* translate_number() - read a number, decimal or with 0x; returns false if @text is not one */
bool translate_number(const char *text, uint64_t *number);

#endif /* PERFCTR_TRANSLATE_H */

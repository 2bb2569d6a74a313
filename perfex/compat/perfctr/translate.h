/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the translation of perfctr's events, "evntsel[/escr][@pmc]" with
 * values of registers, into perfex's events.
 */
#ifndef PERFCTR_TRANSLATE_H
#define PERFCTR_TRANSLATE_H

#include <stdbool.h>

/* Room for an event, and for a sentence. */
#define EVENT_MAX    64
#define SENTENCE_MAX 256

/**
 * translate_event() - the event that the value of a register selects
 * @text: what perfctr's perfex is given
 * @is_p5: the value is one half of the Pentium's CESR, and not an event select register
 * @event: receives the event, EVENT_MAX characters
 * @fault: receives what is wrong, SENTENCE_MAX characters
 *
 * Return: whether there is such an event.
 */
bool translate_event(const char *text, bool is_p5, char *event, char *fault);

#endif /* PERFCTR_TRANSLATE_H */

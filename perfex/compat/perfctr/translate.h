/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the translation of perfctr's events, "evntsel[/escr][@pmc]" with
 * values of registers, into perfex's events.
 */
#ifndef PERFCTR_TRANSLATE_H
#define PERFCTR_TRANSLATE_H

#include <stdbool.h>

/* An event, and a sentence, fit into so many bytes. */
#define EVENT_MAX    64
#define SENTENCE_MAX 256

/**
 * translate_event() - translate the value of a register into an event
 * @text: the event in the form of perfctr's perfex
 * @is_p5: true if the value is one half of the Pentium's CESR, false if it is an event
 *	select register
 * @event: receives the event, EVENT_MAX characters
 * @fault: receives the error, SENTENCE_MAX characters
 *
 * Return: true if there is such an event.
 */
bool translate_event(const char *text, bool is_p5, char *event, char *fault);

#endif /* PERFCTR_TRANSLATE_H */

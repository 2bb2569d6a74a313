/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the text of a profile that other tools read. */
#ifndef PERFEX_PROFILE_FORM_FILE_H
#define PERFEX_PROFILE_FORM_FILE_H

#include "profile/collection.h"
#include "profile_formats/formats.h"

/**
 * print_form() - print a profile in the form of another tool
 * @form: the form, neither PROFILE_TABLE nor PROFILE_SAVED
 * @events: the events
 * @collection: the samples
 * @symbols: the names of functions; symbols_expect() was called for all files
 * @size: receives the length of the text
 *
 * Return: the text, which the caller frees, or NULL if memory is short.
 */
char *print_form(enum profile_form form, const struct events *events,
		 const struct collection *collection, struct symbols *symbols,
		 size_t *size);

#endif /* PERFEX_PROFILE_FORM_FILE_H */

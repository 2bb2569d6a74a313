/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the search for the capability that perfex lacks. The driver refuses
 * without naming it.
 */
#ifndef PERFEX_CAPABILITY_H
#define PERFEX_CAPABILITY_H

#include <stddef.h>

/* The longest hint fits into this many bytes. */
#define CAPABILITY_HINT 200

/**
 * capability_hint() - explain why perfex lacks CAP_PERFMON and CAP_SYS_ADMIN
 * @hint: receives a text to append to a sentence, with a blank before it; an empty string
 *	if perfex has one of them
 * @size: size of @hint
 */
void capability_hint(char *hint, size_t size);

#endif /* PERFEX_CAPABILITY_H */

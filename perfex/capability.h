/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which capability perfex lacks. The driver only says that it refuses.
 */
#ifndef PERFEX_CAPABILITY_H
#define PERFEX_CAPABILITY_H

#include <stddef.h>

/* Room for the longest hint. */
#define CAPABILITY_HINT 200

/**
 * capability_hint() - say what is missing to a process that was refused what
 * needs CAP_PERFMON or CAP_SYS_ADMIN
 * @hint: receives what to add to a sentence, with a blank before it; nothing if
 *	it is not for want of a capability
 * @size: of @hint
 */
void capability_hint(char *hint, size_t size);

#endif /* PERFEX_CAPABILITY_H */

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translate perfctr's events into perfex's. The registers are described in: Pentium
 * Processor Family Developer's Manual, volume 3, chapter 26 (CESR); Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, chapter 18, and AMD64 Architecture
 * Programmer's Manual, volume 2, chapter 13 (event select registers).
 */
#include "translate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* This character precedes the part of an event that only a Pentium 4 has. */
#define ESCR '/'

/**
 * struct layout - the bits of a register that do not select an event
 * @user: bit to count in user mode
 * @kernel: bit to count in kernel mode
 * @enable: bit to count at all, which perfex sets by itself
 * @refused: bits for signals and interrupts, which the driver does not let a user have
 * @clocks: bit to count clocks, whatever the event is; 0 for none
 * @width: number of bits
 */
static const struct layout {
	uint64_t user;
	uint64_t kernel;
	uint64_t enable;
	uint64_t refused;
	uint64_t clocks;
	unsigned int width;
} cesr = { .user = 1 << 7,
	   .kernel = 1 << 6,
	   .refused = 1 << 9,
	   .clocks = 1 << 8,
	   .width = 10 },
  evtsel = { .user = 1 << 16,
	     .kernel = 1 << 17,
	     .enable = 1 << 22,
	     .refused = 1 << 19 | 1 << 20,
	     .width = 36 };

static bool fail(char *fault, const char *text, const char *why)
{
	snprintf(fault, SENTENCE_MAX, "event \"%.127s\" %s", text, why);
	return false;
}

/* Read a number at *@text, and advance *@text to its end. */
static bool take_number(const char **text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(*text, &end, 0);
	if (**text < '0' || **text > '9' || errno)
		return false;
	*text = end;
	return true;
}

static const char *modes_of(const struct layout *layout, uint64_t value)
{
	if (value & layout->user)
		return value & layout->kernel ? "uk" : "u";
	return value & layout->kernel ? "k" : NULL;
}

static uint64_t code_of(const struct layout *layout, uint64_t value)
{
	if (value & layout->clocks)
		return layout->clocks;
	return value & ~(layout->user | layout->kernel | layout->enable);
}

static bool check_value(const struct layout *layout, uint64_t value,
			const char *text, char *fault)
{
	if (value >> layout->width)
		return fail(fault, text,
			    "has bits that its register does not have");
	if (value & layout->refused)
		return fail(fault, text,
			    "signals overflows, or on a pin, which a user"
			    " cannot have: leave that bit out");
	if (!modes_of(layout, value))
		return fail(fault, text,
			    "counts nothing: set the bit for user mode, for"
			    " kernel mode, or both");
	return true;
}

bool translate_event(const char *text, bool is_p5, char *event, char *fault)
{
	const struct layout *layout = is_p5 ? &cesr : &evtsel;
	const char *rest = text;
	uint64_t value, counter;
	char at[24] = "";

	if (!take_number(&rest, &value))
		return fail(fault, text, "does not begin with a number");
	if (*rest == ESCR)
		return fail(fault, text,
			    "has an ESCR, as of a Pentium 4, whose counters"
			    " vpmc does not have");
	if (*rest == '@') {
		rest++;
		if (!take_number(&rest, &counter))
			return fail(fault, text, "names no counter behind @");
		snprintf(at, sizeof(at), "@%" PRIu64, counter);
	}
	if (*rest)
		return fail(fault, text, "does not end with a number");
	if (!check_value(layout, value, text, fault))
		return false;
	snprintf(event, EVENT_MAX, "0x%02" PRIx64 "%s:%s",
		 code_of(layout, value), at, modes_of(layout, value));
	return true;
}

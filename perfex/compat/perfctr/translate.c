// SPDX-License-Identifier: GPL-2.0-only
/*
 * Translate perfctr's events into perfex's. The registers are described in: Pentium
 * Processor Family Developer's Manual, volume 3, chapter 26 (CESR); Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, chapter 18, which also has CCCR and ESCR, and AMD64 Architecture
 * Programmer's Manual, volume 2, chapter 13 (event select registers).
 */
#include "translate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* This character precedes the ESCR, which only events of a Pentium 4 have. */
#define ESCR '/'

/*
 * These are bits of an ESCR: the modes of this thread, and the modes of both threads of the core.
 */
#define ESCR_USER   UINT64_C(0x4)
#define ESCR_KERNEL UINT64_C(0x8)
#define ESCR_DRIVER UINT64_C(0xf)

/* These are bits of a CCCR: enable and active threads, and interrupts at overflows. */
#define CCCR_DRIVER  (UINT64_C(1) << 12 | UINT64_C(3) << 16)
#define CCCR_SIGNALS (UINT64_C(3) << 26)

/* This bit of IA32_PEBS_ENABLE takes samples. perfctr's driver also cleared it. */
#define PEBS_SAMPLES (UINT32_C(1) << 25)

/* These are the event that counts replayed operations, and the number of its ESCRs in a CCCR. */
#define REPLAY_EVENT	0x09
#define REPLAY_SELECTOR 5

/*
 * Bit 31 of a counter's number requests the fast form of RDPMC. It does not change the counts, so
 * remove it.
 */
#define PMC_NUMBER UINT64_C(0x7fffffff)

/* "@" and a number fit into this many bytes. */
#define COUNTER_MAX 24

#define NO_SUCH_BITS "has bits that its register does not have"
#define SIGNALS                                                           \
	"signals overflows, or on a pin, which a user cannot have: leave" \
	" that bit out"
#define COUNTS_NOTHING                                                   \
	"counts nothing: set the bit for user mode, for kernel mode, or" \
	" both"

/**
 * struct layout - the bits of a register that do not select an event
 * @user: bit to count in user mode
 * @kernel: bit to count in kernel mode
 * @enable: bit that enables the counter; perfex sets it by itself
 * @refused: bits for signals and interrupts, which the driver does not allow
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
		return fail(fault, text, NO_SUCH_BITS);
	if (value & layout->refused)
		return fail(fault, text, SIGNALS);
	if (!modes_of(layout, value))
		return fail(fault, text, COUNTS_NOTHING);
	return true;
}

bool translate_number(const char *text, uint64_t *number)
{
	return take_number(&text, number) && !*text;
}

/* Read "@PMC" if the text has it, and write it in perfex's form. */
static bool take_counter(const char **rest, uint64_t mask, char *at)
{
	uint64_t counter;

	at[0] = '\0';
	if (**rest != '@')
		return true;
	(*rest)++;
	if (!take_number(rest, &counter))
		return false;
	snprintf(at, COUNTER_MAX, "@%" PRIu64, counter & mask);
	return true;
}

static bool is_replay(uint64_t cccr, uint64_t escr)
{
	return (escr >> 25 & 0x3f) == REPLAY_EVENT &&
	       (cccr >> 13 & 7) == REPLAY_SELECTOR;
}

/* Compose the event of an ESCR and a CCCR. The driver sets the bits of modes, threads and enabling. */
static bool compose_p4(uint64_t cccr, uint64_t escr, const char *at,
		       const struct replay *replay, char *event)
{
	const char *modes = escr & ESCR_USER ? escr & ESCR_KERNEL ? "uk" : "u"
			    : escr & ESCR_KERNEL ? "k"
						 : NULL;
	char tags[48] = "";

	if (!modes)
		return false;
	if (is_replay(cccr, escr))
		snprintf(tags, sizeof(tags),
			 ":pebs=0x%" PRIx32 ":matrix=0x%" PRIx32,
			 (uint32_t)replay->pebs_enable & ~PEBS_SAMPLES,
			 (uint32_t)replay->matrix_vert);
	snprintf(event, EVENT_MAX,
		 "escr=0x%" PRIx64 ":cccr=0x%" PRIx64 "%s%s:%s",
		 escr & ~ESCR_DRIVER, cccr & ~CCCR_DRIVER, tags, at, modes);
	return true;
}

static bool translate_p4(const char *text, const struct replay *replay,
			 char *event, char *fault)
{
	const char *rest = text;
	uint64_t cccr, escr;
	char at[COUNTER_MAX];

	if (!take_number(&rest, &cccr))
		return fail(fault, text, "does not begin with a number");
	if (*rest != ESCR)
		return fail(fault, text,
			    "has no ESCR, which a Pentium 4 needs: write"
			    " CCCR/ESCR@PMC");
	rest++;
	if (!take_number(&rest, &escr))
		return fail(fault, text, "names no ESCR after /");
	if (!take_counter(&rest, PMC_NUMBER, at))
		return fail(fault, text, "names no counter behind @");
	if (*rest)
		return fail(fault, text, "does not end with a number");
	if (cccr >> 32 || escr >> 32)
		return fail(fault, text, NO_SUCH_BITS);
	if (cccr & CCCR_SIGNALS)
		return fail(fault, text, SIGNALS);
	return compose_p4(cccr, escr, at, replay, event) ||
	       fail(fault, text, COUNTS_NOTHING);
}

bool translate_event(const char *text, enum registers registers,
		     const struct replay *replay, char *event, char *fault)
{
	const struct layout *layout = registers == CESR ? &cesr : &evtsel;
	const char *rest = text;
	char at[COUNTER_MAX];
	uint64_t value;

	if (registers == CCCR_AND_ESCR)
		return translate_p4(text, replay, event, fault);
	if (!take_number(&rest, &value))
		return fail(fault, text, "does not begin with a number");
	if (*rest == ESCR)
		return fail(fault, text,
			    "has an ESCR, as of a Pentium 4, which this"
			    " processor is not");
	if (!take_counter(&rest, UINT64_MAX, at))
		return fail(fault, text, "names no counter behind @");
	if (*rest)
		return fail(fault, text, "does not end with a number");
	if (!check_value(layout, value, text, fault))
		return false;
	snprintf(event, EVENT_MAX, "0x%02" PRIx64 "%s:%s",
		 code_of(layout, value), at, modes_of(layout, value));
	return true;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex.perfctr, which translates a value of a register into an event.
 */
#include "unit.h"

#include <stdbool.h>
#include <string.h>

#include "translate.h"

/* These are the values of --p4pe and --p4pmv. */
static const struct replay replay = { 0x3000001, 0x1 };

/*
 * Each row has a value of one half of CESR, or of an event select register, and the event that
 * it means.
 */
static const struct {
	enum registers registers;
	const char *text;
	const char *event;
} rows[] = {
	{ CESR, "0x96", "0x16:u" },
	{ CESR, "150", "0x16:u" },
	{ CESR, "0x56@1", "0x16@1:k" },
	{ CESR, "0xc0@0", "0x00@0:uk" },
	/* If this bit is set, the counter counts clocks whatever the event is. */
	{ CESR, "0x180", "0x100:u" },
	{ CESR, "0x196", "0x100:u" },
	{ EVENT_SELECT, "0x4100c0", "0xc0:u" },
	{ EVENT_SELECT, "0x4200C0@0", "0xc0@0:k" },
	{ EVENT_SELECT, "0x4300c0@1", "0xc0@1:uk" },
	/* The event keeps unit mask, edge, inversion and counter mask. */
	{ EVENT_SELECT, "0x1c54f2e", "0x1844f2e:u" },
	/* These bits are the upper bits of AMD's event. */
	{ EVENT_SELECT, "0x1004100d6", "0x1000000d6:u" },
	/* The examples of a report on the Pentium 4. perfctr cleared bit 25 of --p4pe. */
	{ CCCR_AND_ESCR, "0x0003B000/0x1200020C@0x8000000C",
	  "escr=0x12000200:cccr=0xa000:pebs=0x1000001:matrix=0x1@12:uk" },
	{ CCCR_AND_ESCR, "0x0027B000/0x0C001804@14",
	  "escr=0xc001800:cccr=0x24a000@14:u" },
	{ CCCR_AND_ESCR, "0x00035000/0x04000405@0x8000000E",
	  "escr=0x4000400:cccr=0x4000@14:u" },
	{ CCCR_AND_ESCR, "0x33000/0x9000038@8",
	  "escr=0x9000030:cccr=0x2000@8:k" },
	{ CCCR_AND_ESCR, "241664/33555460", "escr=0x2000400:cccr=0xa000:u" },
	/* This event has the number of replay_event, and another selector. */
	{ CCCR_AND_ESCR, "0x00031000/0x1200020C",
	  "escr=0x12000200:cccr=0x0:uk" },
};

static void values_of_registers_are_events(void **state)
{
	char event[EVENT_MAX], fault[SENTENCE_MAX] = "";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!translate_event(rows[i].text, rows[i].registers, &replay,
				     event, fault))
			fail_msg("%s", fault);
		assert_string_equal(event, rows[i].event);
	}
}

static const struct {
	enum registers registers;
	const char *text;
	const char *fault;
} faults[] = {
	{ CESR, "", "does not begin with a number" },
	{ CESR, "instructions", "does not begin with a number" },
	{ CESR, "-1", "does not begin with a number" },
	{ EVENT_SELECT, "0xfffffffffffffffff", "does not begin with a number" },
	{ CESR, "0x96@", "names no counter" },
	{ CESR, "0x96@x", "names no counter" },
	{ CESR, "0x96x", "does not end" },
	{ CESR, "0x96@1x", "does not end" },
	{ CESR, "0x16", "counts nothing" },
	{ CESR, "0x296", "signals overflows" },
	{ CESR, "0x496", "does not have" },
	{ EVENT_SELECT, "0xc0", "counts nothing" },
	{ EVENT_SELECT, "0x5100c0", "signals overflows" },
	{ EVENT_SELECT, "0x4900c0", "signals overflows" },
	{ EVENT_SELECT, "0x10004100c0", "does not have" },
	{ EVENT_SELECT, "0x0003B000/0x1200020C@0x8000000C", "Pentium 4" },
	{ CESR, "0x96/0x4", "Pentium 4" },
	{ CCCR_AND_ESCR, "", "does not begin with a number" },
	{ CCCR_AND_ESCR, "0x3b000", "has no ESCR" },
	{ CCCR_AND_ESCR, "0x3b000@12", "has no ESCR" },
	{ CCCR_AND_ESCR, "0x3b000/", "names no ESCR" },
	{ CCCR_AND_ESCR, "0x3b000/0x4@", "names no counter" },
	{ CCCR_AND_ESCR, "0x3b000/0x4@1x", "does not end" },
	{ CCCR_AND_ESCR, "0x3b000/0x3", "counts nothing" },
	{ CCCR_AND_ESCR, "0x403b000/0x4", "signals overflows" },
	{ CCCR_AND_ESCR, "0x10003b000/0x4", "does not have" },
	{ CCCR_AND_ESCR, "0x3b000/0x100000004", "does not have" },
};

static void what_selects_no_event_is_told(void **state)
{
	char event[EVENT_MAX] = "none", fault[SENTENCE_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		assert_false(translate_event(faults[i].text,
					     faults[i].registers, &replay,
					     event, fault));
		if (!strstr(fault, faults[i].fault))
			fail_msg("\"%s\": %s", faults[i].text, fault);
		assert_string_equal(event, "none");
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(values_of_registers_are_events),
	cmocka_unit_test(what_selects_no_event_is_told),
};

UNIT_MAIN(tests)

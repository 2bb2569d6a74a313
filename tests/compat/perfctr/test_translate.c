// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests perfex.perfctr, which translates a value of a register into an event.
 */
#include "unit.h"

#include <stdbool.h>
#include <string.h>

#include "translate.h"

/*
 * Each row has a value of one half of CESR, or of an event select register, and the event that
 * it means.
 */
static const struct {
	bool is_p5;
	const char *text;
	const char *event;
} rows[] = {
	{ true, "0x96", "0x16:u" },
	{ true, "150", "0x16:u" },
	{ true, "0x56@1", "0x16@1:k" },
	{ true, "0xc0@0", "0x00@0:uk" },
	/* If this bit is set, the counter counts clocks whatever the event is. */
	{ true, "0x180", "0x100:u" },
	{ true, "0x196", "0x100:u" },
	{ false, "0x4100c0", "0xc0:u" },
	{ false, "0x4200C0@0", "0xc0@0:k" },
	{ false, "0x4300c0@1", "0xc0@1:uk" },
	/* The event keeps unit mask, edge, inversion and counter mask. */
	{ false, "0x1c54f2e", "0x1844f2e:u" },
	/* These bits are the upper bits of AMD's event. */
	{ false, "0x1004100d6", "0x1000000d6:u" },
};

static void values_of_registers_are_events(void **state)
{
	char event[EVENT_MAX], fault[SENTENCE_MAX] = "";
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!translate_event(rows[i].text, rows[i].is_p5, event, fault))
			fail_msg("%s", fault);
		assert_string_equal(event, rows[i].event);
	}
}

static const struct {
	bool is_p5;
	const char *text;
	const char *fault;
} faults[] = {
	{ true, "", "does not begin with a number" },
	{ true, "instructions", "does not begin with a number" },
	{ true, "-1", "does not begin with a number" },
	{ false, "0xfffffffffffffffff", "does not begin with a number" },
	{ true, "0x96@", "names no counter" },
	{ true, "0x96@x", "names no counter" },
	{ true, "0x96x", "does not end" },
	{ true, "0x96@1x", "does not end" },
	{ true, "0x16", "counts nothing" },
	{ true, "0x296", "signals overflows" },
	{ true, "0x496", "does not have" },
	{ false, "0xc0", "counts nothing" },
	{ false, "0x5100c0", "signals overflows" },
	{ false, "0x4900c0", "signals overflows" },
	{ false, "0x10004100c0", "does not have" },
	{ false, "0x0003B000/0x1200020C@0x8000000C", "Pentium 4" },
};

static void what_selects_no_event_is_told(void **state)
{
	char event[EVENT_MAX] = "none", fault[SENTENCE_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(faults); i++) {
		assert_false(translate_event(faults[i].text, faults[i].is_p5,
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

// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests how the driver encodes events in the Pentium's CESR. The expected
 * bits are those of the manual (Pentium Processor Family Developer's Manual, volume 3,
 * chapter 26): 0-5 event, 6 CPL 0-2, 7 CPL 3, 8 clocks, and the same from bit 16 for
 * counter 1.
 */
#include "unit.h"

#include <linux/types.h>

#include "../../lib/event.h"
#include "pmu/p5_cesr.h"

#define U   VPMC_MODE_USER
#define K   VPMC_MODE_KERNEL
#define CLK VPMC_P5_CLOCKS

#define ALL_EVENTS (P5_EVENTS | P5_EVENTS_MMX)

static const struct {
	struct vpmc_event event;
	u32 cesr;
} good[] = {
	{ EVENT(0x00, 0, U), 0x00000080 },
	{ EVENT(0x00, 0, K), 0x00000040 },
	{ EVENT(0x00, 0, U | K), 0x000000c0 },
	{ EVENT(0x16, 0, U), 0x00000096 },
	{ EVENT(0x16, 1, U), 0x00960000 },
	{ EVENT(0x16, 1, K), 0x00560000 },
	{ EVENT(0x29, 0, U | K), 0x000000e9 },
	{ EVENT(CLK, 0, U), 0x00000180 },
	{ EVENT(CLK, 1, U | K), 0x01c00000 },
	{ EVENT(0x3b, 0, U), 0x000000bb },
	{ EVENT(0x2a, 1, U), 0x00aa0000 },
};

static void an_event_becomes_the_bits_of_the_manual(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		u32 cesr = p5_cesr_encode(&good[i].event);

		assert_int_equal(p5_check_code(good[i].event.code, ALL_EVENTS),
				 VPMC_REASON_NONE);
		if (cesr != good[i].cesr)
			fail_msg("row %zu: %#x, not %#x", i, cesr,
				 good[i].cesr);
	}
}

/* Encode and decode a register. The result has the requested events. */
static void check_decoded(u32 cesr, const struct vpmc_event *event)
{
	u32 half = cesr >> 16 * event->counter & 0xffff;

	assert_int_equal(half & 0x3f, event->code & 0x3f);
	assert_int_equal(!!(half & 0x40), !!(event->modes & K));
	assert_int_equal(!!(half & 0x80), !!(event->modes & U));
	assert_int_equal(!!(half & 0x100), event->code == CLK);
	assert_int_equal(half & 0xfe00, 0);
}

static void every_event_counter_and_mode_can_be_read_back(void **state)
{
	struct vpmc_event event;

	for (event.code = 0; event.code <= CLK; event.code++) {
		if (p5_check_code(event.code, ALL_EVENTS))
			continue;
		for (event.counter = 0; event.counter < 2; event.counter++) {
			for (event.modes = 1; event.modes <= 3; event.modes++)
				check_decoded(p5_cesr_encode(&event), &event);
		}
	}
}

static const struct {
	u64 events;
	u32 code;
	enum vpmc_reason reason;
} bad[] = {
	/* codes that the manual reserves */
	{ ALL_EVENTS, 0x10, VPMC_REASON_UNKNOWN_EVENT },
	{ ALL_EVENTS, 0x11, VPMC_REASON_UNKNOWN_EVENT },
	{ ALL_EVENTS, 0x20, VPMC_REASON_UNKNOWN_EVENT },
	{ ALL_EVENTS, 0x21, VPMC_REASON_UNKNOWN_EVENT },
	{ ALL_EVENTS, 0x3c, VPMC_REASON_UNKNOWN_EVENT },
	{ ALL_EVENTS, 0x3f, VPMC_REASON_UNKNOWN_EVENT },
	/* MMX events without MMX */
	{ P5_EVENTS, 0x2a, VPMC_REASON_UNKNOWN_EVENT },
	{ P5_EVENTS, 0x3b, VPMC_REASON_UNKNOWN_EVENT },
	/* clocks and an event at once */
	{ ALL_EVENTS, CLK | 0x16, VPMC_REASON_UNKNOWN_EVENT },
	/* bits that are not the code's */
	{ ALL_EVENTS, 0x216, VPMC_REASON_PIN_CONTROL },
	{ ALL_EVENTS, 0x300, VPMC_REASON_PIN_CONTROL },
	{ ALL_EVENTS, 0x56, VPMC_REASON_RESERVED_BITS },
	{ ALL_EVENTS, 0x96, VPMC_REASON_RESERVED_BITS },
	{ ALL_EVENTS, 0x416, VPMC_REASON_RESERVED_BITS },
	{ ALL_EVENTS, 0x160000, VPMC_REASON_RESERVED_BITS },
	{ ALL_EVENTS, 0x80000016, VPMC_REASON_RESERVED_BITS },
};

static void a_code_is_refused_for_a_reason(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		int reason = p5_check_code(bad[i].code, bad[i].events);

		if (reason != (int)bad[i].reason)
			fail_msg("code %#x: reason %d, not %d", bad[i].code,
				 reason, bad[i].reason);
	}
}

/* Only the codes of the tables and of clocks are accepted among all codes of 16 bits. */
static void no_other_code_is_taken(void **state)
{
	unsigned int plain = 0, mmx = 0;
	u32 code;

	for (code = 0; code < 0x10000; code++) {
		plain += !p5_check_code(code, P5_EVENTS);
		mmx += !p5_check_code(code, ALL_EVENTS);
	}
	assert_int_equal(plain, __builtin_popcountll(P5_EVENTS) + 1);
	assert_int_equal(mmx, __builtin_popcountll(ALL_EVENTS) + 1);
}

static void no_reserved_bit_is_ever_set(void **state)
{
	assert_int_equal(P5_CESR_DEFINED, 0x03ff03ff);
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(good[i].cesr & ~P5_CESR_DEFINED, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(an_event_becomes_the_bits_of_the_manual),
	cmocka_unit_test(every_event_counter_and_mode_can_be_read_back),
	cmocka_unit_test(a_code_is_refused_for_a_reason),
	cmocka_unit_test(no_other_code_is_taken),
	cmocka_unit_test(no_reserved_bit_is_ever_set),
};

UNIT_MAIN(tests)

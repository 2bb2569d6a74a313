// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's encoding of events in the Pentium's CESR. The expected bits
 * are written out as the manual has them (Pentium Processor Family
 * Developer's Manual, volume 3, chapter 26): 0-5 event, 6 CPL 0-2, 7 CPL 3,
 * 8 clocks, and the same from bit 16 for counter 1.
 */
#include "unit.h"

#include <linux/types.h>

#include "p5_cesr.h"

#define U   VPMC_MODE_USER
#define K   VPMC_MODE_KERNEL
#define CLK VPMC_P5_CLOCKS

#define ALL_EVENTS (P5_EVENTS | P5_EVENTS_MMX)

static const struct {
	struct vpmc_event event[2];
	unsigned int nr;
	u64 cesr;
} good[] = {
	{ { { 0x00, 0, U } }, 1, 0x00000080 },
	{ { { 0x00, 0, K } }, 1, 0x00000040 },
	{ { { 0x00, 0, U | K } }, 1, 0x000000c0 },
	{ { { 0x16, 0, U } }, 1, 0x00000096 },
	{ { { 0x16, 1, U } }, 1, 0x00960000 },
	{ { { 0x16, 1, K } }, 1, 0x00560000 },
	{ { { 0x29, 0, U | K } }, 1, 0x000000e9 },
	{ { { CLK, 0, U } }, 1, 0x00000180 },
	{ { { CLK, 1, U | K } }, 1, 0x01c00000 },
	{ { { 0x3b, 0, U } }, 1, 0x000000bb },
	{ { { 0x2a, 1, U } }, 1, 0x00aa0000 },
	{ { { 0x16, 0, U }, { 0x12, 1, U } }, 2, 0x00920096 },
	{ { { 0x16, 1, U }, { 0x12, 0, K } }, 2, 0x00960052 },
	{ { { 0x16, 0, U }, { 0x16, 1, K } }, 2, 0x00560096 },
	{ { { CLK, 0, U | K }, { CLK, 1, U | K } }, 2, 0x01c001c0 },
	{ { { 0x2b, 0, U }, { 0x2b, 1, U } }, 2, 0x00ab00ab },
	{ { { 0x16, 0, U } }, 0, 0 },
};

static void events_become_the_bits_of_the_manual(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		u64 cesr = ~0ULL;
		u32 bad_index;

		assert_int_equal(p5_cesr_encode(good[i].event, good[i].nr,
						ALL_EVENTS, &cesr, &bad_index),
				 VPMC_REASON_NONE);
		if (cesr != good[i].cesr)
			fail_msg("row %zu: %#llx, not %#llx", i,
				 (unsigned long long)cesr,
				 (unsigned long long)good[i].cesr);
	}
}

/* Taken apart again, a register says what was asked for. */
static void check_decoded(u64 cesr, const struct vpmc_event *event)
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
	u32 bad_index;
	u64 cesr = 0;

	(void)state;
	for (event.code = 0; event.code <= CLK; event.code++) {
		if (event.code < 64 ? !(ALL_EVENTS >> event.code & 1)
				    : event.code != CLK)
			continue;
		for (event.counter = 0; event.counter < 2; event.counter++) {
			for (event.modes = 1; event.modes <= 3; event.modes++) {
				assert_int_equal(
					p5_cesr_encode(&event, 1, ALL_EVENTS,
						       &cesr, &bad_index),
					VPMC_REASON_NONE);
				check_decoded(cesr, &event);
			}
		}
	}
}

static const struct {
	struct vpmc_event event[3];
	unsigned int nr;
	u64 events;
	enum vpmc_reason reason;
	u32 bad_index;
} bad[] = {
	/* codes that the manual reserves */
	{ { { 0x10, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x11, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x20, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x21, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x3c, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x3f, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	/* MMX events without MMX */
	{ { { 0x2a, 0, U } }, 1, P5_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	{ { { 0x3b, 1, U } }, 1, P5_EVENTS, VPMC_REASON_UNKNOWN_EVENT, 0 },
	/* clocks and an event at once */
	{ { { CLK | 0x16, 0, U } },
	  1,
	  ALL_EVENTS,
	  VPMC_REASON_UNKNOWN_EVENT,
	  0 },
	/* bits that are not the code's */
	{ { { 0x216, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_PIN_CONTROL, 0 },
	{ { { 0x300, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_PIN_CONTROL, 0 },
	{ { { 0x56, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_RESERVED_BITS, 0 },
	{ { { 0x96, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_RESERVED_BITS, 0 },
	{ { { 0x416, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_RESERVED_BITS, 0 },
	{ { { 0x160000, 0, U } }, 1, ALL_EVENTS, VPMC_REASON_RESERVED_BITS, 0 },
	{ { { 0x80000016, 0, U } },
	  1,
	  ALL_EVENTS,
	  VPMC_REASON_RESERVED_BITS,
	  0 },
	/* counters */
	{ { { 0x16, 2, U } }, 1, ALL_EVENTS, VPMC_REASON_NO_COUNTER, 0 },
	{ { { 0x16, 0xffff, U } }, 1, ALL_EVENTS, VPMC_REASON_NO_COUNTER, 0 },
	{ { { 0x16, 0, U }, { 0x12, 0, U } },
	  2,
	  ALL_EVENTS,
	  VPMC_REASON_COUNTER_TAKEN,
	  1 },
	{ { { 0x16, 1, U }, { 0x12, 0, U }, { 0x00, 1, U } },
	  3,
	  ALL_EVENTS,
	  VPMC_REASON_COUNTER_TAKEN,
	  2 },
	/* modes */
	{ { { 0x16, 0, 0 } }, 1, ALL_EVENTS, VPMC_REASON_MODES, 0 },
	{ { { 0x16, 0, 4 } }, 1, ALL_EVENTS, VPMC_REASON_MODES, 0 },
	{ { { 0x16, 0, U | 0x8000 } }, 1, ALL_EVENTS, VPMC_REASON_MODES, 0 },
	/* the second of two */
	{ { { 0x16, 0, U }, { 0x10, 1, U } },
	  2,
	  ALL_EVENTS,
	  VPMC_REASON_UNKNOWN_EVENT,
	  1 },
	{ { { 0x16, 0, U }, { 0x12, 1, 0 } },
	  2,
	  ALL_EVENTS,
	  VPMC_REASON_MODES,
	  1 },
};

static void a_refusal_names_the_event_and_changes_nothing(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		u64 cesr = 0x1234;
		u32 bad_index = 99;
		int reason = p5_cesr_encode(bad[i].event, bad[i].nr,
					    bad[i].events, &cesr, &bad_index);

		if (reason != (int)bad[i].reason ||
		    bad_index != bad[i].bad_index || cesr != 0x1234)
			fail_msg("row %zu: reason %d, event %u, cesr %#llx", i,
				 reason, bad_index, (unsigned long long)cesr);
	}
}

static void no_reserved_bit_is_ever_set(void **state)
{
	size_t i;

	(void)state;
	assert_int_equal(P5_CESR_DEFINED, 0x03ff03ff);
	for (i = 0; i < ARRAY_SIZE(good); i++)
		assert_int_equal(good[i].cesr & ~(u64)P5_CESR_DEFINED, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(events_become_the_bits_of_the_manual),
	cmocka_unit_test(every_event_counter_and_mode_can_be_read_back),
	cmocka_unit_test(a_refusal_names_the_event_and_changes_nothing),
	cmocka_unit_test(no_reserved_bit_is_ever_set),
};

UNIT_MAIN(tests)

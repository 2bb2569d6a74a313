/* SPDX-License-Identifier: GPL-2.0-only OR LGPL-2.1-or-later */
/*
 * This file defines which counters of the Pentium 4 can count an event, and through which ESCR. The
 * driver refuses other counters, and libvpmc plans with the same table. Source: Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3B, "Performance Monitoring (Processors Based
 * on Intel NetBurst Microarchitecture)", first table, and "Performance-Monitoring Events", tables
 * of NetBurst processors.
 *
 * An ESCR selects an event. The CCCR of a counter selects one of the counter's ESCRs by a number.
 * Counters form four groups: 0 to 3, 4 to 7, 8 to 11 and 12 to 17. Each group has pairs of ESCRs.
 * The first ESCR of a pair is connected to half of the group's counters, and the second ESCR to the
 * other half. The same number stands for a different pair in each group.
 *
 * A file that includes this header must define ARRAY_SIZE().
 */
#ifndef VPMC_P4_EVENTS_H
#define VPMC_P4_EVENTS_H

#include "../uapi/linux/vpmc.h"
#include "share.h"

#define P4_BIT(n)		(1ULL << (n))

#define P4_NR_COUNTERS		18
#define P4_NR_GROUPS		4

/*
 * The lower half of a code has fields of an ESCR: event select, event mask, tag value, and tag
 * enable.
 */
#define P4_CODE_EVENT(code)	((__u32)(code) >> 25 & 0x3f)
#define P4_CODE_ESCR		0x7ffffff0ULL

/*
 * The upper half has fields of a CCCR: number of the ESCR, compare, complement, threshold, edge;
 * and, in bits that a CCCR reserves, the group of the counters from 1, or 0 for any group.
 */
#define P4_CODE_GROUP_SHIFT	32
#define P4_CODE_GROUP		(7ULL << P4_CODE_GROUP_SHIFT)
#define P4_CODE_NUMBER_SHIFT	45
#define P4_CODE_NUMBER(code)	((code) >> P4_CODE_NUMBER_SHIFT & 7)
#define P4_CODE_COMPARE		P4_BIT(50)
#define P4_CODE_COMPLEMENT	P4_BIT(51)
#define P4_CODE_CCCR		(0x1fce000ULL << 32)

/* Compose the code of an event from the event, its mask and the number of its ESCR. */
#define P4_CODE(event, mask, number) \
	((__u64)(event) << 25 | (__u64)(mask) << 9 | (__u64)(number) << P4_CODE_NUMBER_SHIFT)

/* Count each clock in which at most 15 events happen, that is, every clock. */
#define P4_CODE_CLOCKS		(P4_CODE_COMPARE | P4_CODE_COMPLEMENT | 15ULL << 52)

/*
 * The value of an event's extra register has IA32_PEBS_ENABLE, without the bits that enable PEBS,
 * in the lower half, and MSR_PEBS_MATRIX_VERT in the upper half.
 */
#define P4_EXTRA_ENABLE		0x01019fffULL
#define P4_EXTRA_BITS		(P4_EXTRA_ENABLE | 0x1fffULL << 32)

/*
 * From this bit of the code on, where a CCCR has reserved bits, libvpmc keeps the bits of the extra
 * register that the manual's metrics use. The driver does not know these bits.
 */
#define P4_CODE_TAGS_SHIFT	35
#define P4_CODE_TAGS		(0x1ffULL << P4_CODE_TAGS_SHIFT)

/* From this model on, processors do not have IQ_ESCR0 and IQ_ESCR1. */
#define P4_MODEL_WITHOUT_IQ	3
#define P4_IQ_ESCR		0x3ba

/**
 * struct p4_pair - a pair of ESCRs
 * @msr: address of the first ESCR; the second one is the next register
 * @group: the group of the counters of this pair, from 0
 * @number: the number by which CCCRs select the pair
 * @lone: whether only the first ESCR exists
 * @first: events that only the first ESCR can select, one bit each
 * @second: events that only the second ESCR can select
 * @both: events that both can select
 */
struct p4_pair {
	__u16 msr;
	__u8 group;
	__u8 number;
	__u8 lone;
	__u64 first;
	__u64 second;
	__u64 both;
};

/*
 * These are the FSB's events, and the masks that count other processors: DRDY_OTHER, DBSY_OTHER;
 * OTHER.
 */
#define P4_FSB_ESCR		0x3a2
#define P4_FSB_DATA		0x17
#define P4_FSB_DATA_OTHERS	(0x24U << 9)
#define P4_FSB_ENTRIES		(P4_BIT(0x03) | P4_BIT(0x1a))
#define P4_FSB_ENTRIES_OTHERS	(0x4000U << 9)

static const struct p4_pair p4_pairs[] = {
	/* BSU: BSQ_allocation, BSQ_active_entries, BSQ_cache_reference */
	{ .msr = 0x3a0, .group = 0, .number = 7, .first = P4_BIT(0x05),
	  .second = P4_BIT(0x06), .both = P4_BIT(0x0c) },
	/* FSB: IOQ_active_entries; IOQ_allocation, global_power_events, FSB_data_activity */
	{ .msr = P4_FSB_ESCR, .group = 0, .number = 6, .second = P4_BIT(0x1a),
	  .both = P4_BIT(0x03) | P4_BIT(0x13) | P4_BIT(0x17) },
	/*
	 * FIRM: 64bit_MMX, x87_FP, packed_SP, scalar_SP, packed_DP, scalar_DP, 128bit_MMX,
	 * x87_SIMD_moves, SSE_input_assist
	 */
	{ .msr = 0x3a4, .group = 2, .number = 1,
	  .both = P4_BIT(0x02) | P4_BIT(0x04) | P4_BIT(0x08) | P4_BIT(0x0a) |
		  P4_BIT(0x0c) | P4_BIT(0x0e) | P4_BIT(0x1a) | P4_BIT(0x2e) |
		  P4_BIT(0x34) },
	/* FLAME */
	{ .msr = 0x3a6, .group = 2, .number = 0 },
	/* DAC: memory_cancel, WC_Buffer */
	{ .msr = 0x3a8, .group = 2, .number = 5, .both = P4_BIT(0x02) | P4_BIT(0x05) },
	/* MOB: MOB_load_replay */
	{ .msr = 0x3aa, .group = 0, .number = 2, .both = P4_BIT(0x03) },
	/* PMH: page_walk_type */
	{ .msr = 0x3ac, .group = 0, .number = 4, .both = P4_BIT(0x01) },
	/* SAAT: load_port_replay, store_port_replay, memory_complete */
	{ .msr = 0x3ae, .group = 2, .number = 2,
	  .both = P4_BIT(0x04) | P4_BIT(0x05) | P4_BIT(0x08) },
	/* U2L */
	{ .msr = 0x3b0, .group = 2, .number = 3 },
	/* BPU: BPU_fetch_request */
	{ .msr = 0x3b2, .group = 0, .number = 0, .both = P4_BIT(0x03) },
	/* IS */
	{ .msr = 0x3b4, .group = 0, .number = 1 },
	/* ITLB: ITLB_reference */
	{ .msr = 0x3b6, .group = 0, .number = 3, .both = P4_BIT(0x18) },
	/* CRU 0, 1: uops_retired, instr_retired, mispred_branch_retired, instr_completed */
	{ .msr = 0x3b8, .group = 3, .number = 4,
	  .both = P4_BIT(0x01) | P4_BIT(0x02) | P4_BIT(0x03) | P4_BIT(0x07) },
	/* IQ */
	{ .msr = P4_IQ_ESCR, .group = 3, .number = 0 },
	/* RAT: uop_type */
	{ .msr = 0x3bc, .group = 3, .number = 2, .both = P4_BIT(0x02) },
	/* SSU */
	{ .msr = 0x3be, .group = 3, .number = 3, .lone = 1 },
	/* MS: tc_ms_xfer, uop_queue_writes */
	{ .msr = 0x3c0, .group = 1, .number = 0, .both = P4_BIT(0x05) | P4_BIT(0x09) },
	/* TBPU: retired_branch_type, retired_mispred_branch_type */
	{ .msr = 0x3c2, .group = 1, .number = 2, .both = P4_BIT(0x04) | P4_BIT(0x05) },
	/* TC: TC_deliver_mode, TC_misc */
	{ .msr = 0x3c4, .group = 1, .number = 1, .both = P4_BIT(0x01) | P4_BIT(0x06) },
	/* IX */
	{ .msr = 0x3c8, .group = 0, .number = 5 },
	/* ALF: resource_stall */
	{ .msr = 0x3ca, .group = 3, .number = 1, .both = P4_BIT(0x01) },
	/*
	 * CRU 2, 3: machine_clear, x87_assist, branch_retired, front_end_event, replay_event,
	 * execution_event
	 */
	{ .msr = 0x3cc, .group = 3, .number = 5,
	  .both = P4_BIT(0x02) | P4_BIT(0x03) | P4_BIT(0x06) | P4_BIT(0x08) |
		  P4_BIT(0x09) | P4_BIT(0x0c) },
	/* CRU 4, 5 */
	{ .msr = 0x3e0, .group = 3, .number = 6 },
};

#define P4_NR_ESCRS		(2 * ARRAY_SIZE(p4_pairs))

/* This group has the events at retirement, such as instr_retired. */
#define P4_RETIREMENT_GROUP	3
#define P4_INSTRUCTIONS		0x02

/* These are replay_event, and the number of its ESCRs. */
#define P4_REPLAY_EVENT		0x09
#define P4_REPLAY_NUMBER	5

/* This is the counter that can record the registers of an instruction, and its events. */
#define P4_PRECISE_COUNTER	16
#define P4_PRECISE_EVENTS	(P4_BIT(0x08) | P4_BIT(P4_REPLAY_EVENT) | P4_BIT(0x0c))

/*
 * These are, for each group, the counters that are connected to the first ESCRs, and all counters.
 */
static const __u32 p4_first_half[P4_NR_GROUPS] = { 0x00003, 0x00030, 0x00300, 0x13000 };
static const __u32 p4_counters[P4_NR_GROUPS] = { 0x0000f, 0x000f0, 0x00f00, 0x3f000 };

static inline unsigned int p4_group_of(unsigned int counter)
{
	return counter / 4 < P4_NR_GROUPS ? counter / 4 : P4_NR_GROUPS - 1;
}

/*
 * Return the ESCR that @code selects on @counter: twice its index in p4_pairs, plus 1 for a second
 * ESCR. Return P4_NR_ESCRS if there is no such ESCR.
 */
static inline unsigned int p4_escr_index(__u64 code, unsigned int counter)
{
	const unsigned int group = p4_group_of(counter);
	const unsigned int second = !(p4_first_half[group] >> counter & 1);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(p4_pairs); i++) {
		if (p4_pairs[i].group == group && p4_pairs[i].number == P4_CODE_NUMBER(code))
			return 2 * i + second;
	}
	return P4_NR_ESCRS;
}

static inline __u32 p4_escr_msr(unsigned int index)
{
	return p4_pairs[index / 2].msr + index % 2;
}

/* Return whether a processor of @model has an ESCR. */
static inline int p4_has_escr(unsigned int index, unsigned int model)
{
	const struct p4_pair *pair = &p4_pairs[index / 2];

	return !(pair->lone && index % 2) &&
	       !(pair->msr == P4_IQ_ESCR && model >= P4_MODEL_WITHOUT_IQ);
}

/* Return the counters on which @pair can select @event, which can have any value. */
static inline __u32 p4_counters_of(const struct p4_pair *pair, unsigned int event)
{
	const __u32 all = p4_counters[pair->group], first = p4_first_half[pair->group];

	if (pair->lone || pair->first & P4_BIT(event))
		return first;
	return pair->second & P4_BIT(event) ? all & ~first : all;
}

/* Return whether @code asks for the counters of @pair, on a processor of @model. */
static inline int p4_is_asked(const struct p4_pair *pair, __u64 code, unsigned int model)
{
	const __u64 group = (code & P4_CODE_GROUP) >> P4_CODE_GROUP_SHIFT;

	return pair->number == P4_CODE_NUMBER(code) && (!group || group == pair->group + 1U) &&
	       !(pair->msr == P4_IQ_ESCR && model >= P4_MODEL_WITHOUT_IQ);
}

/* Return whether an event of the FSB also counts other processors. */
static inline int p4_counts_others(__u64 code)
{
	const unsigned int event = P4_CODE_EVENT(code);

	if (event == P4_FSB_DATA)
		return (code & P4_FSB_DATA_OTHERS) != 0;
	return P4_FSB_ENTRIES & P4_BIT(event) && code & P4_FSB_ENTRIES_OTHERS;
}

/*
 * Set @counters to the counters that can count @code on a processor of @model. If the code leaves
 * the group open, these are the counters of the groups whose ESCRs have the event according to the
 * manual. If no group has the event, they are the counters of all groups. Returns the reason if no
 * counter can count @code, or VPMC_REASON_NONE.
 */
static inline enum vpmc_reason p4_constrain(__u64 code, unsigned int model, __u32 *counters)
{
	const unsigned int event = P4_CODE_EVENT(code);
	__u32 known = 0, any = 0;
	unsigned int i;
	int others = 0;

	for (i = 0; i < ARRAY_SIZE(p4_pairs); i++) {
		const struct p4_pair *pair = &p4_pairs[i];

		if (!p4_is_asked(pair, code, model))
			continue;
		any |= p4_counters_of(pair, event);
		others |= pair->msr == P4_FSB_ESCR && p4_counts_others(code);
		if ((pair->first | pair->second | pair->both) & P4_BIT(event))
			known |= p4_counters_of(pair, event);
	}
	*counters = known ? known : any;
	if (code & ~(P4_CODE_ESCR | P4_CODE_CCCR | P4_CODE_GROUP))
		return VPMC_REASON_RESERVED_BITS;
	if (others)
		return VPMC_REASON_SHARED;
	return any ? VPMC_REASON_NONE : VPMC_REASON_UNKNOWN_EVENT;
}

/*
 * Return whether @counters belong to several groups, so that a code means different events on them.
 */
static inline int p4_is_ambiguous(__u32 counters)
{
	unsigned int i, nr = 0;

	for (i = 0; i < P4_NR_GROUPS; i++)
		nr += (counters & p4_counters[i]) != 0;
	return nr > 1;
}

/* Return whether @code is replay_event. @counters can count @code. */
static inline int p4_needs_replays(__u64 code, __u32 counters)
{
	return P4_CODE_EVENT(code) == P4_REPLAY_EVENT &&
	       P4_CODE_NUMBER(code) == P4_REPLAY_NUMBER &&
	       (counters & p4_counters[P4_RETIREMENT_GROUP]) != 0;
}

/* Return the counters on which @code can leave precise samples. @counters can count @code. */
static inline __u32 p4_precise_counters(__u64 code, __u32 counters)
{
	if (P4_CODE_NUMBER(code) != P4_REPLAY_NUMBER ||
	    !(P4_PRECISE_EVENTS >> P4_CODE_EVENT(code) & 1))
		return 0;
	return counters & 1U << P4_PRECISE_COUNTER;
}

/* Return whether @code counts clocks without events. */
static inline int p4_counts_clocks(__u64 code)
{
	return (code & P4_CODE_COMPARE) && (code & P4_CODE_COMPLEMENT);
}

/*
 * Return the address of the ESCR that counts @event on its counter, or 0 if there is none. Set
 * @value to the value that the ESCR must have. Its bits 2 and 3 are the modes.
 */
static inline __u32 p4_shared(const struct vpmc_event *event, __u64 *value)
{
	const unsigned int index = p4_escr_index(event->code, event->counter);
	const __u64 levels = event->modes & (VPMC_MODE_USER | VPMC_MODE_KERNEL);

	*value = (event->code & P4_CODE_ESCR) | levels << 2;
	return index < P4_NR_ESCRS ? p4_escr_msr(index) : 0;
}

/* Return the counters whose CCCR's bit "cascade" lets them start when @counter overflows. */
static inline __u32 p4_started(unsigned int counter)
{
	if (counter >= 16)
		return 0;
	return 1U << (counter ^ 2) | (counter >= 14 ? 1U << (counter + 2) : 0);
}

static const struct vpmc_sharing p4_sharing = {
	.shared = p4_shared,
	.started = p4_started,
};

#endif /* VPMC_P4_EVENTS_H */

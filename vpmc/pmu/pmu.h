/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a family of performance monitoring units (PMU) offers to the generic
 * part. A family is one const table, and knows nothing of processes.
 */
#ifndef VPMC_PMU_H
#define VPMC_PMU_H

#include <linux/init.h>
#include <linux/types.h>

#include "uapi/linux/vpmc.h"

struct vpmc_counter;

/* The most counters that any supported family has. */
#define VPMC_MAX_COUNTERS	24

/* And registers that single events need beside these. */
#define VPMC_MAX_EXTRA		2

/* The most registers that say what they count: a select for each, and others. */
#define VPMC_MAX_CONTROLS	(VPMC_MAX_COUNTERS + 8)

/**
 * struct vpmc_load - what a processor is to count
 * @control: stands for all of @select: two of them are the same if this is. On
 *	a family with one control register its value; 0 for nothing
 * @used: the hardware counters, one bit each
 * @kernel: some events are counted in kernel mode
 * @extra: some events need an extra register: behind @select are values for all
 *	of the PMU's, 0 for one that nobody needs
 * @select: what the PMU needs to know of each counter, ascending
 */
struct vpmc_load {
	u64 control;
	u32 used;
	bool kernel;
	bool extra;
	const u64 *select;
};

/**
 * struct vpmc_pmu - one family
 * @name: for users; at most 15 characters
 * @nr_counters: hardware counters per processor, at most VPMC_MAX_COUNTERS
 * @nr_fixed: so many of these, the last ones, count one event each
 * @rdpmc: what RDPMC takes in ECX for each of them
 * @counter_bits: width of each of them
 * @counter_mask: all of these bits
 * @sign_extension: a write of a counter sets 32 bits, and all of these if the
 *	highest of the 32 is set; 0 if it sets all bits as they are written
 * @features: VPMC_FEATURE_* bits of this machine
 * @reserve: take the counters from all that the kernel has besides. Returns 0, or
 *	-EBUSY if somebody has one of them. May sleep. NULL if nobody else ever
 *	uses them.
 * @release: give them back. Any context. Nothing counts.
 * @selects: there is too much in the selects for one control value: a number that
 *	was never used before stands for them. If not, it is their OR.
 * @nr_extra: extra registers, at most VPMC_MAX_EXTRA
 * @find_counters: set *@counters to those that can count @code, one bit each.
 *	Any context. Returns why none can, or VPMC_REASON_NONE.
 * @find_extra: set *@extra to the number of the register that is to hold
 *	vpmc_event.extra of @event, from 1, or to 0 if it needs none. Any context.
 *	Returns why the value cannot be, or VPMC_REASON_NONE. NULL without @nr_extra.
 * @encode: the select for an event on a counter that can count it. Any context.
 * @init_cpu: take over this processor's counters: nothing counts afterwards.
 *	Preemption off.
 * @write_control: let this processor count this, and nothing else. Counters keep
 *	their values. Interrupts off.
 * @holds: does this processor still hold what @write_control and @init_cpu wrote last?
 *	@control is its vpmc_load.control. Only what bears upon the counters in use is
 *	compared, and no bit that reads otherwise than it was written. Interrupts off.
 * @read_counters: read those hardware counters whose bits are set in @used
 *	into @value, indexed by counter. Interrupts off.
 * @exchange: vpmc_counter_exchange() for each hardware counter whose bit is set
 *	in @used, at least one, as it is read: the first of them has the first
 *	entries of @from and @to, and so on. Interrupts off.
 * @write_counter: set one hardware counter. Interrupts off.
 * @write_counters: set all of them to @value, indexed by counter: each 0, or what
 *	vpmc_cpu_low_bits() returned. Interrupts off.
 */
struct vpmc_pmu {
	const char *name;
	unsigned int nr_counters;
	unsigned int nr_fixed;
	u32 rdpmc[VPMC_MAX_COUNTERS];
	unsigned int counter_bits;
	u64 counter_mask;
	u64 sign_extension;
	u32 features;
	int (*reserve)(void);
	void (*release)(void);
	bool selects;
	unsigned int nr_extra;
	enum vpmc_reason (*find_counters)(u64 code, u32 *counters);
	enum vpmc_reason (*find_extra)(const struct vpmc_event *event,
				       u8 *extra);
	u64 (*encode)(const struct vpmc_event *event);
	void (*init_cpu)(void);
	void (*write_control)(const struct vpmc_load *load);
	bool (*holds)(u64 control);
	void (*read_counters)(u32 used, u64 *value);
	void (*exchange)(unsigned long used, struct vpmc_counter *from,
			 struct vpmc_counter *to);
	void (*write_counter)(unsigned int counter, u64 value);
	void (*write_counters)(const u64 *value);
};

/**
 * struct vpmc_control - a register that says what counters count
 * @msr: its address
 * @count: what the proof writes to it to count, beside the bits in @keep
 * @keep: bits that keep their values. With these alone it counts nothing.
 * @write_only: @count is written to it before and after, and it is not read
 */
struct vpmc_control {
	u32 msr;
	u64 count;
	u64 keep;
	bool write_only;
};

/**
 * struct vpmc_proof - how this machine's counters are proved to count: prove.h
 * @nr_controls: how many registers there are in @control
 * @control: all that the family ever writes but the counters, in the order in which
 *	they are written to count; to stop they are written in the opposite order
 * @msr: the register of each counter
 * @instructions: the counters that count the kernel's instructions then, one bit each
 * @others: those that count another event, which happens all the time
 */
struct vpmc_proof {
	unsigned int nr_controls;
	struct vpmc_control control[VPMC_MAX_CONTROLS];
	u32 msr[VPMC_MAX_COUNTERS];
	u32 instructions;
	u32 others;
};

/* Append a register to @proof. At probe. */
static inline void vpmc_proof_add(struct vpmc_proof *proof,
				  struct vpmc_control control)
{
	proof->control[proof->nr_controls++] = control;
}

/**
 * struct vpmc_family - how a family is found
 * @probe: returns its PMU if this machine's processors are of the family, or NULL.
 *	No processor is of two. If one of the family does not show its counters, this
 *	sets *@hidden to what was found.
 * @describe: fills in a struct vpmc_proof, all of which is 0. @probe has returned the
 *	PMU.
 */
struct vpmc_family {
	const struct vpmc_pmu *(*probe)(const char **hidden);
	void (*describe)(struct vpmc_proof *proof);
};

/*
 * Registers a family: the last line of its file, pmu/NAME.c, whose NAME_probe() and
 * NAME_describe() it names. The build lists the families whose files say so.
 */
#define VPMC_FAMILY(name)						\
	extern const struct vpmc_family vpmc_family_##name;		\
	const struct vpmc_family vpmc_family_##name __initconst = {	\
		.probe = name##_probe,					\
		.describe = name##_describe,				\
	}

/* What a family says of a processor on which not even RDMSR is there. */
#define VPMC_NO_MSRS	"CPUID shows no model-specific registers"

/* All families, and NULL. */
extern const struct vpmc_family *const vpmc_families[];

#endif /* VPMC_PMU_H */

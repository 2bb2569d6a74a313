/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This file declares the interface of a family of performance monitoring units (PMU) to
 * the generic code. A family is one const table. It does not know processes.
 */
#ifndef VPMC_PMU_H
#define VPMC_PMU_H

#include <linux/init.h>
#include <linux/types.h>

#include "pmu/share.h"
#include "uapi/linux/vpmc.h"

struct vpmc_counter;

/* No supported family has more counters than this. */
#define VPMC_MAX_COUNTERS	24

/*
 * No supported family has more extra registers than this. The registers of off-core
 * responses are an example.
 */
#define VPMC_MAX_EXTRA		2

/*
 * No supported family has more control registers than this. They include one select for
 * each counter.
 */
#define VPMC_MAX_CONTROLS	(VPMC_MAX_COUNTERS + 48)

/**
 * struct vpmc_load - the events that a processor counts, as values of its registers
 * @control: identifies the values of the registers: two loads with the same @control have the
 *	same selects and the same @precise. On a family with one control register, the value
 *	of this register; 0 if no counter counts
 * @used: the hardware counters in use, one bit each
 * @kernel: whether some events are counted in kernel mode
 * @extra: whether some events need an extra register. If so, @select continues with one
 *	value for each extra register of the PMU. The value is 0 if no event needs the
 *	register.
 * @precise: whether an event has VPMC_MODE_PRECISE
 * @select: the select of each counter in use, in ascending order of counters
 */
struct vpmc_load {
	u64 control;
	u32 used;
	bool kernel;
	bool extra;
	bool precise;
	const u64 *select;
};

/**
 * struct vpmc_pmu - one family
 * @name: for users; at most 15 characters
 * @nr_counters: hardware counters per processor, at most VPMC_MAX_COUNTERS
 * @nr_fixed: number of these counters that count one fixed event each; they are the last counters
 * @rdpmc: the number of each counter in ECX for RDPMC
 * @counter_bits: width of each counter
 * @counter_mask: @counter_bits bits set
 * @sign_extension: the upper bits of a counter if a write sets only the low 32 bits and copies bit
 *	31 to all upper bits; 0 if a write sets all bits as they are written
 * @features: VPMC_FEATURE_* bits of this machine
 * @leased: the counters that perf_event leases to the driver, one bit each; 0 if the driver takes
 *	all counters. The driver uses only these counters, and only for user mode, because
 *	perf_event stops them while it changes its own.
 * @reserve: reserve the counters against all other users in the kernel. Returns 0, or -EBUSY if
 *	another user has a counter. May sleep. NULL if no other code in the kernel uses the
 *	counters.
 * @release: undo @reserve. The counters are stopped. Any context.
 * @interrupts: the counters that can interrupt when they overflow, one bit each. @encode lets them
 *	interrupt if vpmc_event.period is set. The interrupt is an NMI. In a value that is written
 *	to such a counter, all bits above the low 31 bits are 1, so that the counter overflows after
 *	at most 2^31 events.
 * @lvt: the offset of the local APIC's register that unmasks the interrupt, or 0 if the interrupt
 *	does not pass the local APIC
 * @no_interrupt: the remedy if overflows do not interrupt although the user has said that they do,
 *	or NULL if the user has not said so. If set, the processor's pin NMI has no other source,
 *	and counters also interrupt if vpmc_event.period is not set.
 * @counter_msr: return the address of the register that @write_counter writes. Used if @interrupts
 *	is not 0, like the following field.
 * @write_mask: the bits that may be 1 in a value that is written to the register of @counter_msr
 * @acknowledge: acknowledge the overflows, or NULL if the processor does not need this. May be
 *	called in NMIs.
 * @selects: whether the selects do not fit into one control value. The control value is then a
 *	number that was never used before. Otherwise it is the OR of the selects.
 * @nr_extra: number of extra registers, at most VPMC_MAX_EXTRA
 * @find_counters: set *@counters to the counters that can count @code, one bit each. Any context.
 *	Returns the reason if no counter can count it, or VPMC_REASON_NONE.
 * @find_extra: set *@extra to the number of the register for vpmc_event.extra of @event, from 1, or
 *	to 0 if @event does not need an extra register. Any context. Returns the reason if the event
 *	is not allowed, or VPMC_REASON_NONE. NULL if @nr_extra is 0.
 * @sharing: how counters depend on each other, see share.h. @find_counters and @find_extra have
 *	accepted the event that is passed to its functions, and its counter can count it. Any
 *	context. NULL if counters do not share registers.
 * @find_precise: return the counters on which an event with @code can have VPMC_MODE_PRECISE, one
 *	bit each. @find_counters has accepted @code. When such a counter overflows, it goes on from
 *	0. Any context. NULL if no event can have it.
 * @take_precise: return the address of the instruction by which a counter with VPMC_MODE_PRECISE
 *	has overflowed on this processor since the last call, or 0 if there was no overflow. In
 *	NMIs, or interrupts off.
 * @encode: return the select of an event for its counter, which can count the event. With
 *	VPMC_MODE_CASCADE, the counter does not count until another one starts it
 *	(vpmc_sharing.started). Any context.
 * @init_cpu: take over this processor's counters and stop them. Preemption off.
 * @write_control: let this processor count exactly the events of the load. Counters keep their
 *	values. Interrupts off.
 * @holds: return whether this processor's registers still have the values that @write_control or
 *	@init_cpu wrote last, or that a cascade has changed. @control is the vpmc_load.control of
 *	that write. Bits are compared only if they affect the counters in use and read back as
 *	written. Interrupts off.
 * @read_counters: read the hardware counters whose bits are set in @used into @value,
 *	indexed by counter. Interrupts off.
 * @exchange: read each hardware counter whose bit is set in @used, and call
 *	vpmc_counter_exchange() for it. At least one bit is set. The lowest of these
 *	counters has the first entries of @from and @to, and so on. Interrupts off.
 * @write_counter: set one hardware counter. Interrupts off.
 * @write_counters: set all hardware counters to @value, indexed by counter. Each value
 *	is 0 or was returned by vpmc_cpu_low_bits(). Interrupts off.
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
	u32 leased;
	int (*reserve)(void);
	void (*release)(void);
	u32 interrupts;
	u32 lvt;
	const char *no_interrupt;
	u32 (*counter_msr)(unsigned int counter);
	u64 write_mask;
	void (*acknowledge)(void);
	bool selects;
	unsigned int nr_extra;
	enum vpmc_reason (*find_counters)(u64 code, u32 *counters);
	enum vpmc_reason (*find_extra)(const struct vpmc_event *event,
				       u8 *extra);
	const struct vpmc_sharing *sharing;
	u32 (*find_precise)(u64 code);
	u64 (*take_precise)(void);
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
 * struct vpmc_control - a register that controls counters
 * @msr: its address
 * @count: the bits that the proof sets to count, in addition to the bits in @keep
 * @interrupt: the bits that let the first counter of vpmc_pmu.interrupts interrupt when it
 *	overflows, in addition to @count
 * @keep: bits that keep their values. If only these bits are set, no counter counts.
 * @write_only: whether the register cannot be read. The proof then writes @count before and after
 *	counting.
 */
struct vpmc_control {
	u32 msr;
	u64 count;
	u64 interrupt;
	u64 keep;
	bool write_only;
};

/**
 * struct vpmc_proof - how to prove that this machine's counters count (prove.h)
 * @nr_controls: number of registers in @control
 * @control: all registers that the family ever writes, except the counters. They are
 *	written in this order to count, and in reverse order to stop.
 * @msr: the register of each counter
 * @instructions: the counters that count the kernel's instructions with these values, one
 *	bit each
 * @others: with these values, the counters that count another event, one that happens all the time
 */
struct vpmc_proof {
	unsigned int nr_controls;
	struct vpmc_control control[VPMC_MAX_CONTROLS];
	u32 msr[VPMC_MAX_COUNTERS];
	u32 instructions;
	u32 others;
};

/* Append a register to @proof. Called while the driver probes. */
static inline void vpmc_proof_add(struct vpmc_proof *proof,
				  struct vpmc_control control)
{
	proof->control[proof->nr_controls++] = control;
}

/**
 * struct vpmc_family - how to find a family
 * @probe: return the family's PMU if this machine's processors belong to it, or NULL. A processor
 *	belongs to at most one family. If the counters of a processor of the family cannot be used,
 *	set *@hidden to a text with the reason and the remedy.
 * @describe: fill in a struct vpmc_proof that is all zero. Called after @probe has
 *	returned the PMU.
 */
struct vpmc_family {
	const struct vpmc_pmu *(*probe)(const char **hidden);
	void (*describe)(struct vpmc_proof *proof);
};

/*
 * Register a family. This macro is the last line of the family's file pmu/NAME.c, and
 * refers to NAME_probe() and NAME_describe() there. The build lists the families of all
 * files that use the macro.
 */
#define VPMC_FAMILY(name)						\
	extern const struct vpmc_family vpmc_family_##name;		\
	const struct vpmc_family vpmc_family_##name __initconst = {	\
		.probe = name##_probe,					\
		.describe = name##_describe,				\
	}

/* This is the remedy if counters do not work. The message first describes the fault. */
#define VPMC_REMEDY							\
	"; an emulator or hypervisor hides them or has none: have it show working ones (QEMU: -accel kvm -cpu host,pmu=on), or count on the hardware itself"

/* This is the text for *@hidden of a family if the processor lacks RDMSR. */
#define VPMC_NO_MSRS	"CPUID shows no model-specific registers" VPMC_REMEDY

/* This array has all families, and ends with NULL. */
extern const struct vpmc_family *const vpmc_families[];

#endif /* VPMC_PMU_H */

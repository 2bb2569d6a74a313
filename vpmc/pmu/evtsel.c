// SPDX-License-Identifier: GPL-2.0-only
/* This file drives counters that have one event select register each. */
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/cpufeature.h>
#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include <asm/apicdef.h>
#include <asm/nmi.h>

#include "kernel/kernel.h"
#include "kernel/msr.h"
#include "pmu/extend.h"
#include "evtsel.h"

struct vpmc_evtsel vpmc_evtsel __ro_after_init;

/* This is the family's vpmc_pmu.find_counters, if perf_event leases counters. */
static enum vpmc_reason (*evtsel_find_any)(u64 code, u32 *counters) __ro_after_init;

/*
 * These are the values of this processor's selects, and the counters whose select is not
 * 0.
 */
static DEFINE_PER_CPU(u64 [VPMC_MAX_COUNTERS], evtsel_held);
static DEFINE_PER_CPU(u32, evtsel_used);

void __init vpmc_evtsel_describe(struct vpmc_proof *proof, u32 counters)
{
	const struct vpmc_event event = {
		.code = VPMC_EVTSEL_INSTRUCTIONS,
		.modes = VPMC_MODE_KERNEL,
	};
	const struct vpmc_evtsel *e = &vpmc_evtsel;
	u32 i;

	for (i = e->first; i < e->nr; i++) {
		vpmc_proof_add(proof, (struct vpmc_control){
			.msr = e->select + i * e->stride,
			.count = counters & BIT(i) ?
					 vpmc_evtsel_encode(&event) : 0,
			.interrupt = i ? 0 : VPMC_EVTSEL_INTERRUPT,
		});
		proof->msr[i] = e->counter + i * e->stride;
	}
	proof->instructions |= counters & vpmc_evtsel_own();
}

void __init vpmc_evtsel_set_counters(u32 nr)
{
	u32 i;

	vpmc_evtsel.nr = nr;
	vpmc_evtsel.all = GENMASK(nr - 1, 0);
	vpmc_evtsel_pmu.nr_counters = nr;
	for (i = 0; i < nr; i++)
		vpmc_evtsel_pmu.rdpmc[i] = i;
}

static enum vpmc_reason evtsel_find_leased(u64 code, u32 *counters)
{
	enum vpmc_reason reason = evtsel_find_any(code, counters);

	*counters &= vpmc_evtsel_own();
	return reason;
}

/*
 * Nobody else uses leased counters. But the driver gives them back like others, so that they stop
 * and are cleared while the hooks do not hide them from tasks that perf_event lets execute RDPMC.
 */
static int evtsel_reserve_leased(void)
{
	return 0;
}

static void evtsel_release_leased(void)
{
}

bool __init vpmc_evtsel_lease(void)
{
	struct vpmc_pmu *pmu = &vpmc_evtsel_pmu;

	pmu->leased = vpmc_lease ? vpmc_lease() & vpmc_evtsel.all : 0;
	if (!pmu->leased)
		return false;
	vpmc_evtsel.first = __ffs(pmu->leased);
	evtsel_find_any = pmu->find_counters;
	pmu->find_counters = evtsel_find_leased;
	pmu->reserve = evtsel_reserve_leased;
	pmu->release = evtsel_release_leased;
	pmu->interrupts = 0;
	pmu->acknowledge = NULL;
	return true;
}

enum vpmc_reason vpmc_evtsel_check(u64 code)
{
	if (code & VPMC_EVTSEL_PIN)
		return VPMC_REASON_PIN_CONTROL;
	if (code & ~VPMC_EVTSEL_CODE)
		return VPMC_REASON_RESERVED_BITS;
	return VPMC_REASON_NONE;
}

u64 vpmc_evtsel_of(const struct vpmc_event *event)
{
	u64 select = event->code;

	if (event->modes & VPMC_MODE_USER)
		select |= VPMC_EVTSEL_USER;
	if (event->modes & VPMC_MODE_KERNEL)
		select |= VPMC_EVTSEL_KERNEL;
	if (event->period)
		select |= VPMC_EVTSEL_INTERRUPT;
	return select;
}

enum vpmc_reason vpmc_evtsel_find_counters(u64 code, u32 *counters)
{
	*counters = vpmc_evtsel.all;
	return vpmc_evtsel_check(code);
}

u64 vpmc_evtsel_encode(const struct vpmc_event *event)
{
	return vpmc_evtsel_of(event) | VPMC_EVTSEL_ENABLE;
}

static void evtsel_write(unsigned long counter, u64 select)
{
	const struct vpmc_evtsel *e = &vpmc_evtsel;

	wrmsrq(e->select + counter * e->stride, select);
	__this_cpu_write(evtsel_held[counter], select);
}

void vpmc_evtsel_init_cpu(void)
{
	unsigned int i;

	lockdep_assert_irqs_disabled();
	for (i = vpmc_evtsel.first; i < vpmc_evtsel.nr; i++)
		evtsel_write(i, 0);
	__this_cpu_write(evtsel_used, 0);
	/* Only perf_event writes the global register, which may have lost its contents. */
	if (vpmc_evtsel_pmu.leased)
		vpmc_lease_enable();
}

/*
 * Write only selects that change. The loops visit only counters that are in use or were
 * in use.
 */
void vpmc_evtsel_write_control(const struct vpmc_load *load)
{
	const u32 used = load->used & vpmc_evtsel.all;
	const u64 *next = load->select;
	unsigned long i, left;
	u32 gone = __this_cpu_read(evtsel_used) & ~used;

	for (left = used; left; left &= left - 1) {
		i = __ffs(left);
		if (__this_cpu_read(evtsel_held[i]) != *next)
			evtsel_write(i, *next);
		next++;
	}
	for (; gone; gone &= gone - 1)
		evtsel_write(__ffs(gone), 0);
	__this_cpu_write(evtsel_used, used);
}

/*
 * Compare only the selects in use. Other selects may have any value, because they are
 * written before their counters count.
 */
bool vpmc_evtsel_holds(u64 control)
{
	const struct vpmc_evtsel *e = &vpmc_evtsel;
	unsigned long i, left;
	u64 select;

	lockdep_assert_irqs_disabled();
	for (left = __this_cpu_read(evtsel_used); left; left &= left - 1) {
		i = __ffs(left);
		rdmsrq(e->select + i * e->stride, select);
		select ^= __this_cpu_read(evtsel_held[i]);
		if (select & VPMC_EVTSEL_EVENT)
			return false;
	}
	return true;
}

static void evtsel_read_counters(u32 used, u64 *value)
{
	for (; used; used &= used - 1)
		value[__ffs(used)] =
			native_read_pmc(vpmc_evtsel_pmu.rdpmc[__ffs(used)]);
}

static void evtsel_exchange(unsigned long used, struct vpmc_counter *from,
			    struct vpmc_counter *to)
{
	const u64 mask = vpmc_evtsel_pmu.counter_mask;
	/* With 32 bits there is no register for another pointer that moves. */
	const long distance = (void *)to - (void *)from;
	u64 now;

	do {
		now = native_read_pmc(vpmc_evtsel_pmu.rdpmc[__ffs(used)]);
		vpmc_counter_exchange(from, (void *)from + distance, now, mask);
		from++;
		used &= used - 1;
	} while (used);
}

u32 vpmc_evtsel_counter_msr(unsigned int counter)
{
	return vpmc_evtsel.counter + counter * vpmc_evtsel.stride;
}

void vpmc_evtsel_write_counter(unsigned int counter, u64 value)
{
	const struct vpmc_evtsel *e = &vpmc_evtsel;

	wrmsrq(e->counter + counter * e->stride, value);
}

void vpmc_evtsel_write_counters(const u64 *value)
{
	const struct vpmc_evtsel *e = &vpmc_evtsel;
	unsigned int i;

	for (i = e->first; i < e->nr; i++)
		wrmsrq(e->counter + i * e->stride, value[i]);
}

void vpmc_evtsel_release(void)
{
	release_evntsel_nmi(vpmc_evtsel.select);
	release_perfctr_nmi(vpmc_evtsel.counter);
}

int vpmc_evtsel_reserve(void)
{
	if (!reserve_perfctr_nmi(vpmc_evtsel.counter))
		return -EBUSY;
	if (reserve_evntsel_nmi(vpmc_evtsel.select))
		return 0;
	release_perfctr_nmi(vpmc_evtsel.counter);
	return -EBUSY;
}

struct vpmc_pmu vpmc_evtsel_pmu __ro_after_init = {
	.features = VPMC_FEATURE_RDPMC | VPMC_FEATURE_MAP,
	.reserve = vpmc_evtsel_reserve,
	.release = vpmc_evtsel_release,
	.interrupts = U32_MAX,
	.lvt = APIC_LVTPC,
	.counter_msr = vpmc_evtsel_counter_msr,
	.write_mask = U64_MAX,
	.selects = true,
	.find_counters = vpmc_evtsel_find_counters,
	.encode = vpmc_evtsel_encode,
	.init_cpu = vpmc_evtsel_init_cpu,
	.write_control = vpmc_evtsel_write_control,
	.holds = vpmc_evtsel_holds,
	.read_counters = evtsel_read_counters,
	.exchange = evtsel_exchange,
	.write_counter = vpmc_evtsel_write_counter,
	.write_counters = vpmc_evtsel_write_counters,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Emulate p5mon's device on the counters of vpmc. Each write starts new counts of vpmc,
 * which begin at zero. The previous value of a counter, or its preset, is added to its
 * count.
 */
#include "p5mon_device.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <vpmc.h>

#include "cesr.h"
#include "failure.h"
#include "libp5mon.h"

#define COUNTERS      2U
#define COUNTER_BYTES 5U
#define COUNTER_MASK  ((1ULL << 8 * COUNTER_BYTES) - 1)

/* This is the code of clock cycles among the events of libvpmc. */
#define VPMC_CLOCKS 0x100

/**
 * struct p5mon_device - the device of a process
 * @vpmc: the handle that counts
 * @configured: true after the first write
 * @cesr: the value of CESR that was written last
 * @base: for each counter, the value to add to the count
 */
struct p5mon_device {
	struct vpmc *vpmc;
	bool configured;
	uint32_t cesr;
	uint64_t base[COUNTERS];
};

enum action { KEEP, CLEAR, PRESET };

static const enum action actions[][COUNTERS] = {
	[clr_none] = { KEEP, KEEP },	    [clr_0] = { CLEAR, KEEP },
	[clr_1] = { KEEP, CLEAR },	    [clr_0_1] = { CLEAR, CLEAR },
	[init_0_clr_1] = { PRESET, CLEAR }, [init_1_clr_0] = { CLEAR, PRESET },
	[init_0] = { PRESET, KEEP },	    [init_1] = { KEEP, PRESET },
	[init_0_1] = { PRESET, PRESET },    [clear_only] = { CLEAR, CLEAR },
};

#define NR_ACTIONS (sizeof(actions) / sizeof(actions[0]))

static const struct {
	enum vpmc_code code;
	int error;
} errors[] = {
	{ VPMC_E_NO_DEVICE, ENODEV },	  { VPMC_E_UNKNOWN_EVENT, EINVAL },
	{ VPMC_E_AMBIGUOUS, EINVAL },	  { VPMC_E_WRONG_COUNTER, EINVAL },
	{ VPMC_E_COUNTER_TAKEN, EINVAL }, { VPMC_E_PERMISSION, EPERM },
	{ VPMC_E_BUSY, EBUSY },		  { VPMC_E_MEMORY, ENOMEM },
};

static int fail_vpmc(const struct vpmc_error *err)
{
	size_t i;

	for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
		if (errors[i].code == err->code)
			return p5monint_fail(errors[i].error, "%s", err->text);
	}
	return p5monint_fail(EIO, "%s", err->text);
}

struct p5mon_device *p5mon_device_open(void)
{
	struct p5mon_device *device = calloc(1, sizeof(*device));
	struct vpmc_error err;
	const char *pmu;

	if (!device) {
		p5monint_fail(ENOMEM, "out of memory");
		return NULL;
	}
	if (vpmc_open(&device->vpmc, &err)) {
		free(device);
		fail_vpmc(&err);
		return NULL;
	}
	pmu = vpmc_pmu_name(vpmc_pmu_of(device->vpmc));
	if (strcmp(pmu, "p5") != 0 && strcmp(pmu, "p5mmx") != 0) {
		p5mon_device_close(device);
		p5monint_fail(ENXIO,
			      "p5mon: Invalid processor: its events are those"
			      " of the Pentium, and this one has the counters"
			      " \"%s\" (perfex counts here)",
			      pmu);
		return NULL;
	}
	return device;
}

void p5mon_device_close(struct p5mon_device *device)
{
	vpmc_close(device->vpmc);
	free(device);
}

static bool is_counting(uint32_t half)
{
	return half & (CESR_USER | CESR_KERNEL);
}

static struct vpmc_event_sel sel_of(uint32_t half, int counter)
{
	return (struct vpmc_event_sel){
		.code = half & CESR_CLOCKS ? VPMC_CLOCKS : half & CESR_EVENT,
		.counter = counter,
		.modes = (half & CESR_USER ? VPMC_USER : 0U) |
			 (half & CESR_KERNEL ? VPMC_KERNEL : 0U),
	};
}

static uint32_t half_of(const struct vpmc_event_sel *sel)
{
	return (sel->code == VPMC_CLOCKS ? CESR_CLOCKS
					 : (uint32_t)sel->code & CESR_EVENT) |
	       (sel->modes & VPMC_USER ? CESR_USER : 0U) |
	       (sel->modes & VPMC_KERNEL ? CESR_KERNEL : 0U);
}

/* Select the events of a value of CESR. Returns the number of counters that count. */
static size_t select_events(uint32_t cesr, struct vpmc_event_sel sel[COUNTERS])
{
	unsigned int i;
	size_t nr = 0;

	for (i = 0; i < COUNTERS; i++) {
		if (is_counting(cesr_half(cesr, i)))
			sel[nr++] = sel_of(cesr_half(cesr, i), (int)i);
	}
	return nr;
}

/*
 * Return whether each counter counts at most one of the events, so that events do not take turns.
 */
static bool fits_counters(const struct vpmc_event_set *set)
{
	return set->nr < COUNTERS ||
	       (set->nr == COUNTERS && set->sel[0].counter % COUNTERS !=
					       set->sel[1].counter % COUNTERS);
}

/*
 * Find the events that this process or an earlier one has started, and fill in @cesr and @counter.
 */
static int find_inherited(struct p5mon_device *device, uint32_t *cesr,
			  unsigned int counter[COUNTERS], size_t *nr)
{
	struct vpmc_event_set set;
	struct vpmc_error err;
	int ret = vpmc_events(device->vpmc, VPMC_SELF, &set, &err);

	*nr = 0;
	if (ret == VPMC_E_NOT_STARTED)
		return 0;
	if (ret)
		return fail_vpmc(&err);
	if (!fits_counters(&set))
		return p5monint_fail(EIO,
				     "%u events that were inherited take turns"
				     " on two counters: count two at a time, or"
				     " clear both with p5mon_config()",
				     set.nr);
	for (; *nr < set.nr; ++*nr) {
		counter[*nr] = (unsigned int)set.sel[*nr].counter % COUNTERS;
		*cesr |= half_of(&set.sel[*nr]) << 16 * counter[*nr];
	}
	return 0;
}

/* Read the counts of the process and of the processes that it has waited for. */
static int read_counts(struct p5mon_device *device, struct vpmc_counts *counts)
{
	struct vpmc_counts children;
	struct vpmc_error err;

	if (vpmc_read(device->vpmc, VPMC_SELF, counts, &err) ||
	    vpmc_read(device->vpmc, VPMC_CHILDREN, &children, &err) ||
	    vpmc_counts_add(counts, &children, &err))
		return fail_vpmc(&err);
	return 0;
}

static int read_counters(struct p5mon_device *device, uint64_t value[COUNTERS],
			 uint32_t *cesr)
{
	unsigned int counter[COUNTERS];
	struct vpmc_event_sel sel[COUNTERS];
	struct vpmc_counts counts;
	size_t nr, i;

	*cesr = device->cesr;
	memcpy(value, device->base, sizeof(device->base));
	if (device->configured) {
		nr = select_events(*cesr, sel);
		for (i = 0; i < nr; i++)
			counter[i] = (unsigned int)sel[i].counter;
	} else if (find_inherited(device, cesr, counter, &nr)) {
		return -1;
	}
	if (nr && read_counts(device, &counts))
		return -1;
	for (i = 0; i < nr; i++)
		value[counter[i]] += counts.count[i];
	for (i = 0; i < COUNTERS; i++)
		value[i] &= COUNTER_MASK;
	return 0;
}

static uint64_t little_endian(const unsigned char *bytes, unsigned int size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | bytes[size];
	return value;
}

static int start(struct p5mon_device *device, uint32_t cesr)
{
	struct vpmc_event_sel sel[COUNTERS];
	const size_t nr = select_events(cesr, sel);
	struct vpmc_error err;
	int ret;

	if (nr)
		ret = vpmc_start(device->vpmc, sel, nr, VPMC_FORCE, &err);
	else
		ret = vpmc_stop(device->vpmc, &err);
	if (ret && !(ret == VPMC_E_NOT_STARTED && !nr))
		return fail_vpmc(&err);
	return 0;
}

/* Return whether the new values of the counters depend on the present values. */
static bool continues_counts(const struct p5mon_device *device,
			     const enum action *action)
{
	return action[0] == KEEP || action[1] == KEEP ||
	       (action == actions[clear_only] && !device->configured);
}

/* Fill in @base, the values from which the counters continue. */
static int prepare(struct p5mon_device *device, const enum action *action,
		   const unsigned char *values, uint64_t base[COUNTERS],
		   uint32_t *cesr)
{
	unsigned int i;

	*cesr = device->cesr;
	if (continues_counts(device, action) &&
	    read_counters(device, base, cesr))
		return -1;
	for (i = 0; i < COUNTERS; i++) {
		if (action[i] == CLEAR)
			base[i] = 0;
		else if (action[i] == PRESET)
			base[i] = little_endian(values + (size_t)i *
								 COUNTER_BYTES,
						COUNTER_BYTES);
	}
	return 0;
}

ssize_t p5mon_device_write(struct p5mon_device *device, const void *buffer,
			   size_t size)
{
	const unsigned char *bytes = buffer;
	const enum action *action;
	uint64_t base[COUNTERS];
	uint32_t cesr;
	ssize_t used;

	if (size < P5MON_WRITE)
		return p5monint_fail(EINVAL,
				     "the buffer has %zu bytes: give %d", size,
				     P5MON_WRITE);
	if (bytes[4] >= NR_ACTIONS)
		return p5monint_fail(
			EINVAL,
			"%u is not an initialization of counters: use"
			" one from 0 to %zu",
			bytes[4], NR_ACTIONS - 1);
	action = actions[bytes[4]];
	used = action[0] == PRESET || action[1] == PRESET ? P5MON_WRITE_VALUES
							  : P5MON_WRITE;
	if (size < (size_t)used)
		return p5monint_fail(EINVAL,
				     "the buffer has %zu bytes: give %zd, with"
				     " the values of the counters",
				     size, used);
	if (prepare(device, action, bytes + P5MON_WRITE, base, &cesr))
		return -1;
	if (bytes[4] != clear_only)
		cesr = (uint32_t)little_endian(bytes, sizeof(cesr)) &
		       (CESR_COUNTER | CESR_COUNTER << 16);
	if (start(device, cesr))
		return -1;
	device->configured = true;
	device->cesr = cesr;
	memcpy(device->base, base, sizeof(base));
	return used;
}

ssize_t p5mon_device_read(struct p5mon_device *device, void *buffer,
			  size_t size)
{
	uint64_t value[COUNTERS + 1];
	uint32_t cesr;

	if (size < P5MON_READ)
		return p5monint_fail(EINVAL,
				     "the buffer has %zu bytes: give %d", size,
				     P5MON_READ);
	if (read_counters(device, value, &cesr))
		return -1;
	value[COUNTERS] = cesr;
	memcpy(buffer, value, P5MON_READ);
	return P5MON_READ;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Starting, stopping and reading.
 */
#include <errno.h>
#include <linux/vpmc.h>
#include <string.h>
#include <sys/ioctl.h>

#include "internal.h"

/* The library's constants go to the driver as they are. */
_Static_assert(VPMC_COUNTS_MAX == VPMC_MAX_EVENTS, "");
_Static_assert((int)VPMC_USER == VPMC_MODE_USER, "");
_Static_assert((int)VPMC_KERNEL == VPMC_MODE_KERNEL, "");
_Static_assert((int)VPMC_AT_EXEC == VPMC_START_AT_EXEC, "");
_Static_assert((int)VPMC_RESUME == VPMC_START_RESUME, "");
_Static_assert((int)VPMC_THREAD == (int)VPMC_SCOPE_THREAD, "");
_Static_assert((int)VPMC_SELF == (int)VPMC_SCOPE_SELF, "");
_Static_assert((int)VPMC_CHILDREN == (int)VPMC_SCOPE_CHILDREN, "");
_Static_assert((int)VPMC_STOPPED == (int)VPMC_STATE_STOPPED, "");
_Static_assert((int)VPMC_ARMED == (int)VPMC_STATE_ARMED, "");
_Static_assert((int)VPMC_RUNNING == (int)VPMC_STATE_RUNNING, "");
_Static_assert((int)VPMC_EXITED == (int)VPMC_STATE_EXITED, "");

/* enum vpmc_reason in the library's terms. Sentences end with the event. */
static const struct {
	enum vpmc_code code;
	const char *sentence;
} reasons[] = {
	[VPMC_REASON_FLAGS] = { VPMC_E_ARGUMENT,
				"the driver does not know one of the start"
				" flags given with" },
	[VPMC_REASON_TOO_MANY] = { VPMC_E_TOO_MANY,
				   "the processor has no counter left for" },
	[VPMC_REASON_UNKNOWN_EVENT] = { VPMC_E_UNKNOWN_EVENT,
					"the driver does not know" },
	[VPMC_REASON_RESERVED_BITS] = { VPMC_E_UNKNOWN_EVENT,
					"reserved bits are set in the code of" },
	[VPMC_REASON_PIN_CONTROL] = { VPMC_E_UNKNOWN_EVENT,
				      "the driver does not signal on pins:"
				      " leave pin control out of" },
	[VPMC_REASON_NO_COUNTER] = { VPMC_E_NO_COUNTER,
				     "the processor does not have the counter"
				     " of" },
	[VPMC_REASON_COUNTER_TAKEN] = { VPMC_E_COUNTER_TAKEN,
					"another event has the counter of" },
	[VPMC_REASON_MODES] = { VPMC_E_ARGUMENT,
				"no modes or unknown ones are given for" },
	[VPMC_REASON_RESUME] = { VPMC_E_RESUME,
				 "to resume, give the events that were stopped:"
				 " different is" },
};

static int fail_reason(const struct vpmc *vpmc, const struct vpmc_start *start,
		       const struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	const struct vpmc_event_info *info;

	if (start->error >= ARRAY_SIZE(reasons) ||
	    !reasons[start->error].sentence ||
	    start->error_event >= start->nr_events)
		return vpmcint_fail_errno(err, "start counting");

	sel += start->error_event;
	info = vpmc_event_lookup(vpmc->pmu, sel);
	return vpmcint_fail(err, reasons[start->error].code,
			    "%s event 0x%02x (%s) on counter %d",
			    reasons[start->error].sentence, sel->code,
			    info ? info->name : "unknown", sel->counter);
}

static int fail_permission(const struct vpmc_event_sel *sel, size_t nr,
			   struct vpmc_error *err)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (sel[i].modes & VPMC_KERNEL)
			return vpmcint_fail(
				err, VPMC_E_PERMISSION,
				"no permission to count event 0x%02x in kernel"
				" mode: that needs CAP_PERFMON, so run it as"
				" root or count user mode alone",
				sel[i].code);
	}
	return vpmcint_fail(err, VPMC_E_PERMISSION,
			    "no permission to count: the administrator has"
			    " restricted it to CAP_PERFMON with the vpmc"
			    " module's parameter \"restricted\"");
}

/* Errors that mean the same for every call on a counter set. */
static int fail_call(const char *what, struct vpmc_error *err)
{
	switch (errno) {
	case EXDEV:
		return vpmcint_fail(err, VPMC_E_BOUND,
				    "cannot %s: the handle stands for the"
				    " process that started counting on it, so"
				    " open another one",
				    what);
	case ENODATA:
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot %s: counting was never started"
				    " there",
				    what);
	default:
		return vpmcint_fail_errno(err, what);
	}
}

static int fail_start(const struct vpmc *vpmc, const struct vpmc_start *start,
		      const struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	switch (errno) {
	case EINVAL:
		return fail_reason(vpmc, start, sel, err);
	case EPERM:
		return fail_permission(sel, start->nr_events, err);
	case EBUSY:
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: this thread is"
				    " being counted already, so stop that"
				    " first");
	default:
		return fail_call("start counting", err);
	}
}

static int check_generation(const struct vpmc *vpmc, uint64_t generation,
			    struct vpmc_error *err)
{
	if (!vpmc->generation || vpmc->generation == generation)
		return 0;
	return vpmcint_fail(err, VPMC_E_GENERATION,
			    "the counts are invalid: counting was begun as"
			    " generation %llu and is generation %llu now"
			    " (events changed, counters taken away, or a"
			    " privileged program executed), so start again",
			    (unsigned long long)vpmc->generation,
			    (unsigned long long)generation);
}

/* Fills in what the driver is asked for. */
static int describe_events(struct vpmc_start *start,
			   const struct vpmc_event_sel *sel, size_t nr,
			   struct vpmc_error *err)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!sel[i].modes || sel[i].modes & ~(VPMC_USER | VPMC_KERNEL))
			return vpmcint_fail(err, VPMC_E_ARGUMENT,
					    "no modes or unknown ones are given"
					    " for event 0x%02x: count user"
					    " mode, kernel mode or both",
					    sel[i].code);
		start->event[i].code = sel[i].code;
		start->event[i].counter = (uint16_t)sel[i].counter;
		start->event[i].modes = (uint16_t)sel[i].modes;
	}
	start->nr_events = (uint32_t)nr;
	return 0;
}

int vpmc_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags, struct vpmc_error *err)
{
	struct vpmc_event_sel assigned[VPMC_COUNTS_MAX];
	struct vpmc_start start = { .size = sizeof(start), .flags = flags };
	int ret;

	memcpy(assigned, sel,
	       sizeof(*sel) * (nr < VPMC_COUNTS_MAX ? nr : VPMC_COUNTS_MAX));
	ret = vpmc_event_assign(vpmc->pmu, assigned, nr, err);
	if (!ret)
		ret = describe_events(&start, assigned, nr, err);
	if (ret)
		return ret;

	if (ioctl(vpmc->fd, VPMC_START, &start))
		return fail_start(vpmc, &start, assigned, err);

	vpmc->generation = start.generation;
	return 0;
}

int vpmc_stop(struct vpmc *vpmc, struct vpmc_error *err)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };

	if (ioctl(vpmc->fd, VPMC_STOP, &stop))
		return fail_call("stop counting", err);
	return check_generation(vpmc, stop.generation, err);
}

static int fail_read(enum vpmc_whose whose, struct vpmc_error *err)
{
	if (errno == EINVAL && (unsigned int)whose > VPMC_CHILDREN)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot read the counters: %u names no"
				    " scope",
				    (unsigned int)whose);
	return fail_call("read the counters", err);
}

static int check_revoked(const struct vpmc_read *read, struct vpmc_error *err)
{
	if (read->state != VPMC_STATE_REVOKED)
		return 0;
	return vpmcint_fail(err, VPMC_E_GENERATION,
			    "the counts are invalid: the counters were taken"
			    " away (generation %llu), so start again",
			    (unsigned long long)read->generation);
}

int vpmc_read(struct vpmc *vpmc, enum vpmc_whose whose,
	      struct vpmc_counts *counts, struct vpmc_error *err)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = whose };
	int ret;

	if (ioctl(vpmc->fd, VPMC_READ, &read))
		return fail_read(whose, err);

	ret = check_generation(vpmc, read.generation, err);
	if (!ret)
		ret = check_revoked(&read, err);
	if (ret)
		return ret;

	counts->generation = read.generation;
	counts->tsc = read.tsc;
	counts->activity = read.state;
	counts->not_added = read.not_added;
	counts->nr = read.nr_counts;
	memcpy(counts->count, read.count, sizeof(counts->count));
	return 0;
}

uint64_t vpmc_generation(const struct vpmc *vpmc)
{
	return vpmc->generation;
}

void vpmc_expect(struct vpmc *vpmc, uint64_t generation)
{
	vpmc->generation = generation;
}

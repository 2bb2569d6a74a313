// SPDX-License-Identifier: LGPL-2.1-or-later
/* Start and stop counting. */
#include <errno.h>
#include <inttypes.h>
#include <linux/vpmc.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/internal.h"
#include "core/expect.h"

/* The library passes its constants to the driver unchanged. */
_Static_assert(VPMC_COUNTS_MAX == VPMC_MAX_EVENTS, "");
_Static_assert(VPMC_RECORDS_MAX == VPMC_MAX_RECORDS, "");
_Static_assert((int)VPMC_USER == VPMC_MODE_USER, "");
_Static_assert((int)VPMC_KERNEL == VPMC_MODE_KERNEL, "");
_Static_assert((int)VPMC_PRECISE == VPMC_MODE_PRECISE, "");
_Static_assert(VPMCINT_CASCADE == VPMC_MODE_CASCADE, "");
_Static_assert(VPMC_AFTER_MAX == VPMC_MAX_CASCADE, "");
_Static_assert((int)VPMC_AT_EXEC == VPMC_START_AT_EXEC, "");
_Static_assert((int)VPMC_RESUME == VPMC_START_RESUME, "");
_Static_assert((int)VPMC_COLLECT == VPMC_START_COLLECT, "");
_Static_assert((int)VPMC_RECORDS == VPMC_START_RECORDS, "");
_Static_assert((int)VPMC_FORCE == VPMC_START_FORCE, "");
_Static_assert((int)VPMC_MULTIPLEX == VPMC_START_MULTIPLEX, "");
_Static_assert((int)VPMC_FOLD == VPMC_START_FOLD, "");
_Static_assert((int)VPMC_KEEP == VPMC_START_KEEP, "");

/*
 * vpmc_reset() repeats these flags. VPMC_COLLECT is not among them, so the collection
 * continues.
 */
#define REPEATED_FLAGS (VPMC_AT_EXEC | VPMC_MULTIPLEX | VPMC_FOLD | VPMC_KEEP)

/* These are the error texts for enum vpmc_reason. The name of the event follows them. */
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
				"no modes or unknown ones are given, or one alone"
				" where clocks need both (:uk), for" },
	[VPMC_REASON_WRONG_COUNTER] = { VPMC_E_WRONG_COUNTER,
					"another counter must count" },
	[VPMC_REASON_SHARED] = { VPMC_E_UNSUPPORTED,
				 "other processors' work is counted, too, by" },
	[VPMC_REASON_MORE_REGISTERS] = { VPMC_E_UNSUPPORTED,
					 "the driver does not set the additional"
					 " registers that are needed by" },
	[VPMC_REASON_EXTRA_RESERVED] = { VPMC_E_UNKNOWN_EVENT,
					 "reserved bits are set in the"
					 " additional register of" },
	[VPMC_REASON_EXTRA_TAKEN] = { VPMC_E_COUNTER_TAKEN,
				      "another event needs another value in the"
				      " additional register of" },
	[VPMC_REASON_PERIOD] = { VPMC_E_ARGUMENT,
				 "the driver does not accept the period of" },
	[VPMC_REASON_NO_SAMPLES] = { VPMC_E_ARGUMENT,
				     "samples need VPMC_COLLECT, and a counter"
				     " that is not shared: neither has" },
	[VPMC_REASON_NO_INTERRUPT] = { VPMC_E_UNSUPPORTED,
				       "samples need a counter that can"
				       " interrupt, which is not there for" },
	[VPMC_REASON_REGISTER_TAKEN] = { VPMC_E_COUNTER_TAKEN,
					 "another event needs another value in a"
					 " register that its counter shares with"
					 " that of" },
	[VPMC_REASON_PRECISE] = { VPMC_E_UNSUPPORTED,
				  "precise samples need a period, user mode"
				  " alone, interrupts, and a counter that"
				  " records addresses, which is not all given"
				  " for" },
	[VPMC_REASON_LEASED] = { VPMC_E_UNSUPPORTED,
				 "perf_event has leased the driver no counter"
				 " for this, and none for kernel mode: boot"
				 " without vpmc.lease to count" },
	[VPMC_REASON_CASCADE] = { VPMC_E_UNSUPPORTED,
				  "\"after\" needs an event before it whose"
				  " counter can start this one's, user mode alone"
				  " for both, and no shared counters and no"
				  " system mode, which is not all given for" },
	[VPMC_REASON_RESUME] = { VPMC_E_RESUME,
				 "to resume, give the events that were stopped,"
				 " which do not include" },
};

int vpmcint_fail_reason(const struct vpmc *vpmc, const struct vpmc_start *start,
			const struct vpmc_event_sel *sel,
			struct vpmc_error *err)
{
	const struct vpmc_event_info *info;
	char phrase[VPMCINT_CALL_MAX];

	if (start->error >= ARRAY_SIZE(reasons) ||
	    !reasons[start->error].sentence ||
	    start->error_event >= start->nr_events)
		return vpmcint_fail_errno(err, "start counting");

	sel += start->error_event;
	info = vpmc_event_lookup(vpmc->pmu, sel);
	vpmcint_call(phrase, sizeof(phrase), sel,
		     info ? info->name : "unknown");
	if (sel->counter == VPMC_ANY_COUNTER)
		return vpmcint_fail(err, reasons[start->error].code,
				    "%s event %s",
				    reasons[start->error].sentence, phrase);
	return vpmcint_fail(err, reasons[start->error].code,
			    "%s event %s on counter %d",
			    reasons[start->error].sentence, phrase,
			    sel->counter);
}

static int fail_permission(const struct vpmc *vpmc,
			   const struct vpmc_event_sel *sel, size_t nr,
			   struct vpmc_error *err)
{
	char phrase[VPMCINT_CALL_MAX];
	size_t i;

	if (vpmc->target != TARGET_CALLER)
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "no permission to count there: that needs"
				    " the same user and a program that may be"
				    " traced, or CAP_SYS_PTRACE; for kernel"
				    " mode, or if the vpmc module is"
				    " \"restricted\", CAP_PERFMON too");
	for (i = 0; i < nr; i++) {
		if (!(sel[i].modes & VPMC_KERNEL))
			continue;
		vpmcint_call(phrase, sizeof(phrase), &sel[i], NULL);
		return vpmcint_fail(
			err, VPMC_E_PERMISSION,
			"no permission to count event %s in kernel"
			" mode: that needs CAP_PERFMON, so run it as"
			" root or count user mode alone",
			phrase);
	}
	return vpmcint_fail(err, VPMC_E_PERMISSION,
			    "no permission to count: the administrator has"
			    " restricted it to CAP_PERFMON, by the vpmc"
			    " module's parameter \"restricted\" or by"
			    " perf_event_paranoid");
}

/* Returns the state of a scope of this handle, or -1 if it has no counts. */
static int state_of(const struct vpmc *vpmc, enum vpmc_whose whose)
{
	struct vpmc_read read;

	return vpmcint_read(vpmc, whose, &read) ? -1 : (int)read.state;
}

/* Returns the scope to which starts and stops on this handle apply. */
static enum vpmc_whose scope_of(const struct vpmc *vpmc)
{
	return vpmc->target == TARGET_PROCESS ? VPMC_SELF : VPMC_THREAD;
}

/* Return whether the caller must not see the target's counts. If so, errno is EPERM. */
static bool is_target_hidden(const struct vpmc *vpmc)
{
	return state_of(vpmc, scope_of(vpmc)) < 0 && errno == EPERM;
}

static int query_running(const struct vpmc *vpmc)
{
	int state = state_of(vpmc, scope_of(vpmc));

	return state == VPMC_STATE_RUNNING || state == VPMC_STATE_ARMED;
}

/*
 * The texts give the reason why the counters are busy and the remedy, for each target of a handle.
 */
static const char *const counting[] = {
	[TARGET_CALLER] = "this thread is being counted already, so stop that"
			  " first",
	[TARGET_PROCESS] = "the process counts already, so wait until it has"
			   " stopped, or replace its events by VPMC_FORCE",
	[TARGET_THREAD] = "the thread counts already, so wait until it has"
			  " stopped, or replace its events by VPMC_FORCE",
};

/*
 * Compose the error for EBUSY, which has five reasons. This function reads counts to distinguish
 * them.
 */
static int fail_busy(const struct vpmc *vpmc, unsigned int flags,
		     struct vpmc_error *err)
{
	int counts = query_running(vpmc);

	if (vpmcint_in_system_mode(vpmc))
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: they are in system"
				    " mode, where no thread can count for"
				    " itself, so wait until that has ended");
	if (!(flags & VPMC_COLLECT) || (counts && !(flags & VPMC_FORCE)))
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: %s",
				    counting[vpmc->target]);
	if (!counts && state_of(vpmc, VPMC_SELF) == VPMC_STATE_RUNNING)
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: other threads of"
				    " the process count already, so stop them"
				    " first or start without collecting");
	if (state_of(vpmc, VPMC_ALL) < 0)
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: another handle"
				    " collects this process already, so start"
				    " on that one or without collecting");
	return vpmcint_fail(err, VPMC_E_BUSY,
			    "the counters are busy: this handle still collects"
			    " processes of its last start, so wait until they"
			    " have ended");
}

static int fail_start(const struct vpmc *vpmc, const struct vpmc_start *start,
		      const struct vpmc_event_sel *sel, struct vpmc_error *err)
{
	switch (errno) {
	case EINVAL:
		return vpmcint_fail_reason(vpmc, start, sel, err);
	case EPERM:
		if (start->flags & VPMC_START_RESUME && is_target_hidden(vpmc))
			return vpmcint_fail_call(vpmc, "resume the counts",
						 err);
		return fail_permission(vpmc, sel, start->nr_events, err);
	case EBUSY:
		return fail_busy(vpmc, start->flags, err);
	case EADDRINUSE:
	case EIO:
		return vpmcint_fail_reserved(errno, err);
	case ENOMEM:
		return vpmcint_fail_kept(err, "start counting");
	default:
		return vpmcint_fail_call(vpmc, "start counting", err);
	}
}

static int check_periods(const struct vpmc *vpmc,
			 const struct vpmc_event_sel *sel, size_t nr,
			 struct vpmc_error *err)
{
	size_t i;
	int ret = 0;

	if (nr != vpmc->nr_periods)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot start %zu events: the handle has"
				    " rings for samples of %zu, so start these",
				    nr, vpmc->nr_periods);
	for (i = 0; !ret && i < nr; i++)
		ret = vpmcint_check_period(&sel[i], vpmc->period[i],
					   vpmc->jitter[i], err);
	return ret;
}

/*
 * Move the extra register's value from the library's codes to its own field. This is not inlined,
 * because the loop that fills in the events would need more registers.
 */
__attribute__((noinline)) static void
split_extras(const struct vpmcint_registers *registers,
	     struct vpmc_event *event, size_t nr)
{
	for (; nr; nr--, event++) {
		event->extra = registers->extra(event->code);
		event->code &= ~(__u64)registers->own;
	}
}

/* Return whether modes in addition to the privilege levels are known. */
static bool knows_modes(const struct vpmc *vpmc, unsigned int modes)
{
	return !(modes & VPMCINT_CASCADE) &&
	       (!vpmcint_after(modes) || vpmc->pmu->registers);
}

static int fill_in(const struct vpmc *vpmc, struct vpmc_start *start,
		   const struct vpmc_event_sel *sel, size_t nr,
		   struct vpmc_error *err)
{
	const unsigned int levels = VPMC_USER | VPMC_KERNEL;
	size_t i;

	for (i = 0; i < nr; i++) {
		const unsigned int others = sel[i].modes & ~levels;
		const uint32_t after = vpmcint_after(sel[i].modes);

		if (others == sel[i].modes ||
		    (others && !knows_modes(vpmc, others)))
			return vpmcint_fail(
				err, VPMC_E_ARGUMENT,
				"no modes or unknown ones are given"
				" for event 0x%02" PRIx64
				": count user mode, kernel mode or both",
				sel[i].code);
		start->event[i].code = sel[i].code;
		start->event[i].counter = (uint16_t)sel[i].counter;
		start->event[i].modes = vpmcint_driver_modes(sel[i].modes);
		start->event[i].period = after ? after : vpmc->period[i];
		start->event[i].extra = 0;
	}
	if (vpmc->pmu->registers)
		split_extras(vpmc->pmu->registers, start->event, nr);
	start->nr_events = (uint32_t)nr;
	start->size = (uint32_t)offsetof(struct vpmc_start, event[nr]);
	return 0;
}

int vpmcint_describe_start(const struct vpmc *vpmc,
			   const struct vpmc_event_sel *sel, size_t nr,
			   unsigned int flags, struct vpmc_event_sel *assigned,
			   struct vpmc_start *start, struct vpmc_error *err)
{
	int ret;

	memset(start, 0, offsetof(struct vpmc_start, event));
	start->flags = flags;
	memcpy(assigned, sel,
	       sizeof(*sel) * (nr < VPMC_COUNTS_MAX ? nr : VPMC_COUNTS_MAX));
	ret = flags & VPMC_START_MULTIPLEX
		      ? vpmc_event_distribute(vpmc->pmu, assigned, nr, err)
		      : vpmc_event_assign(vpmc->pmu, assigned, nr, err);
	if (!ret && vpmc->nr_periods)
		ret = check_periods(vpmc, assigned, nr, err);
	return ret ? ret : fill_in(vpmc, start, assigned, nr, err);
}

int vpmc_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel, size_t nr,
	       unsigned int flags, struct vpmc_error *err)
{
	struct vpmc_event_sel assigned[VPMC_COUNTS_MAX];
	struct vpmc_start start;
	uint64_t set;
	int ret;

	ret = vpmcint_describe_start(vpmc, sel, nr, flags, assigned, &start,
				     err);
	if (ret)
		return ret;
	if (flags & VPMC_RECORDS)
		start.flags |= VPMC_COLLECT;
	/*
	 * Compute the number before the start, because the caller may count its own
	 * instructions from the start on.
	 */
	set = vpmcint_set_of(assigned, nr);
	if (ioctl(vpmc->fd, VPMC_START, &start))
		return fail_start(vpmc, &start, assigned, err);

	vpmcint_expect_start(vpmc, &start);
	vpmc->flags = flags & REPEATED_FLAGS;
	vpmc->nr = nr;
	memcpy(vpmc->sel, assigned, nr * sizeof(*assigned));
	vpmc->set = set;
	if (vpmc->target == TARGET_CALLER && vpmcint_region_hooks.changed)
		vpmcint_region_hooks.changed();
	return 0;
}

int vpmc_reset(struct vpmc *vpmc, struct vpmc_error *err)
{
	if (!vpmc->nr)
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot reset: nothing was started on this"
				    " handle, so start on it");
	return vpmc_start(vpmc, vpmc->sel, vpmc->nr, vpmc->flags | VPMC_FORCE,
			  err);
}

int vpmc_stop(struct vpmc *vpmc, struct vpmc_error *err)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };

	if (ioctl(vpmc->fd, VPMC_STOP, &stop))
		return vpmcint_fail_call(vpmc, "stop counting", err);
	/* Generation 0 means that the driver hid the counts, so there is nothing to compare. */
	if (!stop.generation)
		return 0;
	return vpmcint_check_counts(vpmc, scope_of(vpmc), stop.generation,
				    stop.start, err);
}

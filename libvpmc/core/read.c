// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read counts and records. */
#include <errno.h>
#include <linux/vpmc.h>
#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/internal.h"
#include "core/expect.h"

/* The library and the driver use the same constants. */
_Static_assert((int)VPMC_THREAD == (int)VPMC_SCOPE_THREAD, "");
_Static_assert((int)VPMC_SELF == (int)VPMC_SCOPE_SELF, "");
_Static_assert((int)VPMC_CHILDREN == (int)VPMC_SCOPE_CHILDREN, "");
_Static_assert((int)VPMC_ALL == (int)VPMC_SCOPE_ALL, "");
_Static_assert((int)VPMC_STOPPED == (int)VPMC_STATE_STOPPED, "");
_Static_assert((int)VPMC_ARMED == (int)VPMC_STATE_ARMED, "");
_Static_assert((int)VPMC_RUNNING == (int)VPMC_STATE_RUNNING, "");
_Static_assert((int)VPMC_EXITED == (int)VPMC_STATE_EXITED, "");
_Static_assert(sizeof(((struct vpmc_thread_record *)0)->command) ==
		       sizeof(((struct vpmc_record *)0)->comm),
	       "the driver's command name fits");

/* These texts end errors. Each text says what the handle counts, and names the remedy. */
static const char *const bound_to[] = {
	[TARGET_CALLER] = "the handle stands for the process that started"
			  " counting on it, so open another one",
	[TARGET_PROCESS] = "the handle is attached to another process as a"
			   " whole, so open another one",
	[TARGET_THREAD] = "the handle is attached to one thread, so attach"
			  " another one to the process",
};

int vpmcint_fail_call(const struct vpmc *vpmc, const char *what,
		      struct vpmc_error *err)
{
	switch (errno) {
	case EXDEV:
		return vpmcint_fail(err, VPMC_E_BOUND, "cannot %s: %s", what,
				    bound_to[vpmc->target]);
	case ENODATA:
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot %s: counting was never started"
				    " there",
				    what);
	case ESRCH:
		return vpmcint_fail(err, VPMC_E_NO_PROCESS,
				    "cannot %s: the process or thread has"
				    " exited",
				    what);
	case EPERM:
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "cannot %s: no permission to watch, or to"
				    " trace, what the handle is attached to"
				    " (any more, if it has executed a"
				    " privileged program, or entered another"
				    " user namespace)",
				    what);
	case EADDRINUSE:
	case EIO:
		return vpmcint_fail_reserved(errno, err);
	default:
		return vpmcint_fail_errno(err, what);
	}
}

int vpmcint_fail_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		      const char *what, struct vpmc_error *err)
{
	if (errno == EINVAL && (unsigned int)whose > VPMC_ALL)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot %s: %u names no scope", what,
				    (unsigned int)whose);
	if (errno == ENODATA && whose == VPMC_ALL)
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot %s: this handle collects nothing,"
				    " so start on it with VPMC_COLLECT",
				    what);
	return vpmcint_fail_call(vpmc, what, err);
}

int vpmcint_read(const struct vpmc *vpmc, enum vpmc_whose whose,
		 struct vpmc_read *read)
{
	/*
	 * The structure is not zeroed, because it is large and the driver fills in the
	 * fields that are used.
	 */
	read->size = offsetof(struct vpmc_read, nr_turns);
	read->scope = whose;
	read->flags = 0;
	return ioctl(vpmc->fd, VPMC_READ, read);
}

static int check_revoked(const struct vpmc_read *read, struct vpmc_error *err)
{
	if (read->state != VPMC_STATE_REVOKED)
		return 0;
	return vpmcint_fail(err, VPMC_E_GENERATION,
			    "the counts are invalid: the counters were taken"
			    " away, or another program has overwritten their"
			    " registers, as dmesg says then (generation %llu),"
			    " so start again",
			    (unsigned long long)read->generation);
}

/*
 * Returns the number of the event set that a handle expects in a scope, 0 if it did not
 * start the events.
 */
static uint64_t set_expected(const struct vpmc *vpmc, enum vpmc_whose whose)
{
	if (whose == VPMC_ALL && vpmc->all.start != vpmc->thread.start)
		return 0;
	return vpmc->set;
}

/* Fill in @counts up to the last event. The elements after it do not change. */
static void fill_counts(struct vpmc_counts *counts,
			const struct vpmc_read *read)
{
	unsigned int i;

	counts->generation = read->generation;
	counts->start = read->start;
	counts->tsc = read->tsc;
	counts->activity = read->state;
	counts->running = read->running;
	counts->other_events = read->other_events;
	counts->revoked = read->revoked;
	counts->stopped = read->stopped;
	counts->unwaited = read->unwaited;
	counts->nr = read->nr_counts;
	/*
	 * There are few events. With both limits the compiler generates a loop, not a
	 * call of memcpy().
	 */
	for (i = 0; i < read->nr_counts && i < VPMC_COUNTS_MAX; i++) {
		counts->count[i] = read->count[i];
		counts->time[i] = read->time[i];
	}
}

/* Fill in counts of the size with which the program was compiled. */
static void hand_over_counts(struct vpmc_counts *counts, size_t size,
			     const struct vpmc_read *read, uint64_t set)
{
	struct vpmc_counts found = { .set = set };

	fill_counts(&found, read);
	vpmcint_hand_over(counts, size, &found, sizeof(found));
}

/* Check that the counts belong to the handle's start, and that they are not revoked. */
static inline int check_read(const struct vpmc *vpmc, enum vpmc_whose whose,
			     const struct vpmc_read *read,
			     struct vpmc_error *err)
{
	const int ret = vpmcint_check_counts(vpmc, whose, read->generation,
					     read->start, err);

	return ret ? ret : check_revoked(read, err);
}

int vpmc_read_sized(struct vpmc *vpmc, enum vpmc_whose whose,
		    struct vpmc_counts *counts, size_t size,
		    struct vpmc_error *err)
{
	struct vpmc_read read;
	int ret;

	if (vpmcint_read(vpmc, whose, &read))
		return vpmcint_fail_read(vpmc, whose, "read the counters", err);

	ret = check_read(vpmc, whose, &read, err);
	if (ret)
		return ret;

	if (size != sizeof(*counts)) {
		hand_over_counts(counts, size, &read,
				 set_expected(vpmc, whose));
		return 0;
	}
	fill_counts(counts, &read);
	counts->set = set_expected(vpmc, whose);
	return 0;
}

/* Convert a sum of squares. A sum that has reached the largest number is infinite. */
static double squares_of(uint64_t sum, double unit)
{
	return sum == UINT64_MAX ? (double)INFINITY : (double)sum * unit;
}

static void fill_spread(struct vpmc_spread *spread,
			const struct vpmc_turns *turns, unsigned int nr,
			unsigned int shift)
{
	const double unit = (double)(1ULL << shift);
	unsigned int i;

	spread->nr = nr;
	for (i = 0; i < nr && i < VPMC_COUNTS_MAX; i++)
		spread->event[i] = (struct vpmc_turns_of){
			.nr = turns[i].nr,
			.count_squares =
				squares_of(turns[i].count_squares, unit),
			.products = squares_of(turns[i].products, unit),
			.time_squares = squares_of(turns[i].time_squares, unit),
			.unit = unit,
		};
}

int vpmc_read_spread_sized(struct vpmc *vpmc, enum vpmc_whose whose,
			   struct vpmc_counts *counts, size_t size,
			   struct vpmc_spread *spread, struct vpmc_error *err)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = whose };
	int ret;

	if (ioctl(vpmc->fd, VPMC_READ, &read))
		return vpmcint_fail_read(vpmc, whose, "read the counters", err);
	ret = check_read(vpmc, whose, &read, err);
	if (ret)
		return ret;
	hand_over_counts(counts, size, &read, set_expected(vpmc, whose));
	fill_spread(spread, read.turn, read.nr_turns, read.turn_shift);
	return 0;
}

/* Take a record. The caller has set the size of @next and zeroed the other fields. */
static int take_record(struct vpmc *vpmc, struct vpmc_record *next,
		       struct vpmc_thread_record *record, size_t size,
		       struct vpmc_error *err)
{
	struct vpmc_thread_record found = { .pid = 0 };
	int ret;

	if (ioctl(vpmc->fd, VPMC_RECORD, next)) {
		if (errno == ENODATA)
			return vpmcint_fail(err, VPMC_E_NO_RECORD,
					    "there is no record: no other"
					    " thread that is recorded has"
					    " ended or started again");
		return vpmcint_fail_errno(err, "take a record");
	}
	/*
	 * Do not compare the generation, because it changes when the counters are taken
	 * away. Each record says whether the counters were taken from its thread.
	 */
	ret = vpmcint_check_counts(vpmc, VPMC_ALL, vpmc->all.generation,
				   next->start, err);
	if (ret)
		return ret;

	found.pid = next->pid;
	found.tid = next->tid;
	memcpy(found.command, next->comm, sizeof(found.command));
	found.command[sizeof(found.command) - 1] = '\0';
	found.last = !!(next->what & VPMC_RECORD_LAST);
	found.restarted = !!(next->what & VPMC_RECORD_RESTARTED);
	found.other_events = !!(next->what & VPMC_RECORD_OTHER);
	found.revoked = !!(next->what & VPMC_RECORD_REVOKED);
	found.missing = !!(next->what & VPMC_RECORD_MISSING);
	found.lost = next->lost;
	found.limited = !!(next->what & VPMC_RECORD_LIMITED);
	found.stopped = next->stopped;
	found.tsc = next->tsc;
	found.nr = next->nr_counts;
	memcpy(found.count, next->count, sizeof(found.count));
	memcpy(found.time, next->time, sizeof(found.time));
	vpmcint_hand_over(record, size, &found, sizeof(found));
	return 0;
}

int vpmc_next_record_sized(struct vpmc *vpmc, struct vpmc_thread_record *record,
			   size_t size, struct vpmc_error *err)
{
	struct vpmc_record next = {
		.size = offsetof(struct vpmc_record, nr_turns),
	};

	return take_record(vpmc, &next, record, size, err);
}

int vpmc_next_record_spread_sized(struct vpmc *vpmc,
				  struct vpmc_thread_record *record,
				  size_t size, struct vpmc_spread *spread,
				  struct vpmc_error *err)
{
	struct vpmc_record next = { .size = sizeof(next) };
	int ret = take_record(vpmc, &next, record, size, err);

	if (!ret)
		fill_spread(spread, next.turn, next.nr_turns, next.turn_shift);
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Count in system mode, in which every processor counts, whatever it runs. */
#include <errno.h>
#include <linux/vpmc.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/internal.h"

static int fail_system_permission(struct vpmc_error *err)
{
	return vpmcint_fail(err, VPMC_E_PERMISSION,
			    "no permission for system mode: that needs"
			    " CAP_PERFMON or CAP_SYS_ADMIN, so run it as root"
			    " or with one of the two");
}

/* Compose the error for EBUSY. It has two reasons, so find out whether system mode is on. */
static int fail_system_busy(const struct vpmc *vpmc, struct vpmc_error *err)
{
	if (vpmcint_in_system_mode(vpmc))
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters are busy: another process has"
				    " them in system mode, so wait until it has"
				    " ended");
	return vpmcint_fail(err, VPMC_E_BUSY,
			    "the counters are busy: threads that count are on a"
			    " processor, so stop them or take the counters away"
			    " by force");
}

static int fail_system_start(const struct vpmc *vpmc,
			     const struct vpmc_start *start,
			     const struct vpmc_event_sel *sel,
			     struct vpmc_error *err)
{
	switch (errno) {
	case EINVAL:
		return vpmcint_fail_reason(vpmc, start, sel, err);
	case EPERM:
		return fail_system_permission(err);
	case EBUSY:
		return fail_system_busy(vpmc, err);
	case EADDRINUSE:
	case EIO:
		return vpmcint_fail_reserved(errno, err);
	default:
		return vpmcint_fail_errno(err, "start system mode");
	}
}

int vpmc_system_start(struct vpmc *vpmc, const struct vpmc_event_sel *sel,
		      size_t nr, unsigned int flags, struct vpmc_error *err)
{
	struct vpmc_event_sel assigned[VPMC_COUNTS_MAX];
	struct vpmc_start start;
	int ret;

	ret = vpmcint_describe_start(vpmc, sel, nr, flags, assigned, &start,
				     err);
	if (ret)
		return ret;
	if (ioctl(vpmc->fd, VPMC_SYSTEM_START, &start))
		return fail_system_start(vpmc, &start, assigned, err);

	vpmc->system_generation = start.generation;
	return 0;
}

static int fail_system_call(const char *what, struct vpmc_error *err)
{
	switch (errno) {
	case EPERM:
		return fail_system_permission(err);
	case ENODATA:
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot %s: system mode was never started"
				    " on this handle",
				    what);
	default:
		return vpmcint_fail_errno(err, what);
	}
}

/*
 * Check that the counts belong to the handle's start, because another process that shares
 * the handle may have started system mode.
 */
static int check_system_generation(const struct vpmc *vpmc, uint64_t generation,
				   struct vpmc_error *err)
{
	if (!vpmc->system_generation || vpmc->system_generation == generation)
		return 0;
	return vpmcint_fail(err, VPMC_E_GENERATION,
			    "the counts are invalid: system mode was started"
			    " as generation %llu and is generation %llu now"
			    " (started again, released, or registers"
			    " overwritten as dmesg says), so start again",
			    (unsigned long long)vpmc->system_generation,
			    (unsigned long long)generation);
}

int vpmc_system_stop(struct vpmc *vpmc, struct vpmc_error *err)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };

	if (ioctl(vpmc->fd, VPMC_SYSTEM_STOP, &stop))
		return fail_system_call("stop system mode", err);
	return check_system_generation(vpmc, stop.generation, err);
}

int vpmc_release(struct vpmc *vpmc, struct vpmc_error *err)
{
	struct vpmc_release release = { .size = sizeof(release) };

	if (!ioctl(vpmc->fd, VPMC_RELEASE, &release))
		return 0;
	switch (errno) {
	case EPERM:
		return vpmcint_fail(
			err, VPMC_E_PERMISSION,
			"no permission to take the counters: that"
			" needs CAP_PERFMON or CAP_SYS_ADMIN, so run"
			" it as root or with one of the two");
	case EBUSY:
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "the counters were taken, but not released,"
				    " because starts or forks that were in"
				    " progress during many earlier releases"
				    " have not ended: end the processes that"
				    " hang in them");
	default:
		return vpmcint_fail_errno(err, "take the counters");
	}
}

int vpmc_system_read_sized(struct vpmc *vpmc, int cpu,
			   struct vpmc_system_counts *counts, size_t size,
			   struct vpmc_error *err)
{
	struct vpmc_system_counts found = { .cpus = 0 };
	struct vpmc_system_read read = { .size = sizeof(read), .cpu = cpu };
	int ret;

	if (ioctl(vpmc->fd, VPMC_SYSTEM_READ, &read)) {
		if (errno == EINVAL && cpu != VPMC_EVERY_CPU)
			return vpmcint_fail(err, VPMC_E_NO_CPU,
					    "cannot read the counters: this"
					    " machine has no processor %d",
					    cpu);
		return fail_system_call("read the counters", err);
	}

	ret = check_system_generation(vpmc, read.generation, err);
	if (ret)
		return ret;

	found.generation = read.generation;
	found.tsc = read.tsc;
	found.activity = read.state;
	found.cpus = read.cpus;
	found.nr = read.nr_counts;
	memcpy(found.count, read.count, sizeof(found.count));
	vpmcint_hand_over(counts, size, &found, sizeof(found));
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ask for a signal after each period of events. */
#include <errno.h>
#include <linux/vpmc.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/internal.h"
#include "core/expect.h"

/* The driver puts its information at this offset of siginfo_t. */
#define INFO_OFFSET offsetof(siginfo_t, si_addr)

_Static_assert(INFO_OFFSET + sizeof(struct vpmc_siginfo) <= sizeof(siginfo_t),
	       "the driver's information fits");

static int set_signal(const struct vpmc *vpmc, struct vpmc_signal *request)
{
	request->size = sizeof(*request);
	return ioctl(vpmc->fd, VPMC_SIGNAL, request);
}

/* Compose the error for EINVAL, which has four reasons. */
static int fail_argument(const struct vpmc *vpmc,
			 const struct vpmc_signal *request,
			 struct vpmc_error *err)
{
	struct vpmc_read read;

	if (request->signo > (unsigned int)SIGRTMAX)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot ask for signals: there is no"
				    " signal %d",
				    (int)request->signo);
	if (vpmcint_read(vpmc, VPMC_THREAD, &read))
		read.nr_counts = 0;
	if (request->event < read.nr_counts)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot ask for signals: the events share"
				    " counters, so count fewer or start"
				    " without VPMC_MULTIPLEX");
	return vpmcint_fail(err, VPMC_E_ARGUMENT,
			    "cannot ask for signals: no event has the index %u"
			    " among the %u that this thread counts",
			    request->event, read.nr_counts);
}

static int fail_signal(const struct vpmc *vpmc,
		       const struct vpmc_signal *request,
		       struct vpmc_error *err)
{
	switch (errno) {
	case EINVAL:
		return fail_argument(vpmc, request, err);
	case ENODATA:
		return vpmcint_fail(err, VPMC_E_NOT_STARTED,
				    "cannot ask for signals: this thread does"
				    " not count, or has lost the counters, so"
				    " start first");
	default:
		return vpmcint_fail_call(vpmc, "ask for signals", err);
	}
}

int vpmc_signal(struct vpmc *vpmc, unsigned int event, uint64_t period,
		int signo, struct vpmc_error *err)
{
	struct vpmc_signal request = {
		.event = event,
		.signo = (unsigned int)signo,
		.period = period,
	};
	int ret;

	if (signo && !period)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot ask for signals every 0 events:"
				    " give a period of at least 1");
	if (set_signal(vpmc, &request))
		return fail_signal(vpmc, &request, err);

	/* A call that fails must not leave a signal installed. */
	ret = vpmcint_check_counts(vpmc, VPMC_THREAD, request.generation,
				   request.start, err);
	if (ret && signo) {
		request.signo = 0;
		set_signal(vpmc, &request);
	}
	return ret;
}

static uint64_t join(const uint32_t halves[2])
{
	return (uint64_t)halves[1] << 32 | halves[0];
}

int vpmc_signal_decode_sized(const siginfo_t *info,
			     struct vpmc_signal_info *out, size_t size)
{
	struct vpmc_signal_info found = { .event = 0 };
	struct vpmc_siginfo told;

	if (info->si_code != VPMC_SI_CODE)
		return VPMC_E_ARGUMENT;
	memcpy(&told, (const char *)info + INFO_OFFSET, sizeof(told));

	/* The kernel also sends other signals with this code, but these fields are zero in them. */
	if (!join(told.start))
		return VPMC_E_ARGUMENT;
	found.event = told.event;
	found.count = join(told.count);
	found.start = join(told.start);
	vpmcint_hand_over(out, size, &found, sizeof(found));
	return 0;
}

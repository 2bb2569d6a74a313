// SPDX-License-Identifier: GPL-2.0-only
/*
 * Check counters that overflow. A signal after each period lets the driver begin a counter so far
 * below its end that it overflows after the period.
 */
#include "self_test/checks.h"

#include <inttypes.h>
#include <signal.h>
#include <time.h>

#include "self_test/meter.h"

#define ROUNDS 100001
#define PERIOD 30000

/* The interrupt has to come long before the loop ends. */
#define LONG_PERIOD 1000000
#define LONG_ROUNDS 800000
#define LATE_MOST   10000
#define TRIES	    5

/* Give the reason if counters do not interrupt here. */
static bool interrupts(struct verdict *verdict)
{
	const uint32_t period = PERIOD;
	struct vpmc_samples_rings *rings;
	struct vpmc_error err;
	struct vpmc *vpmc;
	int failure = vpmc_open(&vpmc, &err);

	if (failure) {
		give_error(verdict, &err);
		return false;
	}
	failure = vpmc_samples_open(vpmc, &period, 1, VPMC_RING_SIZE_MIN,
				    &rings, &err);
	if (!failure)
		vpmc_samples_close(rings);
	else
		give(verdict, CHECK_NOT_HERE, "%s", err.text);
	vpmc_close(vpmc);
	return !failure;
}

/* Count with a signal, which stays pending, after each period. */
static int open_signalled(struct meter *meter, const struct vpmc_event_sel *sel,
			  uint64_t period)
{
	sigset_t signals;
	int failure;

	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	failure = open_meter(meter, sel, 1, 0);
	return failure ? failure
		       : vpmc_signal(meter->vpmc, 0, period, SIGUSR1,
				     &meter->err);
}

void check_wrap(struct bench *bench, struct verdict *verdict)
{
	uint64_t counts[METER_EVENTS];
	struct meter meter;

	if (!interrupts(verdict))
		return;
	if (open_signalled(&meter, &bench->instructions, PERIOD) ||
	    count_rounds(&meter, spin, ROUNDS, counts))
		give_error(verdict, &meter.err);
	else
		judge(bench, verdict, counts[0],
		      (ROUNDS - 1ULL) * SPIN_INSTRUCTIONS);
	close_meter(&meter);
}

/* Return how many events after a period its signal came, or UINT64_MAX if there was none. */
static uint64_t lateness(void)
{
	const struct timespec none = { .tv_sec = 0 };
	struct vpmc_signal_info signal;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigtimedwait(&set, &info, &none) < 0 ||
	    vpmc_signal_decode(&info, &signal))
		return UINT64_MAX;
	return signal.count - LONG_PERIOD;
}

/* Return whether a signal came in time. */
static bool try_interrupt(const struct bench *bench, struct verdict *verdict)
{
	uint64_t counts[METER_EVENTS], late;
	struct meter meter;
	bool is_good = false;

	if (open_signalled(&meter, &bench->instructions, LONG_PERIOD) ||
	    count_once(&meter, spin, LONG_ROUNDS, counts)) {
		give_error(verdict, &meter.err);
	} else {
		late = lateness();
		is_good = late <= LATE_MOST;
		if (is_good)
			give(verdict, CHECK_PASSED, "in time");
		else if (late == UINT64_MAX)
			give(verdict, CHECK_FAILED, "there was none");
		else
			give(verdict, CHECK_FAILED,
			     "%" PRIu64 " instructions late", late);
	}
	close_meter(&meter);
	return is_good;
}

void check_interrupt(struct bench *bench, struct verdict *verdict)
{
	unsigned int try = 0;

	while (try < TRIES && try_interrupt(bench, verdict))
		try++;
}

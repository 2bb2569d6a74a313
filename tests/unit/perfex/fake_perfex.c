// SPDX-License-Identifier: GPL-2.0-only
/*
 * This program is perfex over a fake driver and with its own clock, to be run on a
 * terminal.
 *
 * When perfex waits for a time, the clock advances by that time after a short real time, so the
 * output does not depend on the speed of this machine. Variables of the environment set the
 * length of this real time (FAKE_WAIT_MS), and the times at which the clock stops (FAKE_STOP_MS)
 * and a third processor comes online (FAKE_CPU_MS). Other variables select whether the counts are
 * lost at the stop (FAKE_LOST), and whether the second count is projected (FAKE_SHARE) or never
 * counted (FAKE_NEVER). The first count grows faster with each second, up to 8 times.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "fake_driver.h"

#define MS 1000000ULL
#define S  (1000 * MS)

int perfex_main(int argc, char **argv);

/* The linker prescribes these names; the prototypes are those of the wrapped functions. */
int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __real_sigtimedwait(const sigset_t *signals, siginfo_t *info,
			const struct timespec *timeout);
int __wrap_sigtimedwait(const sigset_t *signals, siginfo_t *info,
			const struct timespec *timeout);
int __real_poll(struct pollfd *fds, nfds_t nr, int timeout);
int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout);

static unsigned long long begin = S, clock_ns = S, stop, cpu_on;
static int wait_ms;

static void pass(unsigned long long ns)
{
	clock_ns += ns;
	if (clock_ns > stop)
		clock_ns = stop;
	if (clock_ns >= cpu_on)
		fake->system.cpus = 3;
	fake->self_step = 1000 * (1 + (clock_ns - begin) / S % 8);
	if (clock_ns == stop && getenv("FAKE_LOST"))
		fake->read.generation = 8;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	if (clock != CLOCK_MONOTONIC)
		return __real_clock_gettime(clock, time);
	*time = (struct timespec){ .tv_sec = (time_t)(clock_ns / S),
				   .tv_nsec = (long)(clock_ns % S) };
	return 0;
}

int __wrap_sigtimedwait(const sigset_t *signals, siginfo_t *info,
			const struct timespec *timeout)
{
	const struct timespec moment = { .tv_sec = wait_ms / 1000,
					 .tv_nsec = wait_ms % 1000 * (long)MS };
	int ret = __real_sigtimedwait(signals, info, timeout ? &moment : NULL);

	if (timeout && ret < 0 && errno == EAGAIN) {
		pass((unsigned long long)timeout->tv_sec * S +
		     (unsigned long long)timeout->tv_nsec);
		errno = EAGAIN;
	}
	return ret;
}

int __wrap_poll(struct pollfd *fds, nfds_t nr, int timeout)
{
	int ret = __real_poll(fds, nr, wait_ms);

	if (!ret)
		pass((unsigned long long)timeout * MS);
	return ret;
}

static unsigned long long number_from(const char *name,
				      unsigned long long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

int main(int argc, char **argv)
{
	if (fake_setup(NULL))
		return EXIT_FAILURE;
	wait_ms = (int)number_from("FAKE_WAIT_MS", 5);
	stop = begin + number_from("FAKE_STOP_MS", 1000000) * MS;
	cpu_on = begin + number_from("FAKE_CPU_MS", 1000000) * MS;
	if (getenv("FAKE_NEVER"))
		fake->read.count[1] = 0;
	if (getenv("FAKE_SHARE")) {
		fake->read.tsc = 4 << 20;
		fake->read.time[0] = 4 << 20;
		fake->read.time[1] = 1 << 20;
		fake->read.count[1] = 500;
		fake_equal_turns(&fake->read, 30);
	}
	return perfex_main(argc, argv);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter_ranges: test behaviour that depends on clock ticks and on the time that passes.
 *
 * - A thread without context switches counts through several ranges of the hardware counter, and so
 *   does system mode.
 * - Events that share counters take turns while the thread is in the kernel.
 * - A count that is exactly a multiple of the period causes a signal, and a count that is one below
 *   does not.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "follow.h"
#include "gain.h"

/* The count grows by half the range of a counter this number of times. */
#define HALVES 5

/*
 * This number of instructions takes several clock ticks. Under --icount an instruction takes a
 * nanosecond.
 */
#define TICKS 20000000

/*
 * This is a time in seconds. System mode reads each counter at least once in this time, which is
 * a minute and the latency of the kernel's timers.
 */
#define SYSTEM_PERIOD 65

/* Return the bit of a count that changes whenever the count passes half of the range. */
static unsigned int half_bit(void)
{
	return counter_bits_here() - 1;
}

static void gain_half(void)
{
	const int both = 1 << counter_here(0) | 1 << counter_here(1);

	if ((gain(LEAF_GAIN_MEGA, 1U << (half_bit() - 20)) & both) != both)
		errx(2, "this processor's counters do not gain");
}

/* Check how often the count has passed half of the range. */
static void check_halves(uint64_t count, const char *what)
{
	count >>= half_bit();
	check(count == HALVES, "%s: %llu halves of the range, want %u", what,
	      (unsigned long long)count, HALVES);
}

static void spin_for_ticks(void)
{
	for (volatile unsigned int i = 0; i < TICKS / 6; i++)
		;
}

static void gain_and_spin(void)
{
	for (int i = 0; i < HALVES; i++) {
		gain_half();
		spin_for_ticks();
	}
}

/* Test a thread that makes no system calls, while no other task needs its processor. */
static void test_thread(void)
{
	int fd = open_device();
	struct vpmc_read read;

	if (request(fd, VPMC_START, start_arg(FIRST, 0)))
		check(false, "start");
	gain_and_spin();
	read = read_scope(fd, VPMC_SCOPE_THREAD);
	check_halves(read.count[0], "a thread's first event");
	check_halves(read.count[1], "its second");
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_halves(read.count[0], "SELF");
}

static void test_system(void)
{
	struct vpmc_system_read read = { .size = sizeof(read),
					 .cpu = VPMC_ALL_CPUS };
	int fd = open_device(), i;

	if (request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)))
		check(false, "start of system mode");
	for (i = 0; i < HALVES; i++) {
		gain_half();
		sleep(SYSTEM_PERIOD);
	}
	if (request(fd, VPMC_SYSTEM_READ, &read))
		check(false, "read of system mode");
	check_halves(read.count[0], "system mode's first event");
	check_halves(read.count[1], "its second");
}

/* Return a start of three events. The first and the third share a counter. */
static struct vpmc_start *start_shared(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_MULTIPLEX);
	unsigned int i;

	start->nr_events = 3;
	start->event[2] = start->event[0];
	for (i = 0; i < 3; i++)
		start->event[i].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	return start;
}

/*
 * Test events that share a counter in a thread that makes long system calls. In each call the
 * kernel clears much memory, so that clock ticks come during the call.
 */
static void test_busy_in_kernel(void)
{
	static char buffer[1 << 20];
	int fd = open_device(), zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	struct vpmc_read counts;
	int i;

	if (request(fd, VPMC_START, start_shared()))
		check(false, "start of three events");
	for (i = 0; i < 64; i++)
		if (read(zero, buffer, sizeof(buffer)) != sizeof(buffer))
			err(2, "/dev/zero");
	counts = read_scope(fd, VPMC_SCOPE_THREAD);
	check(counts.time[0] + counts.time[2] == counts.tsc,
	      "the two that share a counter have it all the time: %llu + %llu want %llu",
	      counts.time[0], counts.time[2], counts.tsc);
	check(counts.time[1] == counts.tsc, "the third one too: %llu want %llu",
	      counts.time[1], counts.tsc);
	for (i = 0; i < 3; i += 2)
		check(counts.time[i] > counts.tsc / 3,
		      "event %d had the counter for %llu of %llu", i,
		      counts.time[i], counts.tsc);
}

static void ignore_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Return the count that the pending signal reports, or 0 if no signal is pending. */
static uint64_t take_signal(void)
{
	const struct timespec none = {};
	struct vpmc_siginfo message;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (sigtimedwait(&set, &info, &none) != SIGUSR1)
		return 0;
	memcpy(&message, &info.si_addr, sizeof(message));
	return (uint64_t)message.count[1] << 32 | message.count[0];
}

/*
 * Check the signal for a period. The period is the count at the read plus @more. The kernel
 * compares the count with the period at the read, and then at the stop, unless the counter
 * interrupts before.
 */
static void check_period(uint64_t more)
{
	struct vpmc_signal *arg = shared(sizeof(*arg));
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	struct script s = script_new();
	int fd = open_device();
	struct cost cost;
	uint64_t told;

	script_start(&s, fd, start_arg(FIRST, 0));
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_SIGNAL, P(arg));
	script_rounds(&s, 1000);
	cost = script_read(&s, fd, read);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	*arg = (struct vpmc_signal){
		.size = sizeof(*arg),
		.signo = SIGUSR1,
		.period = cost.instructions + more,
	};
	ignore_signals();
	script_run(&s);
	check_read(read, cost, 0, "what is read");
	told = take_signal();
	check(told == arg->period || (more && told == s.cost.instructions),
	      "counts of %llu and %llu, a period of %llu: told %llu",
	      (unsigned long long)cost.instructions,
	      (unsigned long long)s.cost.instructions,
	      (unsigned long long)arg->period, (unsigned long long)told);
}

static void test_multiple(void)
{
	check_period(0);
	check_period(1);
}

int main(void)
{
	run(test_thread);
	run(test_system);
	run(test_busy_in_kernel);
	run(test_multiple);
	return check_status();
}

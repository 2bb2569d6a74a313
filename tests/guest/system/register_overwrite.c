// SPDX-License-Identifier: GPL-2.0-only
/*
 * register_overwrite REGISTER...: test writes of another program to control registers of the
 * counters, through /dev/cpu/N/msr. Counts must end at the next tick, with a new generation and a
 * message in the kernel's log. After a new start they must be right. Writes of the driver itself
 * must not end counts. The test writes the register on all processors, and one of them notices the
 * write.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "follow.h"

enum {
	MOST_CPUS = 2,
	ROUNDS = 30,
	SPINS = 100000,
	PATIENCE_MS = 20000,
	TICKS_MS = 50
};

#define READ_ALL 3 /* a command of klogctl(2) */

/*
 * These are the register of Intel's off-core responses, an event that needs this register, and two
 * bits of this register.
 */
#define RESPONSE_REGISTER 0x1a6
#define RESPONSE_EVENT	  0x1b7
#define RESPONSE	  0x3

static int msr[MOST_CPUS];
static unsigned int cpus;
static uint32_t number;

static uint64_t held(void)
{
	uint64_t value;

	if (pread(msr[0], &value, sizeof(value), number) != sizeof(value))
		err(2, "register %#x", number);
	return value;
}

/*
 * Change a bit of the register on the first @processors processors. Returns the old value. The new
 * value selects another event or mode, or disables a counter. The Pentium 4 reserves bit 0.
 */
static uint64_t overwrite(unsigned int processors)
{
	const uint64_t bit = is_p4_here() ? 1 << 13 : 1;
	const uint64_t old = held(), other = old ^ bit;
	unsigned int i;

	for (i = 0; i < processors; i++)
		if (pwrite(msr[i], &other, sizeof(other), number) !=
		    sizeof(other))
			err(2, "register %#x", number);
	return old;
}

/* Return the number of messages in the log about writes of another program. */
static unsigned int alarms(void)
{
	static char log[1 << 18];
	const int size = klogctl(READ_ALL, log, sizeof(log) - 1);
	const char *at = log;
	unsigned int nr = 0;

	if (size < 0)
		err(2, "klogctl");
	log[size] = '\0';
	while ((at = strstr(at, "vpmc: another program has written"))) {
		nr++;
		at++;
	}
	return nr;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

static void spin(void)
{
	for (volatile int i = 0; i < SPINS; i++)
		;
}

static void spin_for_ticks(void)
{
	const long end = now_ms() + TICKS_MS;

	while (now_ms() < end)
		spin();
}

/* Run on each processor, so that no processor writes its registers for these events later. */
static void visit_processors(void)
{
	unsigned int i;

	for (i = cpus; i--;) {
		stay_on(i);
		spin();
	}
}

/*
 * Return a start on all general counters, and on the first fixed counter if there is one, so that
 * the register is in use.
 */
static struct vpmc_start *start_all(enum events events)
{
	struct vpmc_start *start = start_arg(events, 0);
	const unsigned int nr = start->nr_events;

	if (fixed_here())
		start->event[start->nr_events++] = (struct vpmc_event)EVENT(
			code_here(INSTRUCTIONS), (uint16_t)nr, VPMC_MODE_USER);
	if (number == RESPONSE_REGISTER) {
		start->event[1].code = RESPONSE_EVENT;
		start->event[1].extra = RESPONSE;
	}
	return start;
}

static void must(int result, const char *what)
{
	check(!result, "%s: errno %d", what, -result);
}

static struct vpmc_read read_when_ended(int fd)
{
	const long end = now_ms() + PATIENCE_MS;
	struct vpmc_read read;

	do {
		spin();
		read = read_scope(fd, VPMC_SCOPE_THREAD);
	} while (read.state == VPMC_STATE_RUNNING && now_ms() < end);
	return read;
}

/* Start. The driver refuses to start until it has written all registers again. */
static void must_start_again(int fd, struct vpmc_start *start)
{
	const long end = now_ms() + PATIENCE_MS;
	int result;

	do {
		result = request(fd, VPMC_START, start);
	} while (result == -EADDRINUSE && now_ms() < end);
	must(result, "another start");
}

/* Check that the count goes on for several ticks if no program writes to registers. */
static void check_goes_on(int fd, const struct vpmc_start *start)
{
	const struct vpmc_read before = read_scope(fd, VPMC_SCOPE_THREAD);
	struct vpmc_read after;

	spin_for_ticks();
	after = read_scope(fd, VPMC_SCOPE_THREAD);
	check(after.state == VPMC_STATE_RUNNING &&
		      after.generation == start->generation &&
		      after.count[0] - before.count[0] >= SPINS,
	      "it counts for some ticks: state %u, %llu", after.state,
	      after.count[0] - before.count[0]);
}

static void test_register(void)
{
	struct vpmc_start *start = start_all(FIRST);
	const unsigned int before = alarms();
	int fd = open_device();
	struct vpmc_read read;
	uint64_t old;

	must(request(fd, VPMC_START, start), "start");
	visit_processors();
	check_goes_on(fd, start);
	old = overwrite(cpus);
	read = read_when_ended(fd);
	check(read.state == VPMC_STATE_REVOKED &&
		      read.generation != start->generation,
	      "register %#x: state %u, and another generation", number,
	      read.state);
	check(alarms() == before + 1, "the log says so once: %u",
	      alarms() - before);
	must_start_again(fd, start);
	check(held() == old, "register %#x is as before: %#llx, %#llx", number,
	      (unsigned long long)held(), (unsigned long long)old);
	check_goes_on(fd, start);
	stay_on(cpus - 1);
	check_goes_on(fd, start);
	stay_on(0);
	must(request(fd, VPMC_STOP, stop_arg()), "stop");
	check(alarms() == before + 1, "nothing more in the log");
}

static void test_system(void)
{
	struct vpmc_system_read *read = system_read_arg(0);
	struct vpmc_start *start = start_all(FIRST);
	struct vpmc_stop *stop = stop_arg();
	const unsigned int before = alarms();
	int fd = open_device();

	must(request(fd, VPMC_SYSTEM_START, start), "start in system mode");
	must(request(fd, VPMC_SYSTEM_READ, read), "read");
	check(read->generation == start->generation, "it counts");
	overwrite(1);
	must(request(fd, VPMC_SYSTEM_READ, read), "another read");
	check(read->state == VPMC_STATE_STOPPED &&
		      read->generation != start->generation,
	      "state %u, and another generation", read->state);
	check(alarms() == before + 1, "the log says so once");
	must(request(fd, VPMC_SYSTEM_START, start), "start again");
	overwrite(1);
	must(request(fd, VPMC_SYSTEM_STOP, stop), "stop");
	check(stop->generation != start->generation,
	      "a stop has another generation, too");
	must(request(fd, VPMC_SYSTEM_START, start), "start again");
	spin_for_ticks();
	must(request(fd, VPMC_SYSTEM_READ, read), "read");
	check(read->generation == start->generation &&
		      read->state == VPMC_STATE_RUNNING,
	      "nothing else ends it");
	must(request(fd, VPMC_SYSTEM_STOP, stop), "stop");
}

/*
 * Let the driver write the register: start, stop, let clock ticks come, and switch between tasks
 * with other events and without events.
 */
static void round_of_use(int fd, unsigned int i)
{
	struct vpmc_start *start = start_all(i % 2 ? OTHER : FIRST);
	pid_t pid;
	int status;

	if (i % 3 == 0)
		start->nr_events = 1;
	if (request(fd, VPMC_START, start))
		check(false, "start in round %u", i);
	pid = child_fork();
	if (!pid) {
		spin_for_ticks();
		if (i % 2)
			spin_for_ticks();
		_exit(0);
	}
	if (i % 4 == 0)
		spin_for_ticks();
	if (i % 5 == 0 && request(fd, VPMC_STOP, stop_arg()))
		check(false, "stop in round %u", i);
	waitpid(pid, &status, 0);
	if (i % 5 && request(fd, VPMC_STOP, stop_arg()))
		check(false, "stop in round %u", i);
	if (read_scope(fd, VPMC_SCOPE_THREAD).generation != start->generation)
		check(false, "generation in round %u", i);
}

static void test_use(void)
{
	const unsigned int before = alarms();
	int fd = open_device();
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		round_of_use(fd, i);
	check(alarms() == before, "the driver itself alarms nobody");
}

static void open_registers(void)
{
	char name[sizeof("/dev/cpu/0/msr")];

	for (cpus = 0; cpus < (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	     cpus++) {
		snprintf(name, sizeof(name), "/dev/cpu/%u/msr", cpus % 10);
		msr[cpus] = open(name, O_RDWR | O_CLOEXEC);
		if (msr[cpus] < 0)
			err(2, "%s", name);
	}
}

int main(int argc, char **argv)
{
	int i;

	open_registers();
	stay_on(0);
	for (i = 1; i < argc; i++) {
		number = (uint32_t)strtoul(argv[i], NULL, 0);
		run(test_register);
	}
	run(test_system);
	run(test_use);
	return check_status();
}

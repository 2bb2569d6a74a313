// SPDX-License-Identifier: GPL-2.0-only
/*
 * signal_sleep: test a signal that is due when its thread falls asleep. The signal must wake up the
 * thread. Test this with different tasks that run next on the processor, and with a process that
 * stops the thread at that moment.
 *
 * The thread counts beyond a multiple of the period and then waits for the signal. If the thread
 * waits longer than LONGEST, the signal is lost.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "delayed.h"

#define SIGNAL	(SIGRTMIN + 1)
#define PERIOD	1000
#define SIGNALS 100
#define STOPS	200

/* This is a time in seconds that is longer than any operation of this test. */
#define LONGEST 10

static int fd;

static void prepare(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = (unsigned int)SIGNAL,
				   .period = PERIOD };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = open_device();
	must_start(fd, FIRST, 0);
	if (request(fd, VPMC_SIGNAL, &arg))
		check(false, "VPMC_SIGNAL");
}

/* Execute at least @n instructions. */
static __attribute__((noinline)) void execute(unsigned int n)
{
	while (n--)
		__asm__ volatile("");
}

/* Wait for the signal. Repeat the call if it fails with EINTR, which the interface allows. */
static bool gets_signal(void)
{
	static const struct timespec longest = { .tv_sec = LONGEST };
	sigset_t set;
	int result;

	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	do {
		result = sigtimedwait(&set, NULL, &longest);
	} while (result < 0 && errno == EINTR);
	return result == SIGNAL;
}

static void map(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };

	request(open_device(), VPMC_MAP, &arg);
}

/* These are the kinds of other tasks on the processor. */
enum partner {
	NOBODY_ELSE,
	PLAIN,
	MAPPED,
	MAPPED_COUNTS,
	MAPPED_STOPPED,
	THREAD,
};

static const char *const partners[] = {
	[NOBODY_ELSE] = "nobody",
	[PLAIN] = "a process that does not count",
	[MAPPED] = "one that has a page",
	[MAPPED_COUNTS] = "one that has a page and counts",
	[MAPPED_STOPPED] = "one that has a page and has stopped",
	[THREAD] = "another thread, which has a page,",
};

#define NR_PARTNERS (sizeof(partners) / sizeof(partners[0]))

/* Be a partner, which yields all the time. */
static _Noreturn void be_partner(enum partner partner, const struct gate *ready)
{
	int own;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (partner >= MAPPED)
		map();
	if (partner == MAPPED_COUNTS || partner == MAPPED_STOPPED) {
		own = open_device();
		must_start(own, OTHER, 0);
		if (partner == MAPPED_STOPPED)
			must_stop(own);
	}
	gate_open(ready);
	for (;;)
		sched_yield();
}

static void *partner_thread(void *ready)
{
	be_partner(THREAD, ready);
}

/* Create the partner. Returns its process ID, or 0 if it is a thread. */
static pid_t partner_create(enum partner partner, struct gate *ready)
{
	pthread_t id;
	pid_t pid;

	if (partner == THREAD) {
		if (pthread_create(&id, NULL, partner_thread, ready))
			errx(2, "no thread");
		return 0;
	}
	pid = child_fork();
	if (!pid)
		be_partner(partner, ready);
	return pid;
}

static pid_t partner_new(enum partner partner)
{
	struct gate ready = gate_new();
	pid_t pid;

	if (partner == NOBODY_ELSE)
		return 0;
	pid = partner_create(partner, &ready);
	gate_wait(&ready);
	return pid;
}

static void partner_end(pid_t pid)
{
	if (!pid)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static enum partner partner;
static bool mapped;

/* Test a thread that sleeps again and again. The test ends at the first missing signal. */
static void test_sleep(void)
{
	unsigned int i;
	pid_t pid;

	stay_on(0);
	pid = partner_new(partner);
	if (mapped)
		map();
	prepare();
	for (i = 0; i < SIGNALS; i++) {
		execute(PERIOD);
		if (!gets_signal())
			break;
	}
	check(i == SIGNALS, "%s is next%s: %u of %u signals came",
	      partners[partner], mapped ? ", the thread has a page" : "", i,
	      SIGNALS);
	partner_end(pid);
}

/*
 * Make a request for the second event, which has no signals. In this call the driver tries to send
 * a due signal of the first event.
 */
static void tell(void)
{
	struct vpmc_signal arg = { .size = sizeof(arg), .event = 1 };

	if (request(fd, VPMC_SIGNAL, &arg))
		check(false, "VPMC_SIGNAL of the second event");
}

static void set_limit(rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_SIGPENDING, &limit))
		err(2, "getrlimit");
	limit.rlim_cur = most;
	if (setrlimit(RLIMIT_SIGPENDING, &limit))
		err(2, "setrlimit");
}

/* Return whether the signal has been sent. */
static bool is_pending(void)
{
	sigset_t set;

	return !sigpending(&set) && sigismember(&set, SIGNAL);
}

/* Take the pending signals that clock ticks have caused. */
static void drop_signals(void)
{
	static const struct timespec now;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGNAL);
	while (sigtimedwait(&set, NULL, &now) == SIGNAL || errno == EINTR)
		;
}

/*
 * Test a signal that was refused because too many signals were pending. After that, the next signal
 * must wake up the thread.
 */
static void test_refused(void)
{
	const rlim_t many = 100;
	unsigned int i;

	prepare();
	for (i = 0; i < SIGNALS; i++) {
		set_limit(0);
		drop_signals();
		execute(PERIOD);
		tell();
		if (is_pending())
			break;
		set_limit(many);
		tell();
		if (!gets_signal())
			break;
		execute(PERIOD);
		if (!gets_signal())
			break;
	}
	check(i == SIGNALS,
	      "after one was refused: %u of %u signals came, and the next", i,
	      SIGNALS);
}

/* The thread is held at this function, before it begins to wait. */
#ifdef __x86_64__
#define BEFORE_SLEEP SYSTEM_CALL("rt_sigtimedwait")
#else
#define BEFORE_SLEEP SYSTEM_CALL("rt_sigtimedwait_time32")
#endif

/* Test a thread that another process stops before the thread begins to wait. */
static void test_stopped(void)
{
	pid_t pid;
	int status, holder;

	delay_at(BEFORE_SLEEP);
	pid = child_fork();
	if (!pid) {
		prepare();
		execute(PERIOD);
		prctl(PR_SET_NAME, "delayed");
		status = !gets_signal();
		prctl(PR_SET_NAME, "done");
		_exit(status);
	}
	until_delayed();
	holder = hold(pid, 0);
	must_stop(holder);
	delay_end();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	check(!status, "stopped before it sleeps: the signal comes");
}

/**
 * struct race - a thread that falls asleep, and a process that stops it at the same time
 * @round: the number of times that the thread has begun to fall asleep
 * @stopped: the number of times that it has been stopped
 */
struct race {
	volatile unsigned int round, stopped;
};

/* Stop the thread in each round, a little later each time. */
static _Noreturn void be_stopper(struct race *race, pid_t target)
{
	unsigned int round;
	int holder;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	holder = hold(target, 0);
	race->stopped = 0;
	for (round = 1;; round++) {
		while (race->round != round)
			;
		execute(round % 200 * 10);
		must_stop(holder);
		race->stopped = round;
	}
}

static void test_stopper(void)
{
	struct race *race = shared(sizeof(*race));
	pid_t self = getpid(), pid;
	unsigned int i;

	race->round = 0;
	race->stopped = 1;
	stay_on(0);
	pid = fork();
	if (!pid)
		be_stopper(race, self);
	prepare();
	while (race->stopped)
		usleep(1000);
	for (i = 0; i < STOPS; i++) {
		execute(PERIOD);
		race->round = i + 1;
		if (!gets_signal())
			break;
		while (race->stopped != i + 1)
			;
		must_start(fd, FIRST, VPMC_START_RESUME);
	}
	check(i == STOPS, "stopped on its way to sleep: %u of %u signals came",
	      i, STOPS);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	for (partner = 0; partner < NR_PARTNERS; partner++) {
		mapped = false;
		run(test_sleep);
		mapped = true;
		run(test_sleep);
	}
	run(test_refused);
	run(test_stopped);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		run(test_stopper);
	return check_status();
}

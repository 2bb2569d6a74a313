// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals: test that a thread that requests signals gets one whenever its count of an event has
 * reached or passed a multiple of the period. No signal may be lost, come twice, or come after the
 * stop has returned. Each signal must contain the count.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "follow.h"

#define NOBODY 65534

/* This is a time in nanoseconds, which is several clock ticks. */
#define A_WHILE 40000000

/* This is a period that no count reaches. */
#define NEVER (UINT64_C(1) << 40)

static int fd;
static uint64_t identity;

/*
 * struct told - a summary of the signals for an event
 * @signo, @thread, @period: signal number, thread and period of the request
 * @signals: number of signals
 * @repeated: number of signals for the same multiple as an earlier signal
 * @wrong: number of signals with another number, code, start or thread
 * @count: count of the last signal
 */
static volatile struct told {
	int signo;
	pid_t thread;
	uint64_t period;
	unsigned int signals, repeated, wrong;
	uint64_t count;
} told[2];

static uint64_t both(const __u32 half[2])
{
	return (uint64_t)half[1] << 32 | half[0];
}

static struct vpmc_siginfo message(const siginfo_t *info)
{
	struct vpmc_siginfo message;

	memcpy(&message, &info->si_addr, sizeof(message));
	return message;
}

static void note(int signo, siginfo_t *info, void *context)
{
	struct vpmc_siginfo m = message(info);
	volatile struct told *t = &told[m.event & 1];
	uint64_t count = both(m.count);

	(void)context;
	if (m.event > 1 || signo != t->signo || info->si_signo != signo ||
	    info->si_code != VPMC_SI_CODE || both(m.start) != identity ||
	    syscall(SYS_gettid) != t->thread)
		t->wrong++;
	if (count / t->period <= t->count / t->period)
		t->repeated++;
	t->signals++;
	t->count = count;
}

static void handle(int signo)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = note;
	if (sigaction(signo, &action, NULL))
		err(2, "sigaction");
}

static void block(int how, int signo)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(how, &set, NULL);
}

static int ask(unsigned int event, int signo, uint64_t period)
{
	struct vpmc_signal arg = {
		.size = sizeof(arg),
		.event = event,
		.signo = (unsigned int)signo,
		.period = period,
	};
	int result = request(fd, VPMC_SIGNAL, &arg);

	if (!result && arg.start != identity)
		check(false, "VPMC_SIGNAL returns the identity of the start");
	return result;
}

/* Request signals of an event for the calling thread, and begin to note them. */
static void want(unsigned int event, int signo, uint64_t period)
{
	told[event] = (struct told){
		.signo = signo,
		.thread = (pid_t)syscall(SYS_gettid),
		.period = period,
	};
	handle(signo);
	if (ask(event, signo, period))
		check(false, "VPMC_SIGNAL");
}

static void start(unsigned int flags)
{
	struct vpmc_start *arg = start_arg(FIRST, flags);
	int result = request(fd, VPMC_START, arg);

	if (result)
		check(false, "start: errno %d", -result);
	identity = arg->start;
}

static void stop(void)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };

	if (request(fd, VPMC_STOP, &arg))
		check(false, "stop");
}

static struct vpmc_read counts(void)
{
	return read_scope(fd, VPMC_SCOPE_THREAD);
}

static void spin(void)
{
	struct timespec from, now;

	clock_gettime(CLOCK_MONOTONIC, &from);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - from.tv_sec) * 1000000000LL + now.tv_nsec -
			 from.tv_nsec <
		 A_WHILE);
}

static __attribute__((noinline)) void rounds(unsigned int n)
{
	while (n--)
		__asm__ volatile("");
}

/* Check the noted signals of an event. @count is a count that the driver has just read. */
static void check_told(unsigned int event, uint64_t count, const char *when)
{
	struct told t = told[event];

	check(!t.repeated && !t.wrong && t.count / t.period == count / t.period,
	      "%s, period %llu: told of %llu, count %llu; %u repeated, %u wrong",
	      when, (unsigned long long)t.period, (unsigned long long)t.count,
	      (unsigned long long)count, t.repeated, t.wrong);
}

static void check_silence(const char *when)
{
	unsigned int before[] = { told[0].signals, told[1].signals };

	spin();
	check(told[0].signals == before[0] && told[1].signals == before[1],
	      "%s: no signal", when);
}

/* These two processes compete for the processors. */
static pid_t competitors[2];

static void compete(void)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		competitors[i] = fork();
		if (!competitors[i])
			for (;;)
				rounds(1000);
	}
}

static void relax(void)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		kill(competitors[i], SIGKILL);
		waitpid(competitors[i], NULL, 0);
	}
}

static void hop(void)
{
	static unsigned int processor;

	processor ^= 1;
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		stay_on(processor);
}

/*
 * Count with signals. The driver notices multiples at ticks and switches, and the last one at the
 * stop.
 */
static void run_with(uint64_t period)
{
	struct vpmc_read read;

	start(0);
	want(0, SIGUSR1, period);
	want(1, SIGRTMIN + 3, period + 1);
	while (told[0].signals < 20 || told[1].signals < 20) {
		rounds(10000);
		hop();
	}
	stop();
	read = counts();
	check_told(0, read.count[0], "instructions");
	check_told(1, read.count[1], "branches");
	check_silence("after the stop");
}

static void test_run(void)
{
	static const unsigned int periods[] = { 1, 2, 777, 65536, 1000003 };
	size_t i;

	compete();
	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++)
		run_with(periods[i]);
	relax();
}

/* Test that a read sends the signal for its count before it returns. */
static void test_read(void)
{
	unsigned int i, late = 0;

	start(0);
	want(0, SIGUSR1, 1000);
	for (i = 0; i < 2000; i++) {
		rounds(i);
		late += counts().count[0] / 1000 > told[0].count / 1000;
	}
	check(!late, "a read is told before it returns: %u late", late);
	stop();
	check_told(0, counts().count[0], "reads");
}

/*
 * A leg is a part of the count, from a resume to a stop: resume, execute @n rounds, and stop. For
 * the same @n this executes the same number of instructions. Returns the number of signals that
 * came before the stop returned.
 */
static __attribute__((noinline)) unsigned int leg(struct vpmc_start *resume,
						  unsigned int n)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };

	request(fd, VPMC_START, resume);
	rounds(n);
	request(fd, VPMC_STOP, &arg);
	return told[0].signals + told[1].signals;
}

/*
 * Execute a leg at whose end the count is @more below a multiple of the period. Signals must come
 * only if @more is 0.
 */
static void leg_to(struct vpmc_start *resume, unsigned int n, unsigned int more)
{
	struct vpmc_read first, second, third;
	unsigned int signals;

	leg(resume, n);
	first = counts();
	leg(resume, n);
	second = counts();
	want(0, SIGUSR1, 2 * second.count[0] - first.count[0] + more);
	want(1, SIGUSR2, 2 * second.count[1] - first.count[1] + more);
	signals = leg(resume, n);
	third = counts();
	if (third.count[0] + more != told[0].period)
		check(false, "the leg's length changes");
	check(more ? !signals
		   : signals == 2 && told[0].count == third.count[0] &&
			      told[1].count == third.count[1] &&
			      !(told[0].wrong + told[1].wrong),
	      "%u rounds, %u short of a multiple at the stop: %u signals", n,
	      more, signals);
}

/*
 * Test multiples that the last instruction before the stop reaches, and multiples that it just
 * misses.
 */
static void test_last_instruction(void)
{
	struct vpmc_start *resume = start_arg(FIRST, VPMC_START_RESUME);
	unsigned int n;

	start(0);
	stop();
	for (n = 1; n < 40000; n = n * 3 + 1) {
		leg_to(resume, n, 0);
		leg_to(resume, n, 1);
	}
}

static void test_never(void)
{
	static const uint64_t periods[] = { NEVER, NEVER - 1, NEVER + 1,
					    UINT64_C(1) << 63, UINT64_MAX };
	size_t i;

	start(0);
	for (i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		want(0, SIGUSR1, periods[i]);
		want(1, SIGUSR1, periods[i]);
		check_silence("a period that is not reached");
	}
}

/*
 * Take and return the pending signal, like sigwaitinfo(2). If no signal is pending, si_signo is 0.
 */
static siginfo_t take(int signo)
{
	struct timespec none = { 0 };
	siginfo_t info = { 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signo);
	if (sigtimedwait(&set, &info, &none) != signo)
		info.si_signo = 0;
	return info;
}

static void until_passed(unsigned int multiples)
{
	uint64_t from = counts().count[0];

	while (counts().count[0] / told[0].period <
	       from / told[0].period + multiples)
		rounds(1000);
}

static void check_taken(int signo, uint64_t count, const char *what)
{
	siginfo_t info = take(signo);
	struct vpmc_siginfo m = message(&info);

	check(info.si_signo == signo && info.si_code == VPMC_SI_CODE &&
		      !m.event && both(m.start) == identity &&
		      both(m.count) <= count &&
		      both(m.count) / told[0].period == count / told[0].period,
	      "%s: signal %d code %d says %llu, count %llu", what,
	      info.si_signo, info.si_code, (unsigned long long)both(m.count),
	      (unsigned long long)count);
	check(!take(signo).si_signo, "%s: only one", what);
}

/* Test a blocked signal. While it is pending, the driver keeps its count up to date. */
static void blocked(int signo)
{
	struct told t;

	start(0);
	block(SIG_BLOCK, signo);
	want(0, signo, 5000);
	until_passed(5);
	stop();
	check_taken(signo, counts().count[0], "blocked");
	check_silence("once it was taken");

	start(VPMC_START_RESUME);
	until_passed(5);
	block(SIG_UNBLOCK, signo);
	t = told[0];
	check(t.signals >= 1 && t.count >= 10 * t.period,
	      "unblocked: %u signals, of %llu", t.signals,
	      (unsigned long long)t.count);
	until_passed(5);
	stop();
	check_told(0, counts().count[0], "after a blocked one");
}

static void test_blocked(void)
{
	blocked(SIGUSR1);
	blocked(SIGRTMIN + 1);
}

/*
 * Test two events with the same signal number. Both signals come, and have the number of their
 * event.
 */
static void test_same_signal(void)
{
	unsigned int seen = 0, i;

	start(0);
	block(SIG_BLOCK, SIGRTMIN);
	want(0, SIGRTMIN, 1000);
	want(1, SIGRTMIN, 1000);
	rounds(100000);
	stop();
	for (i = 0; i < 2; i++) {
		siginfo_t info = take(SIGRTMIN);
		struct vpmc_siginfo m = message(&info);

		if (info.si_signo && m.event < 2 &&
		    both(m.count) / 1000 == counts().count[m.event] / 1000)
			seen |= 1U << m.event;
	}
	check(seen == 3 && !take(SIGRTMIN).si_signo, "one for each event");
}

/* Check that the thread can sleep although a signal cannot be sent now. */
static void check_sleep(void)
{
	struct rusage before, after;

	getrusage(RUSAGE_SELF, &before);
	usleep(20000);
	getrusage(RUSAGE_SELF, &after);
	check(after.ru_nvcsw - before.ru_nvcsw < 5,
	      "a thread with an untold signal sleeps");
}

/*
 * Test a foreign pending signal of the same number. The driver's signal comes after the foreign one
 * has been taken, even if the count has not passed another multiple.
 */
static void test_foreign(void)
{
	siginfo_t info;

	start(0);
	block(SIG_BLOCK, SIGUSR1);
	raise(SIGUSR1);
	want(0, SIGUSR1, 1000000);
	until_passed(1);
	check_sleep();
	info = take(SIGUSR1);
	check(info.si_signo && info.si_code != VPMC_SI_CODE, "the other one");
	counts();
	stop();
	check_taken(SIGUSR1, counts().count[0], "ours");
}

/* Test a signal beyond the limit of pending signals. It must come later. */
static void test_limit(void)
{
	struct rlimit limit, none;

	getrlimit(RLIMIT_SIGPENDING, &limit);
	none = limit;
	none.rlim_cur = 0;
	start(0);
	setrlimit(RLIMIT_SIGPENDING, &none);
	want(0, SIGRTMIN + 2, 1000000);
	until_passed(1);
	check_sleep();
	check(!told[0].signals, "no signal beyond the limit");
	setrlimit(RLIMIT_SIGPENDING, &limit);
	counts();
	stop();
	check_told(0, counts().count[0], "with room again");
	check(told[0].signals, "the signal comes");
}

/* Pass a multiple that the driver will probably notice only at the next context switch. */
static void pass_one(unsigned int i)
{
	start(0);
	want(0, SIGUSR1, 3000);
	rounds(2000 + i);
}

/* Test that sigsuspend(2) returns when a signal is due. */
static void test_sigsuspend(void)
{
	unsigned int i;
	sigset_t set;

	alarm(60);
	block(SIG_BLOCK, SIGUSR1);
	sigemptyset(&set);
	for (i = 0; i < 100; i++) {
		pass_one(i);
		while (!told[0].signals)
			sigsuspend(&set);
		stop();
		take(SIGUSR1);
	}
	check(told[0].signals, "sigsuspend ends");
}

static void test_sigwaitinfo(void)
{
	unsigned int i, wrong = 0;
	siginfo_t info;
	sigset_t set;

	alarm(60);
	block(SIG_BLOCK, SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	for (i = 0; i < 100; i++) {
		pass_one(i);
		while (sigwaitinfo(&set, &info) < 0 && errno == EINTR)
			;
		stop();
		take(SIGUSR1);
		wrong += info.si_code != VPMC_SI_CODE || message(&info).event ||
			 both(message(&info).count) < told[0].period;
	}
	check(!wrong, "sigwaitinfo returns what is due: %u wrong", wrong);
}

/* Test signalfd(2), whose message contains only the event and the count, reduced to 32 bits. */
static void test_signalfd(void)
{
	struct signalfd_siginfo info = { 0 };
	struct pollfd fds = { .events = POLLIN };
	unsigned int i, wrong = 0;
	sigset_t set;

	alarm(60);
	block(SIG_BLOCK, SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	fds.fd = signalfd(-1, &set, 0);
	for (i = 0; i < 100; i++) {
		pass_one(i);
		while (poll(&fds, 1, -1) < 0 && errno == EINTR)
			;
		stop();
		if (read(fds.fd, &info, sizeof(info)) != sizeof(info))
			err(2, "signalfd");
		take(SIGUSR1);
		wrong += info.ssi_code != VPMC_SI_CODE || info.ssi_pid ||
			 info.ssi_uid < told[0].period;
	}
	check(!wrong, "signalfd shows event and count: %u wrong", wrong);
}

static int end_of(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			err(2, "wait");
	return status;
}

static void test_child(void)
{
	pid_t pid;

	start(0);
	want(0, SIGUSR1, 10000);
	pid = fork();
	if (!pid) {
		fd = open_device();
		signal(SIGUSR1, SIG_DFL);
		spin();
		_exit(!counts().count[0]);
	}
	check(!end_of(pid), "a child counts and has no signal");
}

static uint64_t thread_counted;
static struct told of_thread;

static void *thread(void *unused)
{
	spin();
	of_thread = told[0];
	thread_counted = counts().count[0];
	want(0, SIGUSR2, 1000);
	until_passed(10);
	stop();
	check_told(0, counts().count[0], "the thread's own");
	return unused;
}

/* Test a new thread, which does not get signals before it requests them itself. */
static void test_thread(void)
{
	pthread_t id;

	start(0);
	want(0, SIGUSR1, 10000);
	until_passed(3);
	if (pthread_create(&id, NULL, thread, NULL) || pthread_join(id, NULL))
		err(2, "thread");
	check(thread_counted && of_thread.signals && !of_thread.wrong,
	      "a thread counts and has no signal");
	check(told[0].signals, "until it asks itself");
}

/* Execute a program in a child after a request for signals. A signal would kill the program. */
static void execute(const char *path, uid_t user)
{
	pid_t pid = fork();

	if (!pid) {
		if (setgid(user) || setuid(user))
			err(2, "setuid");
		fd = open_device();
		start(0);
		want(0, SIGUSR1, 1);
		want(1, SIGRTMIN, 1);
		execl(path, path, (char *)NULL);
		err(2, "%s", path);
	}
	check(!end_of(pid), "%s, executed as %d, survives", path, (int)user);
}

static void test_exec(void)
{
	unsigned int i;

	if (chmod("exactly-10000000", 04755))
		err(2, "chmod");
	for (i = 0; i < 5; i++) {
		execute("./exactly-10000000", 0);
		execute("./exactly-10000000", NOBODY);
	}
}

static void test_restart(void)
{
	start(0);
	want(0, SIGUSR1, 1);
	want(1, SIGUSR2, 1);
	spin();
	stop();
	start(0);
	check_silence("after a start from zero");
	want(1, SIGUSR2, 100);
	spin();
	stop();
	check_told(1, counts().count[1], "asked for again");
}

/* Test that signals continue after a resume. */
static void test_resume(void)
{
	start(0);
	want(0, SIGUSR1, 5000);
	until_passed(3);
	stop();
	start(VPMC_START_RESUME);
	until_passed(3);
	stop();
	check_told(0, counts().count[0], "resumed");
	check(told[0].signals > 3, "signals go on after a resume");
}

static void test_system_mode(void)
{
	int system = open_device();

	start(0);
	want(0, SIGUSR1, 1);
	check(!request(system, VPMC_SYSTEM_START,
		       start_arg(FIRST, VPMC_START_FORCE)),
	      "system mode");
	check_silence("in system mode");
	check(ask(0, SIGUSR1, 1) == -ENODATA,
	      "no signals for counts that were taken away");
	check(!request(system, VPMC_SYSTEM_STOP, stop_arg()), "its end");
	check_silence("after system mode");
	start(0);
	check_silence("started again");
}

/* Test that multiples that were passed before the request do not cause signals. */
static void test_asked_late(void)
{
	start(0);
	rounds(3000);
	want(0, SIGUSR1, 5000);
	stop();
	check(counts().count[0] > 5000 && counts().count[0] < 10000 &&
		      !told[0].signals,
	      "asked at %llu, no signal", counts().count[0]);
}

static void test_change(void)
{
	start(0);
	want(0, SIGUSR1, 1);
	spin();
	check(!ask(0, 0, 0), "signal 0: none any more");
	check_silence("asked for none");
	want(0, SIGUSR2, 5000);
	until_passed(3);
	check(!ask(0, SIGUSR2, NEVER), "another period");
	check_silence("replaced by one that never comes");
	want(0, SIGUSR1, 7000);
	until_passed(3);
	stop();
	check_told(0, counts().count[0], "another signal, another period");
}

/* Test SIGKILL. A process may request it for itself. */
static void test_kill(void)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		start(0);
		ask(0, SIGKILL, 100000);
		for (;;)
			rounds(1000);
	}
	status = end_of(pid);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	      "SIGKILL ends the process");
}

/* Test a request through the handle of another process, which is refused. */
static void test_other_process(void)
{
	pid_t pid;

	start(0);
	pid = fork();
	if (!pid)
		_exit(ask(0, SIGUSR1, 1) != -EXDEV);
	check(!end_of(pid), "another process's handle: EXDEV");
}

static void test_refusals(void)
{
	struct vpmc_signal arg = {
		.size = sizeof(arg), .flags = 1, .signo = 1, .period = 1
	};

	check(ask(0, SIGUSR1, 1) == -ENODATA, "never started: ENODATA");
	check(ask(0, 0, 0) == -ENODATA, "nor is there a signal to end");
	start(0);
	want(0, SIGUSR1, 5000);
	check(ask(counters_here(), SIGUSR2, 1) == -EINVAL, "no such event");
	check(ask(UINT32_MAX, SIGUSR2, 1) == -EINVAL, "no such event");
	check(ask(0, 65, 1) == -EINVAL, "no such signal");
	check(ask(0, -1, 1) == -EINVAL, "no such signal");
	check(ask(0, SIGUSR2, 0) == -EINVAL, "period 0");
	check(request(fd, VPMC_SIGNAL, &arg) == -EINVAL, "flags");
	arg.flags = 0;
	arg.size--;
	check(request(fd, VPMC_SIGNAL, &arg) == -EINVAL, "too short");
	check(request(fd, VPMC_SIGNAL, NULL) == -EFAULT, "no structure");
	until_passed(3);
	stop();
	check_told(0, counts().count[0], "refusals change nothing");
	check(!ask(0, 64, 1) && !ask(1, 1, UINT64_MAX), "the last signal");
}

/* Test a request through an unbound handle, which stands for the calling process. */
static void test_unbound(void)
{
	start(0);
	close(fd);
	fd = open_device();
	want(0, SIGUSR1, 5000);
	until_passed(3);
	stop();
	check_told(0, counts().count[0], "by an unbound handle");
}

static void (*const tests[])(void) = {
	test_run,	  test_read,	    test_last_instruction,
	test_never,	  test_blocked,	    test_same_signal,
	test_foreign,	  test_limit,	    test_sigsuspend,
	test_sigwaitinfo, test_signalfd,    test_child,
	test_thread,	  test_exec,	    test_restart,
	test_resume,	  test_system_mode, test_asked_late,
	test_change,	  test_kill,	    test_other_process,
	test_refusals,	  test_unbound,
};

int main(void)
{
	size_t i;

	fd = open_device();
	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		run(tests[i]);
		/* The handle is bound to the process that has exited, so open a new handle. */
		close(fd);
		fd = open_device();
	}
	return check_status();
}

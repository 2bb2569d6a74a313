// SPDX-License-Identifier: GPL-2.0-only
/*
 * irix_proc: test the operations that IRIX has for its counters in /proc and in syssgi(2). Each
 * uses the call of libvpmc that docs/history/irix.md names for the operation. In the terms of
 * IRIX, PIOCENEVCTRS acquires the counters, PIOCRELEVCTRS releases them, and a generation shows
 * whether the counts still belong to this acquisition.
 *
 * irix_proc profile: test the calls that fill histograms, on a processor whose counters
 * interrupt.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "../../guest/lib/check.h"
#include "irix_loop.h"

#define NOBODY 65534
/* A process executes fewer instructions than this outside of its loop. */
#define WIDE   9000

static const struct vpmc_event_sel events[] = {
	{ .code = 0x16, .counter = VPMC_ANY_COUNTER, .modes = VPMC_USER },
	{ .code = 0x12, .counter = VPMC_ANY_COUNTER, .modes = VPMC_USER },
};

static const struct vpmc_event_sel others[] = {
	{ .code = 0x00, .counter = VPMC_ANY_COUNTER, .modes = VPMC_USER },
};

static const struct vpmc_event_sel in_kernel[] = {
	{ .code = 0x16,
	  .counter = VPMC_ANY_COUNTER,
	  .modes = VPMC_USER | VPMC_KERNEL },
};

static const struct vpmc_event_sel unknown[] = {
	{ .code = 0x3f, .counter = VPMC_ANY_COUNTER, .modes = VPMC_USER },
};

static struct vpmc *open_handle(void)
{
	struct vpmc_error err;
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &err)) {
		check(false, "%s", err.text);
		exit(EXIT_FAILURE);
	}
	return vpmc;
}

static uint64_t read_first(struct vpmc *vpmc, enum vpmc_whose whose)
{
	struct vpmc_counts counts = { .nr = 0 };

	vpmc_read(vpmc, whose, &counts, NULL);
	return counts.nr ? counts.count[0] : 0;
}

/* Count in the steps of IRIX's sample: acquire, run, read, compare generations, release. */
static void sample(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_counts counts;
	uint64_t generation;

	check(!vpmc_start(vpmc, events, 2, 0, NULL), "PIOCENEVCTRS");
	generation = vpmc_generation(vpmc);
	check(generation > 0, "gives a positive generation");
	loop(50000);
	check(!vpmc_read(vpmc, VPMC_SELF, &counts, NULL), "PIOCGETEVCTRS");
	check(counts.generation == generation, "the same generation");
	check(counts.count[0] >= 100000 && counts.count[0] < 100000 + WIDE &&
		      counts.count[1] >= 50000 &&
		      counts.count[1] < 50000 + WIDE,
	      "%llu instructions, %llu branches",
	      (unsigned long long)counts.count[0],
	      (unsigned long long)counts.count[1]);
	check(!vpmc_stop(vpmc, NULL), "PIOCRELEVCTRS");
	counts.count[0] = read_first(vpmc, VPMC_SELF);
	loop(50000);
	check(read_first(vpmc, VPMC_SELF) == counts.count[0],
	      "released counters can be read, and count no more");
	vpmc_close(vpmc);
}

static void with_usage(void)
{
	struct vpmc *vpmc = open_handle();
	struct rusage usage;

	vpmc_start(vpmc, events, 2, VPMC_FORCE, NULL);
	loop(1000);
	check(read_first(vpmc, VPMC_SELF) >= 2000 &&
		      !getrusage(RUSAGE_SELF, &usage),
	      "PIOCGETPREVCTRS: the counts, and getrusage(2)");
	vpmc_close(vpmc);
}

static void control(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc *early = open_handle();
	struct vpmc_counts counts;
	struct vpmc_event_set set;
	struct vpmc_error err;
	uint64_t generation;

	vpmc_start(vpmc, events, 2, VPMC_FORCE, NULL);
	generation = vpmc_generation(vpmc);
	check(!vpmc_events(vpmc, VPMC_SELF, &set, NULL) && set.nr == 2 &&
		      set.sel[0].code == 0x16 &&
		      set.sel[0].modes == VPMC_USER && set.sel[1].code == 0x12,
	      "PIOCGETEVCTRL");
	check(set.generation == generation, "with the generation");
	vpmc_expect(early, generation);
	check(!vpmc_start(vpmc, others, 1, VPMC_FORCE, NULL), "PIOCSETEVCTRL");
	check(vpmc_generation(vpmc) > generation, "increments the generation");
	check(vpmc_read(early, VPMC_SELF, &counts, &err) == VPMC_E_GENERATION,
	      "which whoever expects the earlier one is told");
	check(vpmc_start(vpmc, events, 2, 0, &err) == VPMC_E_BUSY,
	      "not without VPMC_FORCE");
	vpmc_stop(vpmc, NULL);
	vpmc_close(early);
	vpmc_close(vpmc);
}

static void refused(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_error err;
	pid_t pid;
	int status;

	check(vpmc_start(vpmc, unknown, 1, VPMC_FORCE, &err) ==
		      VPMC_E_UNKNOWN_EVENT,
	      "EINVAL: events specified improperly");
	vpmc_start(vpmc, events, 2, VPMC_FORCE, NULL);
	check(vpmc_signal(vpmc, 0, 0, SIGUSR1, &err) == VPMC_E_ARGUMENT,
	      "EINVAL: a threshold that is none");
	check(vpmc_signal(vpmc, 0, 1000, 0x1000, &err) == VPMC_E_ARGUMENT,
	      "EINVAL: a signal that is none");
	vpmc_stop(vpmc, NULL);
	pid = fork();
	if (!pid) {
		if (setuid(NOBODY))
			_exit(EXIT_FAILURE);
		_exit(vpmc_start(open_handle(), in_kernel, 1, VPMC_FORCE,
				 &err) != VPMC_E_PERMISSION);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "EPERM: kernel mode without the right");
	check(!vpmc_start(vpmc, in_kernel, 1, VPMC_FORCE, &err),
	      "which root has");
	vpmc_stop(vpmc, NULL);
	vpmc_close(vpmc);
}

/* Fork a child that reads a byte, so that its parent decides when it continues. */
static pid_t waiting_child(int go[2], unsigned int rounds)
{
	char byte;
	pid_t pid;

	if (pipe(go))
		exit(EXIT_FAILURE);
	pid = fork();
	if (pid)
		return pid;
	close(go[1]);
	if (read(go[0], &byte, 1) < 0)
		_exit(EXIT_FAILURE);
	loop(rounds);
	_exit(EXIT_SUCCESS);
}

static void release(int go[2], pid_t pid)
{
	close(go[1]);
	close(go[0]);
	waitpid(pid, NULL, 0);
}

static void other_process(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_error err;
	uint64_t count;
	int go[2];
	pid_t pid = waiting_child(go, 50000);

	check(!vpmc_attach(vpmc, pid, 0, &err) &&
		      !vpmc_start(vpmc, events, 2, 0, &err),
	      "PIOCENEVCTRS of another process");
	release(go, pid);
	count = read_first(vpmc, VPMC_SELF);
	check(count >= 100000 && count < 100000 + WIDE,
	      "has counted %llu instructions there", (unsigned long long)count);
	vpmc_close(vpmc);
	vpmc = open_handle();
	check(vpmc_attach(vpmc, pid, 0, &err) == VPMC_E_NO_PROCESS,
	      "a process that has exited and was waited for has none");
	vpmc_close(vpmc);
}

static void children(void)
{
	struct vpmc *vpmc = open_handle();
	uint64_t before;
	int go[2];
	pid_t pid;

	vpmc_start(vpmc, events, 2, VPMC_FORCE, NULL);
	loop(50000);
	pid = waiting_child(go, 20000);
	before = read_first(vpmc, VPMC_CHILDREN);
	check(!before, "a child's counts begin at zero");
	release(go, pid);
	before = read_first(vpmc, VPMC_CHILDREN);
	check(before >= 40000 && before < 40000 + WIDE,
	      "and are added when it is waited for: %llu",
	      (unsigned long long)before);
	vpmc_stop(vpmc, NULL);
	vpmc_close(vpmc);
}

/* When the child's end of the pipe is closed, the child has exited or is about to exit. */
static void without_wait(void)
{
	struct vpmc *vpmc = open_handle();
	siginfo_t info;
	int go[2];
	pid_t pid;

	check(!vpmc_start(vpmc, events, 2, VPMC_FORCE | VPMC_FOLD, NULL),
	      "PIOCSAVECCNTRS: VPMC_FOLD");
	pid = waiting_child(go, 20000);
	close(go[1]);
	close(go[0]);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	check(read_first(vpmc, VPMC_CHILDREN) >= 40000,
	      "a child's counts are added when it exits");
	waitpid(pid, NULL, 0);
	check(read_first(vpmc, VPMC_CHILDREN) < 80000,
	      "and not again by the wait");
	vpmc_stop(vpmc, NULL);
	vpmc_close(vpmc);
}

static volatile sig_atomic_t signals;

static void note_signal(int signo, siginfo_t *info, void *context)
{
	struct vpmc_signal_info decoded;

	(void)signo;
	(void)context;
	signals += !vpmc_signal_decode(info, &decoded) && decoded.event == 1 &&
		   decoded.count >= 10000;
}

static void overflow(void)
{
	struct sigaction action = { .sa_sigaction = note_signal,
				    .sa_flags = SA_SIGINFO };
	struct vpmc *vpmc = open_handle();
	struct vpmc_counts counts;

	sigaction(SIGUSR2, &action, NULL);
	vpmc_start(vpmc, events, 2, VPMC_FORCE, NULL);
	check(!vpmc_signal(vpmc, 1, 10000, SIGUSR2, NULL),
	      "hwp_ovflw_freq and hwp_ovflw_sig: vpmc_signal()");
	loop(9000);
	vpmc_read(vpmc, VPMC_THREAD, &counts, NULL);
	check(!signals, "no signal before the threshold");
	loop(2000);
	vpmc_read(vpmc, VPMC_THREAD, &counts, NULL);
	check(signals == 1, "one behind it");
	vpmc_stop(vpmc, NULL);
	vpmc_close(vpmc);
}

static void system_refused(void)
{
	struct vpmc *vpmc = open_handle();
	struct vpmc_system_counts counts;
	struct vpmc_error err;
	pid_t pid;
	int status;

	check(vpmc_system_read(vpmc, VPMC_EVERY_CPU, &counts, &err) ==
		      VPMC_E_NOT_STARTED,
	      "EINVAL: counters that are not in use");
	check(vpmc_system_stop(vpmc, &err) == VPMC_E_NOT_STARTED,
	      "which cannot be released");
	pid = fork();
	if (!pid) {
		if (setuid(NOBODY))
			_exit(EXIT_FAILURE);
		_exit(vpmc_system_start(vpmc, in_kernel, 1, VPMC_FORCE, &err) !=
		      VPMC_E_PERMISSION);
	}
	waitpid(pid, &status, 0);
	check(WIFEXITED(status) && !WEXITSTATUS(status),
	      "EPERM: system mode without the right");
	vpmc_close(vpmc);
}

static void system_mode(void)
{
	struct vpmc *vpmc = open_handle(), *second = open_handle();
	struct vpmc *own = open_handle();
	struct vpmc_system_counts all, one;
	struct vpmc_machine machine;
	struct vpmc_counts counts;
	struct vpmc_error err;
	uint64_t generation;

	vpmc_start(own, events, 2, VPMC_FORCE, NULL);
	check(vpmc_system_start(vpmc, in_kernel, 1, 0, &err) == VPMC_E_BUSY,
	      "EBUSY: a process that runs counts");
	check(!vpmc_system_start(vpmc, in_kernel, 1, VPMC_FORCE, &err),
	      "HWPERF_ENSYSCNTRS takes the counters");
	check(vpmc_read(own, VPMC_SELF, &counts, &err) == VPMC_E_GENERATION,
	      "which who had them is told");
	check(vpmc_system_start(second, in_kernel, 1, VPMC_FORCE, &err) ==
		      VPMC_E_BUSY,
	      "EBUSY: in system mode already");
	check(vpmc_start(own, events, 2, VPMC_FORCE, &err) == VPMC_E_BUSY,
	      "EBUSY: and so for a process");
	loop(100000);
	check(!vpmc_system_read(vpmc, VPMC_EVERY_CPU, &all, &err) &&
		      all.count[0] >= 200000,
	      "HWPERF_GET_SYSCNTRS");
	check(!vpmc_system_read(vpmc, 0, &one, &err) && one.cpus == 1,
	      "HWPERF_GET_CPUCNTRS");
	check(vpmc_system_read(vpmc, 99, &one, &err) == VPMC_E_NO_CPU,
	      "of an invalid processor");
	check(!vpmc_info(vpmc, &machine, NULL) && machine.system,
	      "HWPERF_GET_SYSEVCTRL: vpmc_info() says that there is system"
	      " mode");
	generation = all.generation;
	check(!vpmc_system_start(vpmc, others, 1, 0, &err) &&
		      !vpmc_system_read(vpmc, VPMC_EVERY_CPU, &all, &err) &&
		      all.generation != generation,
	      "HWPERF_SET_SYSEVCTRL: other events, another generation");
	check(!vpmc_system_stop(vpmc, &err), "HWPERF_RELSYSCNTRS");
	check(!vpmc_start(own, events, 2, VPMC_FORCE, &err),
	      "processes can count again");
	vpmc_stop(own, NULL);
	vpmc_close(own);
	vpmc_close(second);
	vpmc_close(vpmc);
}

#define PERIOD 1009

/* The linker defines where the program's code begins and ends. */
extern const char __executable_start[], etext[];

/* The fields of struct prof of sprofil(2) have these values here. */
static void profile(void)
{
	static uint16_t code[4096];
	static uint32_t rest[1];
	const struct vpmc_profile_range range[] = {
		{ .buckets = code,
		  .size = sizeof(code),
		  .offset = (uintptr_t)__executable_start,
		  .scale = (uint32_t)(sizeof(code) * 65536ULL /
				      (uintptr_t)(etext - __executable_start)),
		  .width = sizeof(code[0]) },
		{ .buckets = rest,
		  .size = sizeof(rest),
		  .scale = 2,
		  .width = sizeof(rest[0]) },
	};
	const uint32_t period = PERIOD;
	struct vpmc *vpmc = open_handle();
	struct vpmc_histograms *histograms;
	struct vpmc_profiled profiled;
	struct vpmc_event_sel sel;
	unsigned int i, sum = 0;
	struct vpmc_error err;
	uint64_t count;

	if (vpmc_event_parse(vpmc_pmu_of(vpmc), "instructions", VPMC_USER, &sel,
			     &err) ||
	    vpmc_profile(vpmc, &period, 1, range, 2, 0, &histograms, &err) ||
	    vpmc_start(vpmc, &sel, 1, VPMC_COLLECT, &err)) {
		check(false, "HWPERF_PROFENABLE: %s", err.text);
		return;
	}
	check(true, "HWPERF_PROFENABLE: vpmc_profile()");
	loop(500000);
	vpmc_stop(vpmc, NULL);
	count = read_first(vpmc, VPMC_SELF);
	vpmc_profile_update(histograms, &profiled);
	for (i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		sum += code[i];
	check(sum >= 1000000 / PERIOD && sum == profiled.counted,
	      "PC buckets: the program's code has %u samples", sum);
	check(sum + rest[0] == count / PERIOD && !profiled.lost,
	      "which are, with %u outside, those of %llu instructions", rest[0],
	      (unsigned long long)count);
	vpmc_profile_close(histograms);
	vpmc_close(vpmc);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "profile")) {
		profile();
		return check_status();
	}
	sample();
	with_usage();
	control();
	refused();
	other_process();
	children();
	without_wait();
	overflow();
	system_refused();
	system_mode();
	return check_status();
}

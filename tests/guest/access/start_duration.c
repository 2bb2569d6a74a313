// SPDX-License-Identifier: GPL-2.0-only
/*
 * start_duration: test that the duration of a start does not reveal the events of other users.
 * Run this only where clocks depend on instructions.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "privileged_programs.h"

static uint64_t tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low | (uint64_t)high << 32;
}

static struct vpmc_start args(uint64_t code)
{
	struct vpmc_start s = { .size = sizeof(s), .nr_events = 1 };

	s.event[0] = (struct vpmc_event)EVENT(code, counter_here(0), 1);
	return s;
}

/*
 * Return the duration of the fastest of several first starts by user "nobody". The process makes
 * itself dumpable, because a process that may not be watched does not share sets.
 */
static uint64_t measure(uint64_t code)
{
	uint64_t *took = shared(sizeof(*took)), best = UINT64_MAX;
	int i, status;

	for (i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid) {
			struct vpmc_start other = args(code), s = args(code);
			int fd;
			uint64_t t;

			become_ordinary();
			fd = open_device();
			/*
			 * Let the driver allocate all objects except the set of one event. It does
			 * not keep sets of events that share counters.
			 */
			other.event[1] = other.event[0];
			other.nr_events = 2;
			other.flags = VPMC_START_MULTIPLEX;
			if (request(fd, VPMC_START, &other) ||
			    request(fd, VPMC_STOP, stop_arg()))
				_exit(1);
			t = tsc();
			if (request(fd, VPMC_START, &s))
				_exit(1);
			*took = tsc() - t;
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status)
			errx(2, "a start");
		/* The driver frees the set some time after the process has exited. */
		usleep(100000);
		if (*took < best)
			best = *took;
	}
	return best;
}

/* Fork a process of root or user "nobody" that counts an event. Returns when the process counts. */
static pid_t neighbour(uint64_t code, bool is_root)
{
	struct gate ready = gate_new();
	pid_t pid = fork();

	if (!pid) {
		struct vpmc_start s = args(code);

		if (!is_root)
			become_ordinary();
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (request(open_device(), VPMC_START, &s))
			_exit(1);
		gate_open(&ready);
		pause_forever();
	}
	gate_wait(&ready);
	return pid;
}

/* Measure a start of instructions while root or user "nobody" counts @code. */
static uint64_t measure_beside(uint64_t code, bool is_root)
{
	pid_t pid = neighbour(code, is_root);
	uint64_t took = measure(code_here(INSTRUCTIONS));

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return took;
}

int main(void)
{
	uint64_t other, same, own;

	stay_on(0);
	/*
	 * Let this process take the events of its first child now, so that it does not take them
	 * during a measurement.
	 */
	measure(code_here(CLOCKS));
	other = measure_beside(code_here(BRANCHES), true);
	same = measure_beside(code_here(INSTRUCTIONS), true);
	own = measure_beside(code_here(INSTRUCTIONS), false);
	check(same == other,
	      "a start by the user nobody takes %llu clocks if root counts the same, else %llu",
	      (unsigned long long)same, (unsigned long long)other);
	check(own < other,
	      "one would notice: it takes %llu beside a program of the same user",
	      (unsigned long long)own);
	return check_status();
}

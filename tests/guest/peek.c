// SPDX-License-Identifier: GPL-2.0-only
/*
 * peek: how long a start takes does not say what others count. Clocks must
 * follow instructions.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

static uint64_t tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return low | (uint64_t)high << 32;
}

static struct vpmc_start args(unsigned int code)
{
	struct vpmc_start s = { .size = sizeof(s), .nr_events = 1 };

	s.event[0] = (struct vpmc_event)EVENT(code, 0, 1);
	return s;
}

/* The best of some first starts. */
static uint64_t measure(unsigned int code)
{
	uint64_t *took = shared(sizeof(*took)), best = UINT64_MAX;
	int i;

	for (i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid) {
			struct vpmc_start other = args(0x0b), s = args(code);
			int fd;
			uint64_t t;

			if (setgid(65534) || setuid(65534))
				_exit(1);
			fd = open_device();
			/* All but the set is there. */
			request(fd, VPMC_START, &other);
			request(fd, VPMC_STOP, stop_arg());
			t = tsc();
			request(fd, VPMC_START, &s);
			*took = tsc() - t;
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		if (*took < best)
			best = *took;
	}
	return best;
}

/* Root counts an event. Returns when it does. */
static pid_t neighbour(unsigned int code)
{
	struct gate ready = gate_new();
	pid_t pid = fork();
	char byte;

	if (!pid) {
		struct vpmc_start s = args(code);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (request(open_device(), VPMC_START, &s))
			_exit(1);
		gate_open(&ready);
		for (;;)
			pause();
	}
	if (read(ready.in, &byte, 1) != 1)
		err(2, "pipe");
	return pid;
}

/* The same event, while root counts @code. */
static uint64_t measure_beside(unsigned int code)
{
	pid_t pid = neighbour(code);
	uint64_t took = measure(code_here(INSTRUCTIONS));

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return took;
}

int main(void)
{
	uint64_t other, same;

	stay_on(0);
	/* This process has events of its own, those of its first child. */
	measure(0x0f);
	other = measure_beside(code_here(BRANCHES));
	same = measure_beside(code_here(INSTRUCTIONS));
	check(same == other,
	      "nobody's start takes %llu clocks if root counts the same, else %llu",
	      (unsigned long long)same, (unsigned long long)other);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * calls: measure the costs of the library's functions and of the driver's system calls for the
 * calling process.
 */
#include <err.h>
#include <linux/vpmc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "count.h"
#include "measure.h"

#define REPEAT 20

static struct vpmc *vpmc;
static struct vpmc_event_sel events[2];
static unsigned int nr_events;
static enum vpmc_whose whose;
static struct vpmc_counts counts;
static uint64_t gotten;

static int call_open(void)
{
	return vpmc_open(&vpmc, NULL);
}

static int call_start(void)
{
	return vpmc_start(vpmc, events, nr_events, 0, NULL);
}

static int call_reset(void)
{
	return vpmc_reset(vpmc, NULL);
}

static int call_get(void)
{
	return vpmc_get(vpmc, nr_events - 1, &gotten, NULL);
}

static int call_read(void)
{
	return vpmc_read(vpmc, whose, &counts, NULL);
}

static int call_stop(void)
{
	return vpmc_stop(vpmc, NULL);
}

static int call_close(void)
{
	vpmc_close(vpmc);
	return 0;
}

/* Measure an operation under the name "NAME-one" or "NAME-two". */
static void cost(const char *name, int (*operation)(void))
{
	char full[32];

	snprintf(full, sizeof(full), "%s-%s", name,
		 nr_events == 1 ? "one" : "two");
	cost_of(full, operation, 1);
}

static void cost_read(enum vpmc_whose scope, const char *name,
		      const char *raw_name)
{
	whose = scope;
	cost(name, call_read);
	count_set_read(nr_events == 1 ? COUNT_ONE : COUNT_TWO, scope);
	cost(raw_name, measured_call);
}

static void cost_library(void)
{
	cost_of("open", call_open, 1);
	cost("start-first", call_start);
	cost("stop", call_stop);
	cost("start", call_start);
	cost("reset", call_reset);
	cost("get", call_get);
	cost_read(VPMC_THREAD, "read-thread", "ioctl-read-thread");
	cost_read(VPMC_SELF, "read-self", "ioctl-read-self");
	cost_read(VPMC_CHILDREN, "read-children", "ioctl-read-children");
	count_set_plain_read();
	cost("plain-read", measured_call);
	call_stop();
	cost_of("close", call_close, 1);
}

/* Measure start, stop, a second start and reset by calls of the driver alone. */
static void cost_driver(void)
{
	enum count what = nr_events == 1 ? COUNT_ONE : COUNT_TWO;

	count_set_start(what, 0);
	cost("ioctl-start-first", measured_call);
	count_set_stop();
	cost("ioctl-stop", measured_call);
	count_set_start(what, 0);
	cost("ioctl-start", measured_call);
	count_set_start(what, VPMC_START_FORCE);
	cost("ioctl-reset", measured_call);
}

/*
 * Use each page of the program. After a fork, the first use of a page causes a fault, and the first
 * write to a page copies it. How many pages the library and the program use depends on their sizes,
 * and on where the linker has put their parts and the stack.
 */
static void touch_program(void)
{
	extern char __executable_start[], __bss_start[], _end[];
	const volatile char *page;
	char stack[16384] = { 0 };

	measure_touch(stack, sizeof(stack));
	for (page = __executable_start; page < __bss_start; page += 4096)
		(void)*page;
	measure_touch(__bss_start, (size_t)(_end - __bss_start));
	_end[-1] = _end[-1];
}

/* Measure in another process, in which everything happens for the first time. */
static void repeat(void (*costs)(void))
{
	int i, status;

	for (i = 0; i < REPEAT; i++) {
		pid_t child;

		/* Each child would print the unwritten output again. */
		fflush(stdout);
		child = fork();
		if (child < 0)
			err(2, "fork");
		if (!child) {
			touch_program();
			costs();
			exit(0);
		}
		if (waitpid(child, &status, 0) != child || status)
			errx(2, "a repetition failed");
	}
}

static void choose_events(void)
{
	static const char *const names[] = { "0x16", "0x12" };
	unsigned int i;

	if (vpmc_open(&vpmc, NULL))
		errx(2, "no driver");
	for (i = 0; i < 2; i++) {
		if (vpmc_event_parse(vpmc_pmu_of(vpmc), names[i], VPMC_USER,
				     &events[i], NULL))
			errx(2, "event %s", names[i]);
	}
	vpmc_close(vpmc);
}

int main(void)
{
	measure_start();
	choose_events();
	count_elsewhere(COUNT_ONE);
	cost_of("nothing", measured_nothing, REPEAT);
	measured_set(SYS_getppid, 0, 0, 0);
	cost_of("getppid", measured_call, REPEAT);
	for (nr_events = 1; nr_events <= 2; nr_events++) {
		repeat(cost_library);
		repeat(cost_driver);
	}
	return 0;
}

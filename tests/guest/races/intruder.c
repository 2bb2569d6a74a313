// SPDX-License-Identifier: GPL-2.0-only
/* This file has the intruder and the operations that it carries out. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "intruder.h"

#define MODULE "wake.ko"
#define WAIT   "/sys/module/wake/parameters/wait"

static void act_switch(int fd, int other, struct vpmc_read *seen)
{
	(void)fd;
	(void)other;
	(void)seen;
}

static void act_read(int fd, int other, struct vpmc_read *seen)
{
	(void)other;
	*seen = read_scope(fd, VPMC_SCOPE_SELF);
}

static void act_stop(int fd, int other, struct vpmc_read *seen)
{
	(void)other;
	(void)seen;
	must_stop(fd);
}

/*
 * Check the result of a call that may fail only because the interrupted process has started system
 * mode. Returns whether the call has succeeded.
 */
static bool check_done(int result, const char *what)
{
	if (result && !(result == -EBUSY && in_system_mode()))
		check(false, "%s: errno %d", what, -result);
	return !result;
}

static void act_start(int fd, int other, struct vpmc_read *seen)
{
	(void)other;
	(void)seen;
	check_done(start(fd, OTHER, VPMC_START_FORCE, NULL), "start");
}

static void act_system(int fd, int other, struct vpmc_read *seen)
{
	static struct vpmc_start *start;
	struct vpmc_stop stop = { .size = sizeof(stop) };

	(void)fd;
	(void)seen;
	if (!start)
		start = start_arg(OTHER, VPMC_START_FORCE);
	if (check_done(request(other, VPMC_SYSTEM_START, start), "takeover"))
		check_done(request(other, VPMC_SYSTEM_STOP, &stop), "return");
}

static const struct intrusion intrusions[] = {
	{ "switch", act_switch, false, false },
	{ "read", act_read, false, false },
	{ "stop", act_stop, true, false },
	{ "start", act_start, true, true },
	{ "system", act_system, true, true },
};

const struct intrusion *intrusion_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(intrusions) / sizeof(intrusions[0]); i++) {
		if (!strcmp(name, intrusions[i].name))
			return &intrusions[i];
	}
	errx(2, "no intrusion %s", name);
}

void intruder_load(unsigned int processor)
{
	char parameters[32], path[64];
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);
	FILE *affinity;

	snprintf(parameters, sizeof(parameters), "irq=%u", IRQ_WAKE);
	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		err(2, MODULE);
	close(fd);
	snprintf(path, sizeof(path), "/proc/irq/%u/smp_affinity", IRQ_WAKE);
	affinity = fopen(path, "we");
	if (!affinity || fprintf(affinity, "%x", 1U << processor) < 0 ||
	    fclose(affinity))
		err(2, "%s", path);
}

static _Noreturn void be_intruder(const struct intruder *i, pid_t process,
				  unsigned int processor)
{
	const struct sched_param param = { .sched_priority = 1 };
	int fd = hold(process, 0), other = open_device();
	int wait = open(WAIT, O_RDONLY | O_CLOEXEC);
	char byte;

	stay_on(processor);
	if (wait < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "intruder");
	while (pread(wait, &byte, 1, 0) == 1) {
		i->intrusion->act(fd, other, i->seen);
		(*i->acts)++;
	}
	err(2, WAIT);
}

struct intruder intruder_create(const struct intrusion *intrusion,
				unsigned int processor)
{
	struct intruder i = {
		.intrusion = intrusion,
		.acts = shared(sizeof(*i.acts)),
		.seen = shared(sizeof(*i.seen)),
	};
	pid_t process = getpid(), pid = child_fork();

	if (!pid)
		be_intruder(&i, process, processor);
	until_asleep((uint32_t)pid);
	return i;
}

void intruder_await(struct intruder *i)
{
	i->waited++;
	while (*i->acts < i->waited) {
		/* Let the intruder run, on this processor or on another processor. */
		sched_yield();
		__asm__ volatile("pause");
	}
	if (*i->acts != i->waited)
		check(false, "%u acts instead of %u", *i->acts, i->waited);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_steps PROGRAM [ARGUMENT]...: test that single-stepping finds the addresses of samples, with
 * machine --exact-pmi. A program is executed instruction by instruction. Then it is executed again,
 * and each sample has the address at which the program was after this many steps. The program must
 * do the same both times, so addresses must not be random.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <unistd.h>

#include "rings.h"

#define RING_SIZE 65536
#define MOST	  (1u << 20)
/* A process executes fewer instructions from the start to the exec. */
#define BEFORE	  500

#ifdef __x86_64__
#define POINTER offsetof(struct user, regs.rip)
#else
#define POINTER offsetof(struct user, regs.eip)
#endif

/* These are the addresses after each instruction of the program. */
static uintptr_t after[MOST];
static unsigned int nr_after;

static const uint32_t period[2] = { VPMC_MIN_PERIOD, VPMC_MIN_PERIOD + 13 };
static unsigned int nr_samples[2], wrong, late;
/* This is the number of instructions before the program. */
static uint64_t before;

static void execute(char **command)
{
	const int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		err(2, "/dev/null");
	execv(*command, command);
	err(2, "%s", *command);
}

/*
 * Execute a command step by step. An instruction with a repeat prefix stops after each repetition,
 * at the same address.
 */
static void step(char **command)
{
	pid_t pid = child_fork();
	uintptr_t address, last = 0;
	int status;

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			err(2, "ptrace");
		execute(command);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		errno = 0;
		address = (uintptr_t)ptrace(PTRACE_PEEKUSER, pid, POINTER, 0);
		if (errno || ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			err(2, "ptrace");
		/* The first stop is that of the exec. */
		if (last && address != last && nr_after < MOST)
			after[nr_after++] = address;
		last = address;
	}
	check(!status, "the program is stepped to its end: status %#x", status);
}

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample *s = (const struct vpmc_sample *)record;
	unsigned int event = sample_event(s);
	uint64_t nth;

	(void)size;
	if (*record & VPMC_WHERE_OTHER)
		return;
	nth = (uint64_t)++nr_samples[event] * period[event] - before;
	late += !!(s->where & VPMC_WHERE_LATE);
	if (nth <= nr_after && sample_address(s) != after[nth - 1] &&
	    wrong++ < 8)
		check(false, "event %u, instruction %llu: %#llx, want %#lx",
		      event, (unsigned long long)nth,
		      (unsigned long long)s->where,
		      (unsigned long)after[nth - 1]);
}

/* Execute a command that leaves samples. Returns the number of its instructions. */
static uint64_t leave_samples(struct rings *r, char **command)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct vpmc_record record = { .size = sizeof(record) };
	int status;
	pid_t pid;

	start->nr_events = 2;
	start->event[1] = start->event[0];
	start->event[1].counter = 1;
	start->event[0].period = period[0];
	start->event[1].period = period[1];
	pid = child_fork();
	if (!pid) {
		if (request(r->fd, VPMC_START, start))
			errx(2, "VPMC_START: %u", start->error);
		execute(command);
	}
	if (waitpid(pid, &status, 0) != pid ||
	    request(r->fd, VPMC_RECORD, &record))
		errx(2, "no record");
	return record.count[0];
}

int main(int argc, char **argv)
{
	struct rings r = rings_new(RING_SIZE);
	uint64_t all;

	if (argc < 2)
		errx(2, "usage: sample_steps PROGRAM [ARGUMENT]...");
	step(argv + 1);
	all = leave_samples(&r, argv + 1);
	/* The program does not stop after its last instruction. */
	before = all - nr_after - 1;
	check(before < BEFORE, "the program has the same %u instructions: %llu",
	      nr_after + 1, (unsigned long long)all);
	rings_read(&r, take);
	check(nr_samples[0] == all / period[0] &&
		      nr_samples[1] == all / period[1],
	      "%u and %u samples", nr_samples[0], nr_samples[1]);
	check(!wrong && !late && nr_samples[0] > 20,
	      "each sample is where the steps are: %u are wrong, %u are late",
	      wrong, late);
	rings_free(&r);
	return check_status();
}

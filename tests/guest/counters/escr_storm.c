// SPDX-License-Identifier: GPL-2.0-only
/*
 * escr_storm SEED: test processes that count random sets of events of the Pentium 4 at the same
 * time, on all counters. The sets have tags, tags of replays, thresholds and kernel mode, and
 * contend for ESCRs. Each process must have the same counts of user mode as when it ran alone. A
 * process that may execute RDPMC must see zeros in all counters that it does not use. In system mode
 * a processor must have the same counts of user mode as the one process that it executes.
 */
#include <err.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "seed.h"

enum {
	SETS = 24,
	TIMES = 4,
	TRIES = 40,
	ROUNDS = 30,
	LOOKS = 400,
	LOOK_COUNTER = 12,
	COUNTERS = 18
};

#define CODE(event, mask, number, group)                   \
	((uint64_t)(event) << 25 | (uint64_t)(mask) << 9 | \
	 (uint64_t)(number) << 45 | (uint64_t)(group) << 32)
#define COMPARE	  (UINT64_C(1) << 50)
#define TAG(n)	  (0x10 | 0x20U << (n))
#define REPLAY	  CODE(0x09, 1, 5, 4)
#define L1_MISSES (UINT64_C(1) << 32 | 1)

/* These events have any combination of the mask's bits. */
static const struct {
	uint32_t event, mask, number, group;
	bool tags;
} events[] = {
	{ 0x02, 0x000f, 4, 4, false }, /* instr_retired */
	{ 0x01, 0x0003, 4, 4, false }, /* uops_retired */
	{ 0x06, 0x000f, 5, 4, false }, /* branch_retired */
	{ 0x08, 0x0003, 5, 4, false }, /* front_end_event */
	{ 0x0c, 0x00ff, 5, 4, false }, /* execution_event */
	{ 0x04, 0x001f, 2, 2, false }, /* retired_branch_type */
	{ 0x13, 0x0001, 6, 1, false }, /* global_power_events */
	{ 0x02, 0x0006, 2, 4, true },  /* uop_type */
	{ 0x04, 0x8000, 1, 3, true },  /* x87_FP_uop */
	{ 0x02, 0x8000, 1, 3, true },  /* 64bit_MMX_uop */
	{ 0x08, 0x8000, 1, 3, true },  /* packed_SP_uop */
	{ 0x0e, 0x8000, 1, 3, true },  /* scalar_DP_uop */
};
#define NR_EVENTS (sizeof(events) / sizeof(*events))

/* This code has operations of all these kinds. The stack belongs to the script. */
extern const char storm_code[];
char storm_data[64];
__asm__(".text\n"
	".globl storm_code\n"
	"storm_code: movl $20, %ecx\n"
	"1:	movl storm_data, %eax\n"
	"	addl %eax, storm_data + 4\n"
	"	fldl storm_data + 8\n"
	"	faddl storm_data + 8\n"
	"	fstpl storm_data + 16\n"
	"	movq storm_data, %mm0\n"
	"	paddb %mm0, %mm0\n"
	"	emms\n"
	"	addps %xmm0, %xmm0\n"
	"	addsd %xmm0, %xmm0\n"
	"	testb $1, %cl\n"
	"	jz 2f\n"
	"	incl storm_data + 24\n"
	"2:	decl %ecx\n"
	"	jnz 1b\n"
	"	ret\n");

/* This is a set of events, and its counts when no other process counted. */
static struct set {
	struct vpmc_start *start;
	struct vpmc_read *alone;
} sets[SETS];

static struct vpmc_event random_event(void)
{
	const unsigned int i = below(NR_EVENTS);
	uint32_t mask = events[i].mask;
	struct vpmc_event event = EVENT(0, VPMC_COUNTER_ANY, VPMC_MODE_USER);

	if (!below(8)) {
		event.code = REPLAY;
		event.extra = L1_MISSES;
		return event;
	}
	/* Any number, of an ESCR whose events are not emulated */
	if (!below(4)) {
		event.code =
			CODE(below(64), below(0x10000), below(8), 1 + below(4));
		return event;
	}
	if (mask & (mask - 1))
		mask &= below(0x10000);
	event.code =
		CODE(events[i].event, mask, events[i].number, events[i].group);
	if (events[i].tags && below(2))
		event.code |= TAG(below(4));
	if (!below(6))
		event.code |= COMPARE;
	if (!below(6))
		event.modes = below(2) ? VPMC_MODE_KERNEL
				       : VPMC_MODE_KERNEL | VPMC_MODE_USER;
	return event;
}

/* Return whether the driver can count these events together. */
static bool is_possible(struct vpmc_start *start)
{
	int fd = open_device();
	const bool possible = !request(fd, VPMC_START, start);

	if (possible)
		request(fd, VPMC_STOP, stop_arg());
	close(fd);
	return possible;
}

static struct vpmc_start *random_start(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_FORCE);
	const unsigned int most = 1 + below(COUNTERS);
	unsigned int i;

	start->nr_events = 0;
	for (i = 0; i < TRIES && start->nr_events < most; i++) {
		start->event[start->nr_events++] = random_event();
		if (!is_possible(start))
			start->nr_events--;
	}
	if (!start->nr_events)
		errx(2, "no set of events");
	return start;
}

static void put_rounds(struct script *s, unsigned int rounds)
{
	while (rounds--) {
		script_piece(s, storm_code, (struct cost){ 0, 0 });
		script_call(s, SYS_sched_yield);
	}
}

/* Return the script of a process that counts a set, and whose counts go to @read. */
static struct script script_of(const struct set *set, int fd,
			       struct vpmc_read *read, unsigned int rounds)
{
	struct script s = script_new();

	script_start(&s, fd, set->start);
	put_rounds(&s, rounds);
	script_read(&s, fd, read);
	script_exit(&s, 0);
	return s;
}

/* Count a set in one process, and return its counts. */
static struct vpmc_read *count_alone(const struct set *set, unsigned int rounds)
{
	struct vpmc_read *alone = read_arg(VPMC_SCOPE_THREAD);
	int fd = open_device();
	struct script s = script_of(set, fd, alone, rounds);

	if (!child_fork())
		script_run(&s);
	wait(NULL);
	close(fd);
	if (alone->nr_counts != set->start->nr_events)
		check(false, "%u counts of %u events", alone->nr_counts,
		      set->start->nr_events);
	return alone;
}

static uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

/*
 * Count with @start, and look at all counters. Returns the exit status: how often a counter of other
 * processes was not zero, at most 100.
 */
static int look(struct vpmc_start *start)
{
	struct vpmc_map map = { .size = sizeof(map) };
	int fd = open_device(), seen = 0;
	unsigned int i, counter;

	if (request(fd, VPMC_START, start) || request(fd, VPMC_MAP, &map))
		return 101;
	for (i = 0; i < LOOKS; i++) {
		for (counter = 0; counter < COUNTERS; counter++)
			seen += counter != LOOK_COUNTER && rdpmc(counter);
		sched_yield();
	}
	return seen < 100 ? seen : 100;
}

/* Return whether all counts of user mode are those of the process that was alone. */
static bool is_same(const struct set *set, const struct vpmc_read *read)
{
	const struct vpmc_event *event = set->start->event;
	unsigned int i;

	for (i = 0; i < set->start->nr_events; i++) {
		if (event[i].modes != VPMC_MODE_USER ||
		    read->count[i] == set->alone->count[i])
			continue;
		check(false, "set %td event %u of %u, %#llx: %llu, alone %llu",
		      set - sets, i, set->start->nr_events, event[i].code,
		      read->count[i], set->alone->count[i]);
		return false;
	}
	return read->nr_counts == set->start->nr_events;
}

static void count_all(void)
{
	struct vpmc_start *own =
		START(VPMC_START_FORCE, EVENT(code_here(INSTRUCTIONS),
					      LOOK_COUNTER, VPMC_MODE_USER));
	struct vpmc_read *read[SETS];
	struct script script[SETS];
	unsigned int i, wrong = 0;
	int fd[SETS], status;
	pid_t looks;

	for (i = 0; i < SETS; i++) {
		fd[i] = open_device();
		read[i] = read_arg(VPMC_SCOPE_THREAD);
		script[i] = script_of(&sets[i], fd[i], read[i], ROUNDS);
	}
	looks = child_fork();
	if (!looks)
		_exit(look(own));
	for (i = 0; i < SETS; i++) {
		if (!child_fork())
			script_run(&script[i]);
	}
	if (waitpid(looks, &status, 0) != looks)
		err(2, "waitpid");
	while (wait(NULL) > 0)
		;
	for (i = 0; i < SETS; i++) {
		wrong += !is_same(&sets[i], read[i]);
		close(fd[i]);
	}
	check(!wrong, "%u of %u processes have other counts than alone", wrong,
	      SETS);
	check(!status, "RDPMC shows counts of others: status %#x",
	      (unsigned int)status);
}

/* Add the counts of processor 1 while it executes one process, times @factor. */
static void add_system(int fd, unsigned int rounds, uint64_t factor,
		       uint64_t *sum)
{
	struct vpmc_system_read read[2] = { { .size = sizeof(*read), .cpu = 1 },
					    { .size = sizeof(*read),
					      .cpu = 1 } };
	struct script s = script_new();
	unsigned int i;
	int result;

	put_rounds(&s, rounds);
	script_exit(&s, 0);
	result = request(fd, VPMC_SYSTEM_READ, &read[0]);
	if (!child_fork()) {
		stay_on(1);
		script_run(&s);
	}
	wait(NULL);
	result |= request(fd, VPMC_SYSTEM_READ, &read[1]);
	if (result)
		check(false, "system read: errno %d", -result);
	for (i = 0; i < read[1].nr_counts; i++)
		sum[i] += factor * (read[1].count[i] - read[0].count[i]);
}

/* Return whether the rounds have the same counts in system mode as in a process. */
static bool is_same_in_system(const struct set *set)
{
	const struct vpmc_event *event = set->start->event;
	const struct vpmc_read *none = count_alone(set, 0);
	uint64_t sum[VPMC_MAX_EVENTS] = { 0 };
	int fd = open_device();
	bool same = true;
	unsigned int i;

	if (request(fd, VPMC_SYSTEM_START, set->start))
		errx(2, "no system mode");
	add_system(fd, ROUNDS, 1, sum);
	add_system(fd, 0, (uint64_t)-1, sum);
	close(fd);
	for (i = 0; i < set->start->nr_events; i++) {
		if (event[i].modes != VPMC_MODE_USER ||
		    sum[i] == set->alone->count[i] - none->count[i])
			continue;
		same = check(false, "set %td event %u, %#llx: %llu, want %llu",
			     set - sets, i, event[i].code,
			     (unsigned long long)sum[i],
			     set->alone->count[i] - none->count[i]);
	}
	return same;
}

static void count_system(void)
{
	unsigned int i, wrong = 0;

	/* The checks before have written to the output, which other processes relay. */
	until_quiet();
	stay_on(0);
	for (i = 0; i < SETS; i++)
		wrong += !is_same_in_system(&sets[i]);
	check(!wrong, "%u of %u sets have other counts in system mode", wrong,
	      SETS);
}

int main(int argc, char **argv)
{
	unsigned int i, sum = 0;

	if (argc != 2)
		errx(2, "usage: escr_storm SEED");
	seed = (uint32_t)strtoul(argv[1], NULL, 10);
	for (i = 0; i < SETS; i++) {
		sets[i].start = random_start();
		sets[i].alone = count_alone(&sets[i], ROUNDS);
		sum += sets[i].start->nr_events;
	}
	check(sum > 4 * SETS, "%u events in %u sets", sum, SETS);
	for (i = 0; i < TIMES; i++)
		count_all();
	count_system();
	return check_status();
}

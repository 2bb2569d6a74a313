// SPDX-License-Identifier: GPL-2.0-only
/*
 * isolation PROCESSES MIN_SWITCHES: run many processes at the same time, and test that the count of
 * each process is exact.
 *
 * All processes execute switcher, of 32 or 64 bits. The two processes of each pair send each other
 * bytes through pipes. In every group of four processes, three count different pairs of events, and
 * one does not count. In every pair, one process stays on a processor, and the other one migrates.
 * While the processes run, the test itself reads all counts. The reads must not disturb the
 * processes.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vpmc.h>

#include "check.h"
#include "child.h"

#define MAX_PROCESSES 16
#define ROUNDS	      6144
#define HOPS	      (ROUNDS / 8)

/*
 * struct cost - the number of times that an event happens in switcher.S
 * @event: the event
 * @fixed: the number before and after the rounds
 * @round: the number in a round
 * @moving: the additional number in a round of a moving process
 * @hop: the number in a change of processors
 */
struct cost {
	const char *event;
	unsigned int fixed, round, moving, hop;
};

/*
 * programs/switcher.S explains these numbers. A change of processors takes 6 instructions, of which
 * one is a system call.
 */
static const struct cost costs_of_p5[] = {
	{ "0x16", 6, 31, 2, 6 },   { "0x12", 1, 12, 1, 1 },
	{ "0x00", 6, 18, 0, 6 },   { "0x01", 5, 18, 0, 6 },
	{ "0x28", 11, 36, 0, 12 }, { "0x0b", 0, 2, 0, 0 },
	{ "0x0f", 2, 6, 0, 2 },	   { "0x1c", 0, 1, 0, 0 },
	{ "clocks", 6, 31, 2, 6 },
};

/* These are the events that all later processors have. */
static const struct cost costs_of_others[] = {
	{ "instructions", 6, 31, 2, 6 },
	{ "branches", 1, 12, 1, 1 },
	{ "cycles", 6, 31, 2, 6 },
};

/*
 * struct process - a process that executes switcher
 * @pid: its process ID
 * @in, @out: its ends of the pipes
 * @counts: whether it counts
 * @moves: whether it changes processors
 * @cost: the costs of its two events
 * @vpmc: the handle of its counts
 * @seen: the greatest counts that were read so far
 * @generation: the generation of the first successful read
 */
struct process {
	pid_t pid;
	int in, out;
	bool counts, moves;
	const struct cost *cost[2];
	struct vpmc *vpmc;
	uint64_t seen[2];
	uint64_t generation;
};

static struct process processes[MAX_PROCESSES];
static unsigned int nr_processes;
static long processors;
static unsigned long switches, reads;

static uint64_t wanted(const struct process *p, int i)
{
	const struct cost *c = p->cost[i];
	uint64_t n = c->fixed + (uint64_t)ROUNDS * c->round;

	if (p->moves)
		n += (uint64_t)ROUNDS * c->moving + (uint64_t)HOPS * c->hop;
	return n;
}

static void connect(struct process *a, struct process *b)
{
	int there[2], back[2];

	if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC))
		err(2, "pipe2");
	a->out = there[1];
	b->in = there[0];
	b->out = back[1];
	a->in = back[0];
}

static void start_counting(struct process *p)
{
	struct vpmc_event_sel sel[2];
	struct vpmc_error error;
	int i;

	for (i = 0; i < 2; i++)
		if (vpmc_event_parse(vpmc_pmu_of(p->vpmc), p->cost[i]->event,
				     VPMC_USER, &sel[i], &error))
			errx(2, "%s", error.text);
	if (vpmc_start(p->vpmc, sel, 2, VPMC_AT_EXEC, &error))
		errx(2, "%s", error.text);
}

static void stay_on(unsigned int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	/* The call fails with EINVAL while this processor is offline. */
	if (sched_setaffinity(0, sizeof(set), &set) && errno != EINVAL)
		err(2, "sched_setaffinity");
}

static _Noreturn void become(struct process *p)
{
	unsigned int number = (unsigned int)(p - processes);

	if (p->counts)
		start_counting(p);
	if (!p->moves)
		stay_on(number / 2 % (unsigned int)processors);
	/*
	 * First copy the descriptors to high numbers, because they may have the numbers 3 and 4
	 * themselves.
	 */
	p->in = fcntl(p->in, F_DUPFD_CLOEXEC, 100);
	p->out = fcntl(p->out, F_DUPFD_CLOEXEC, 100);
	if (dup2(p->in, 3) < 0 || dup2(p->out, 4) < 0)
		err(2, "dup2");
	execlp("switcher", "switcher", p->moves ? "moves" : NULL, (char *)NULL);
	err(2, "switcher");
}

/* Choose events for a process that differ from those of the previous process. */
static void choose_events(struct process *p, unsigned int number)
{
	bool is_p5 = !strncmp(vpmc_pmu_name(vpmc_pmu_of(p->vpmc)), "p5", 2);
	const struct cost *costs = is_p5 ? costs_of_p5 : costs_of_others;
	size_t size = is_p5 ? sizeof(costs_of_p5) : sizeof(costs_of_others);
	unsigned int i;

	for (i = 0; i < 2; i++)
		p->cost[i] = &costs[(number * 2 + i) % (size / sizeof(*costs))];
}

static void prepare(unsigned int number)
{
	struct process *p = &processes[number];
	struct vpmc_error error;

	p->counts = number % 4 != 3;
	p->moves = number % 2;
	if (p->counts) {
		if (vpmc_open(&p->vpmc, &error))
			errx(2, "%s", error.text);
		choose_events(p, number);
	}
	if (number % 2)
		connect(p - 1, p);
}

/* Check that the counts of a process have not decreased. */
static void look_at(struct process *p)
{
	struct vpmc_counts counts;
	struct vpmc_error error;
	int i;

	if (vpmc_read(p->vpmc, VPMC_SELF, &counts, &error)) {
		/* The process may not have reached its start yet. */
		if (error.code != VPMC_E_NOT_STARTED || p->generation)
			check(false, "reading: %s", error.text);
		return;
	}
	reads++;
	if (p->generation && p->generation != counts.generation)
		check(false, "generation %" PRIu64 " was %" PRIu64,
		      counts.generation, p->generation);
	p->generation = counts.generation;
	for (i = 0; i < 2; i++) {
		if (counts.count[i] < p->seen[i])
			check(false, "%s fell from %" PRIu64 " to %" PRIu64,
			      p->cost[i]->event, p->seen[i], counts.count[i]);
		p->seen[i] = counts.count[i];
	}
}

static void look_at_all(void)
{
	unsigned int i;

	for (i = 0; i < nr_processes; i++)
		if (processes[i].counts)
			look_at(&processes[i]);
}

/* Add up the switches of a process that has exited, and check its status. */
static void bury(pid_t pid, int status, const struct rusage *usage)
{
	unsigned int i;

	switches += (unsigned long)(usage->ru_nvcsw + usage->ru_nivcsw);
	for (i = 0; i < nr_processes; i++)
		if (processes[i].pid == pid && status)
			check(false, "process %u: wait status %#x", i, status);
}

static void wait_for_all(void)
{
	struct rusage usage;
	unsigned int left = nr_processes;
	int status;
	pid_t pid;

	while (left) {
		look_at_all();
		while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
			bury(pid, status, &usage);
			left--;
		}
		usleep(5000);
	}
}

static void judge(unsigned int number)
{
	struct process *p = &processes[number];
	struct vpmc_counts counts;
	struct vpmc_error error;
	int i;

	if (!p->counts)
		return;
	if (vpmc_read(p->vpmc, VPMC_SELF, &counts, &error)) {
		check(false, "process %u: %s", number, error.text);
		return;
	}
	for (i = 0; i < 2; i++)
		check(counts.count[i] == wanted(p, i),
		      "process %u%s %s got %" PRIu64 " want %" PRIu64, number,
		      p->moves ? " (moving)" : "", p->cost[i]->event,
		      counts.count[i], wanted(p, i));
	check(counts.activity == VPMC_EXITED, "process %u has exited", number);
}

int main(int argc, char **argv)
{
	unsigned long least;
	unsigned int i;

	if (argc != 3)
		errx(2, "usage: isolation PROCESSES MIN_SWITCHES");
	nr_processes = (unsigned int)strtoul(argv[1], NULL, 10);
	least = strtoul(argv[2], NULL, 10);
	if (!nr_processes || nr_processes % 2 || nr_processes > MAX_PROCESSES)
		errx(2, "an even number of processes up to %d", MAX_PROCESSES);
	processors = sysconf(_SC_NPROCESSORS_ONLN);

	for (i = 0; i < nr_processes; i++)
		prepare(i);
	for (i = 0; i < nr_processes; i++) {
		processes[i].pid = child_fork();
		if (!processes[i].pid)
			become(&processes[i]);
	}
	wait_for_all();
	for (i = 0; i < nr_processes; i++)
		judge(i);
	check(switches >= least, "%lu context switches, at least %lu", switches,
	      least);
	printf("%u processes, %lu context switches, %lu reads meanwhile\n",
	       nr_processes, switches, reads);
	return check_status();
}

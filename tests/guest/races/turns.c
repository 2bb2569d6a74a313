// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns PAIR FIRST COUNT: run two operations on one process at the same time, on two processors,
 * with their instructions in random order.
 *
 * A process sleeps at a gate on the second processor. In each round the test lets the process
 * continue, and acts on it from the first processor. The emulator runs the two processors in turns
 * of random lengths. These lengths, and the time between the two operations, depend on the seed of
 * the round, which a failure prints. The counts must be those of one of the two orders of the
 * operations, and all counts must be added to the parent.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "adversary.h"
#include "hold.h"

#define MODULE "/vpmc.ko"

/* This is the number of rounds that the process executes at the time of the start or stop. */
#define ROUNDS 100

/*
 * This is the number of instructions of a program, which is so large that the start can come in
 * the middle.
 */
#define PROGRAM 100000

/* This is the number of children that are reaped, one after the other. */
#define CHILDREN 8

/* In this number of rounds, both outcomes must occur. */
#define MANY 50

/**
 * struct round - the state of the rounds
 * @target: the process
 * @fd: a handle of the test
 * @other: the number of a handle that the process uses
 * @result: result of the test's operation
 * @child: the count of a child of the process, if the child counts, or of the process at its read
 * @read: the counts that the process has read
 * @start: the start that the process has made
 * @stopped: a read after the stop had returned
 * @forked: the count of the process up to its fork
 * @earlier: the instructions that the process had counted before the start by force
 * @child_pid: the IDs of its children
 * @mapped: the result of its request for a page, or NOT_YET
 * @seen: the value of @mapped when the child began
 */
struct round {
	struct target target;
	int fd, other;
	int result;
	struct cost child;
	struct vpmc_read *read;
	struct vpmc_start *start;
	struct vpmc_read stopped;
	struct cost forked;
	uint64_t earlier;
	uint32_t *child_pid;
	uint32_t *mapped, *seen;
};

/**
 * struct pair - a pair of operations, of the process and of the test
 * @name: its name on the command line
 * @longest: the longest delay of the test's operation, in rounds of a loop, so that either
 *	operation can be first
 * @add: function that completes the script of the process
 * @before: action of the test while the process sleeps, or NULL
 * @act: action of the test after it has woken the process up
 * @verify: function that checks the result after the process has exited, and returns which of the
 *	two outcomes occurred
 */
struct pair {
	const char *name;
	uint32_t longest;
	void (*add)(struct round *r);
	void (*before)(struct round *r);
	void (*act)(struct round *r);
	bool (*verify)(struct round *r);
};

static uint32_t seed;

/* Like check(), but print only failures, with the seed. */
#define check_round(ok, format, ...)                                         \
	do {                                                                 \
		if (!(ok))                                                   \
			check(false, "seed %u: " format, seed, __VA_ARGS__); \
	} while (0)

/* Read counts. If there are no counts, all fields of the result are zero. */
static struct vpmc_read read_if_any(int fd, unsigned int scope)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = scope };
	int result = request(fd, VPMC_READ, &read);

	check_round(!result || result == -ENODATA, "read: errno %d", -result);
	if (result)
		memset(&read, 0, sizeof(read));
	return read;
}

static void act_attach(struct round *r)
{
	r->result = attach(r->fd, r->target.pid, 0, NULL);
}

/* The test starts the process, which exits. */

static void add_exit(struct round *r)
{
	target_gate(&r->target, false);
	script_rounds(&r->target.script, ROUNDS);
	script_exit(&r->target.script, 0);
}

static void act_start(struct round *r)
{
	r->result = start(r->fd, FIRST, 0, NULL);
}

static bool check_started(struct round *r)
{
	struct vpmc_read self = read_if_any(r->fd, VPMC_SCOPE_SELF);

	check_round(!r->result || r->result == -ESRCH, "start: errno %d",
		    -r->result);
	check_round((r->result == 0) == (self.generation != 0),
		    "start %d, but generation %llu", r->result,
		    self.generation);
	check_round(self.count[0] <= 2 * ROUNDS + 20, "%llu instructions",
		    self.count[0]);
	check_round(!self.running, "%u running", self.running);
	return r->result == 0;
}

/* The test stops the process, which forks. */

static void add_fork(struct round *r)
{
	struct script child = script_new();

	script_start(&r->target.script, r->other, start_arg(FIRST, 0));
	target_gate(&r->target, true);
	script_fork(&r->target.script, &child, SYS_fork);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&r->target.script);
	script_exit(&r->target.script, 0);
	r->child = child.cost;
}

static void act_stop(struct round *r)
{
	r->result = stop(r->fd, NULL);
	r->stopped = read_if_any(r->fd, VPMC_SCOPE_SELF);
}

static bool check_stopped(struct round *r)
{
	struct vpmc_read self = read_if_any(r->fd, VPMC_SCOPE_SELF);
	struct vpmc_read children = read_if_any(r->fd, VPMC_SCOPE_CHILDREN);
	struct cost all = r->target.script.cost;

	check_round(!r->result || r->result == -ESRCH, "stop: errno %d",
		    -r->result);
	check_round(self.count[0] == r->stopped.count[0] &&
			    self.count[0] <= all.instructions,
		    "%llu instructions, %llu when it was stopped",
		    self.count[0], r->stopped.count[0]);
	check_round(!children.count[0] ||
			    (children.count[0] == r->child.instructions &&
			     children.count[1] == r->child.branches),
		    "the child: %llu %llu", children.count[0],
		    children.count[1]);
	check_round(children.count[0] || self.count[0] < all.instructions, "%s",
		    "counted to the end, but not in the child");
	return children.count[0];
}

/* The test starts the process by force. The process forks, and counts before and after that. */

static void add_fork_between(struct round *r)
{
	struct script *s = &r->target.script, child = script_new();

	script_start(s, r->other, start_arg(FIRST, 0));
	target_gate(&r->target, true);
	script_fork(s, &child, SYS_fork);
	r->forked = s->cost;
	target_gate(&r->target, true);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(s);
	script_exit(s, 0);
	r->child = child.cost;
}

static void act_force(struct round *r)
{
	r->result = start(r->fd, FIRST, VPMC_START_FORCE, NULL);
	gate_open(&r->target.gate);
}

static bool check_forced(struct round *r)
{
	struct vpmc_read self = read_if_any(r->fd, VPMC_SCOPE_SELF);
	struct vpmc_read children = read_if_any(r->fd, VPMC_SCOPE_CHILDREN);
	uint64_t all = r->target.script.cost.instructions;

	check_round(!r->result, "start: errno %d", -r->result);
	check_round(children.count[0] == r->child.instructions &&
			    children.count[1] == r->child.branches,
		    "the child: %llu %llu", children.count[0],
		    children.count[1]);
	check_round(self.count[0] <= all, "%llu instructions", self.count[0]);
	r->earlier = all - self.count[0];
	return r->earlier < r->forked.instructions;
}

/* The test attaches to the process and starts it. The process executes a program. */

static void add_exec(struct round *r)
{
	target_gate(&r->target, false);
	script_exec_exactly(&r->target.script, "exactly-100000", PROGRAM);
}

static void act_attach_start(struct round *r)
{
	act_attach(r);
	if (!r->result)
		r->result = start(r->fd, FIRST, 0, NULL);
}

static bool check_executed(struct round *r)
{
	struct vpmc_read self;

	check_round(!r->result || r->result == -ESRCH,
		    "attach and start: errno %d", -r->result);
	if (r->result)
		return false;
	self = read_if_any(r->fd, VPMC_SCOPE_SELF);
	check_round(self.generation && self.count[0] <= PROGRAM + 10,
		    "generation %llu, %llu instructions", self.generation,
		    self.count[0]);
	return self.count[0] < PROGRAM;
}

/* The test takes the counters by system mode. The process reads its counts. */

static void add_read(struct round *r)
{
	r->start = start_arg(FIRST, 0);
	r->read = read_arg(VPMC_SCOPE_SELF);
	script_start(&r->target.script, r->other, r->start);
	target_gate(&r->target, true);
	r->child = script_read(&r->target.script, r->other, r->read);
	script_exit(&r->target.script, 0);
}

static void act_take_over(struct round *r)
{
	static struct vpmc_start *start;
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int fd = open_device();

	if (!start)
		start = start_arg(OTHER, VPMC_START_FORCE);
	r->result = request(fd, VPMC_SYSTEM_START, start)
			    ?: request(fd, VPMC_SYSTEM_STOP, &stop);
	close(fd);
}

static bool check_taken(struct round *r)
{
	const struct vpmc_read *read = r->read;
	bool same = read->generation == r->start->generation;

	check_round(!r->result, "system mode: errno %d", -r->result);
	if (same)
		check_round(read->count[0] == r->child.instructions &&
				    read->count[1] == r->child.branches &&
				    read->state == VPMC_STATE_RUNNING,
			    "%llu %llu want %llu %llu, state %u",
			    read->count[0], read->count[1],
			    (unsigned long long)r->child.instructions,
			    (unsigned long long)r->child.branches, read->state);
	else
		check_round(read->state == VPMC_STATE_REVOKED,
			    "another generation, but state %u", read->state);
	return same;
}

/* A thread of the process maps a page, and the other thread forks. The test does nothing. */

#define NOT_YET 1

static void add_map(struct round *r)
{
	struct vpmc_map *map = shared(sizeof(*map));
	struct script child = script_new(), thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));

	map->size = sizeof(*map);
	r->mapped = shared(sizeof(*r->mapped));
	r->seen = shared(sizeof(*r->seen));
	r->read = read_arg(VPMC_SCOPE_CHILDREN);
	r->start = start_arg(FIRST, 0);
	script_start(&r->target.script, r->other, r->start);
	target_gate(&r->target, true);
	script_thread(&r->target.script, &thread, pair);
	script_stay_on(&thread, 0);
	script_call(&thread, SYS_ioctl, (uint32_t)r->other, VPMC_MAP, P(map));
	script_save(&thread, r->mapped);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	script_fork(&r->target.script, &child, SYS_fork);
	script_copy(&child, r->mapped, r->seen);
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&r->target.script);
	script_read(&r->target.script, r->other, r->read);
	script_join(&r->target.script, pair);
	script_exit(&r->target.script, 0);
	r->child = child.cost;
	/* The parent gets the counts of both threads. */
	r->target.script.cost = cost_add(r->target.script.cost, thread.cost);
}

static void before_map(struct round *r)
{
	*r->mapped = NOT_YET;
	act_attach(r);
}

static void act_nothing(struct round *r)
{
	(void)r;
}

static bool check_mapped(struct round *r)
{
	struct vpmc_read self = read_if_any(r->fd, VPMC_SCOPE_SELF);
	struct cost want = r->target.script.cost;

	check_round(self.count[0] == want.instructions &&
			    self.count[1] == want.branches,
		    "SELF %llu %llu want %llu %llu", self.count[0],
		    self.count[1], (unsigned long long)want.instructions,
		    (unsigned long long)want.branches);
	check_round(r->read->count[0] == r->child.instructions,
		    "the child: %llu", r->read->count[0]);
	check_round(!r->result && !*r->mapped, "attach %d, map %d", r->result,
		    (int)*r->mapped);
	return *r->seen == NOT_YET;
}

/*
 * The test unloads the driver, while the process waits for children that have counted. They count
 * as many events as possible, so that it takes long to add their counts.
 */
static struct vpmc_start *many_events(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_MULTIPLEX);
	uint32_t i;

	start->nr_events = VPMC_MAX_EVENTS;
	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		start->event[i] = start->event[i % 2];
	return start;
}

static void add_wait(struct round *r)
{
	struct script *s = &r->target.script, child = script_new();
	uint32_t *fd = shared(sizeof(*fd));
	char *path = shared(sizeof(VPMC_DEVICE));
	int i;

	memcpy(path, VPMC_DEVICE, sizeof(VPMC_DEVICE));
	r->child_pid = shared(CHILDREN * sizeof(*r->child_pid));
	for (i = 0; i < CHILDREN; i++) {
		script_fork(s, &child, SYS_fork);
		script_save(s, &r->child_pid[i]);
	}
	target_gate(&r->target, false);
	for (i = 0; i < CHILDREN; i++)
		script_wait(s);
	script_exit(s, 0);
	script_call(&child, SYS_open, P(path));
	script_save(&child, fd);
	script_load(&child, 0, fd);
	script_call(&child, SYS_ioctl, 0, VPMC_START, P(many_events()));
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
}

static void until_children_are_zombies(struct round *r)
{
	int i;

	for (i = 0; i < CHILDREN; i++)
		while (state_of(r->child_pid[i]) != 'Z')
			usleep(1000);
}

static void act_unload(struct round *r)
{
	r->result = syscall(SYS_delete_module, "vpmc", O_NONBLOCK) ? -errno : 0;
}

/* Check that the driver has been unloaded or can be unloaded now, and load it again. */
static bool check_unloaded(struct round *r)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);

	check_round(!r->result || r->result == -EAGAIN, "unload: errno %d",
		    -r->result);
	if (r->result && syscall(SYS_delete_module, "vpmc", 0))
		check_round(false, "unload again: errno %d", errno);
	if (syscall(SYS_finit_module, fd, "", 0))
		err(2, MODULE);
	close(fd);
	return r->result == 0;
}

static const struct pair pairs[] = {
	{ "start-exit", 8192, add_exit, act_attach, act_start, check_started },
	{ "stop-fork", 24576, add_fork, act_attach, act_stop, check_stopped },
	{ "force-fork", 24576, add_fork_between, act_attach, act_force,
	  check_forced },
	{ "attach-exec", 65536, add_exec, NULL, act_attach_start,
	  check_executed },
	{ "takeover-read", 8192, add_read, NULL, act_take_over, check_taken },
	{ "map-fork", 1, add_map, before_map, act_nothing, check_mapped },
	{ "unload-wait", 16384, add_wait, until_children_are_zombies,
	  act_unload, check_unloaded },
};

/* Return the counts of all processes for which this process has waited. */
static struct vpmc_read collected(void)
{
	struct vpmc_read read;
	int fd = open_device();

	read = read_if_any(fd, VPMC_SCOPE_CHILDREN);
	close(fd);
	return read;
}

/* Wait for the process, and check that all its counts are added to this process. */
static void check_arrival(const struct round *r)
{
	struct vpmc_read before = collected(), after;
	struct vpmc_read self = read_if_any(r->fd, VPMC_SCOPE_SELF);
	struct vpmc_read children = read_if_any(r->fd, VPMC_SCOPE_CHILDREN);
	uint64_t arrived, sent = self.count[0] + children.count[0] + r->earlier;

	if (waitpid(r->target.pid, NULL, 0) != r->target.pid)
		err(2, "waitpid");
	after = collected();
	arrived = after.count[0] - before.count[0];
	check_round(arrived == sent, "%llu arrived of %llu",
		    (unsigned long long)arrived, (unsigned long long)sent);
}

/* Open two handles. The script uses one of them by its number. */
static void open_handles(struct round *r)
{
	r->fd = open_device();
	if (dup2(r->fd, r->other) < 0)
		err(2, "dup2");
	close(r->fd);
	r->fd = open_device();
}

/*
 * Begin the turns of this seed at a clock tick, so that each round with this seed begins in the
 * same way.
 */
static void begin_turns(void)
{
	static const uint32_t longest[] = { 16, 256, 4096, 65536 };
	const struct timespec moment = { .tv_nsec = 1 };

	nanosleep(&moment, NULL);
	set_turns(seed, longest[seed % 4]);
}

static void delay(uint32_t longest)
{
	volatile uint32_t rounds = seed * 2654435761U % longest;

	while (rounds)
		rounds--;
}

/* Run a round. Returns which of the two outcomes occurred. */
static bool run_round(const struct pair *pair, struct round *r)
{
	bool outcome, unloads = pair->act == act_unload;

	if (!unloads)
		open_handles(r);
	target_create(&r->target);
	if (pair->before)
		pair->before(r);
	begin_turns();
	gate_open(&r->target.gate);
	delay(pair->longest);
	pair->act(r);
	if (waitid(P_PID, (id_t)r->target.pid, NULL, WEXITED | WNOWAIT))
		err(2, "waitid");
	set_turns(0, 0);
	outcome = pair->verify(r);
	if (pair->before && !unloads)
		check_arrival(r);
	else
		target_reap(&r->target);
	if (!unloads)
		close(r->fd);
	return outcome;
}

static const struct pair *pair_named(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (!strcmp(name, pairs[i].name))
			return &pairs[i];
	}
	errx(2, "no pair %s", name);
}

static void run_rounds(const struct pair *pair, uint32_t first, uint32_t count)
{
	struct round round = { .other = open_device() };
	unsigned int outcomes[2] = { 0, 0 };

	round.target = target_new();
	script_stay_on(&round.target.script, 1);
	pair->add(&round);
	if (pair->act == act_unload)
		close(round.other);
	for (seed = first; seed < first + count; seed++)
		outcomes[run_round(pair, &round)]++;
	check(count < MANY || (outcomes[0] && outcomes[1]),
	      "%s: %u seeds, outcomes %u and %u", pair->name, count,
	      outcomes[0], outcomes[1]);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		errx(2, "usage: turns PAIR FIRST COUNT");
	stay_on(0);
	run_rounds(pair_named(argv[1]), (uint32_t)strtoul(argv[2], NULL, 0),
		   (uint32_t)strtoul(argv[3], NULL, 0));
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * preempt: test that a call for all threads of a process lets other tasks run again and
 * again, however many threads there are.
 *
 * A process of the highest priority waits for an interrupt, which comes after a number
 * of instructions of the call, and notes when it runs. Everything is on one processor.
 * An interrupt and a switch take the same number of instructions each time. The call
 * has executed all further instructions before it could be preempted.
 */
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary.h"
#include "follow.h"
#include "hold.h"

#define NR_THREADS 200
#define STACK_SIZE 16384
#define MOST	   4000 /* instructions without a chance for others */
#define STEP	   331
#define REPEAT	   2
#define MAX_STEPS  1000
#define EXIT_STEP  6000 /* instructions of a read, in the midst of it */
#define EXIT_TRIES 2
#define NR_EXIT	   2 /* at each end of the list */
#define WORK	   100000
#define YIELDS	   20 /* more than a child needs to come to its call, or to end */
#define MOST_HELD  32	 /* KB: a slab */
#define MIDDLE	   30000 /* instructions of a start that allocates memory */
#define NR_STARTS  8
#define MODULE	   "wake.ko"
#define WAIT	   "/sys/module/wake/parameters/wait"

static struct gate never, created, begun, to_end, to_start;

/*
 * In memory that all share: when the process of the highest priority ran last, whether it
 * stops the others, and the generation that it has stopped; whether it kills others that
 * wait, how many there were, and how many of them have gone at once; whether it leaves one
 * that waits, and that there is one; whether it lets threads exit, and how many of these have
 * done what they count; whether it lets others start, who these are, how many of them wait,
 * how many kilobytes of objects they have made the kernel hold, and how many of two that
 * are killed have gone at once.
 */
static struct {
	volatile uint64_t ran;
	volatile bool stops;
	volatile uint64_t generation;
	volatile bool kills;
	volatile uint32_t waited, gone;
	volatile bool leaves, left;
	volatile bool ends;
	volatile int worked;
	volatile bool starts;
	pid_t starter[NR_STARTS];
	volatile uint32_t starters;
	volatile long held;
	volatile uint32_t killed;
} * urgent;

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	gate_open(&created);
	gate_wait(&never);
	return NULL;
}

/* Count, and exit when the process of the highest priority opens the gate. */
static void *work_and_exit(void *unused)
{
	const struct sched_param param = { .sched_priority = 1 };
	int i;

	(void)unused;
	if (syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "a thread that exits");
	gate_open(&created);
	gate_wait(&begun);
	for (i = 0; i < WORK; i++)
		__asm__ volatile("");
	urgent->worked++;
	gate_wait(&to_end);
	return NULL;
}

/* Create a process. All threads sleep except the first and the last ones, which exit. */
static pid_t create_process(int nr_exit)
{
	pthread_attr_t attributes;
	pid_t pid = fork();
	pthread_t id;
	bool exits;
	int i;

	if (pid) {
		for (i = 0; i <= NR_THREADS; i++)
			gate_wait(&created);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	for (i = 0; i < NR_THREADS; i++) {
		exits = i < nr_exit || i >= NR_THREADS - nr_exit;
		if (pthread_create(&id, &attributes,
				   exits ? work_and_exit : sleep_for_ever,
				   NULL))
			errx(2, "no thread %d", i);
	}
	sleep_for_ever(NULL);
	_exit(1);
}

static void load_module(void)
{
	int fd = open(MODULE, O_RDONLY | O_CLOEXEC);
	char parameters[32];

	snprintf(parameters, sizeof(parameters), "irq=%u", IRQ_WAKE);
	if (fd < 0 || syscall(SYS_finit_module, fd, parameters, 0))
		err(2, MODULE);
	close(fd);
}

/* Let a child of the highest priority run until it sleeps or has ended. */
static void let_run(void)
{
	int i;

	for (i = 0; i < YIELDS; i++)
		sched_yield();
}

/* A child that makes this call waits for the interrupted call, which does not continue. */
static void kill_one_that(void (*call)(int fd), int fd)
{
	pid_t pid = fork();
	bool waits;

	if (!pid) {
		call(fd);
		_exit(0);
	}
	let_run();
	waits = state_of((uint32_t)pid) == 'D';
	kill(pid, SIGKILL);
	let_run();
	urgent->waited += waits;
	urgent->gone += waits && waitpid(pid, NULL, WNOHANG) == pid;
}

static void stop_it(int fd)
{
	stop(fd, NULL);
}

static void read_it(int fd)
{
	read_scope(fd, VPMC_SCOPE_SELF);
}

static void start_it(int fd)
{
	start(fd, FIRST, VPMC_START_FORCE, NULL);
}

/*
 * Fork a child that waits for the interrupted call. The child does not notice the end of the
 * call as long as others run.
 */
static void leave_one(int fd)
{
	const struct sched_param param = { .sched_priority = 0 };
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stop_it(fd);
		_exit(0);
	}
	let_run();
	urgent->left = state_of((uint32_t)pid) == 'D';
	if (syscall(SYS_sched_setscheduler, pid, SCHED_IDLE, &param))
		err(2, "SCHED_IDLE");
}

static bool kill_starter(pid_t pid)
{
	kill(pid, SIGKILL);
	let_run();
	return state_of((uint32_t)pid) == 'Z';
}

/* Other processes start the process of a call that does not continue. */
static void let_start(void)
{
	long before = (long)number_in("/proc/meminfo", "Slab:");
	int i;

	for (i = 0; i < NR_STARTS; i++)
		gate_open(&to_start);
	let_run();
	urgent->held = (long)number_in("/proc/meminfo", "Slab:") - before;
	for (i = 0; i < NR_STARTS; i++)
		urgent->starters +=
			state_of((uint32_t)urgent->starter[i]) == 'D';
	urgent->killed += kill_starter(urgent->starter[1]);
	urgent->killed += kill_starter(urgent->starter[NR_STARTS - 1]);
}

static void act(int fd)
{
	uint64_t generation;
	int i;

	urgent->ran = kernel_instructions();
	if (urgent->kills) {
		kill_one_that(stop_it, fd);
		kill_one_that(read_it, fd);
		kill_one_that(start_it, fd);
	}
	if (urgent->leaves)
		leave_one(fd);
	for (i = 0; urgent->ends && i < 2 * NR_EXIT; i++)
		gate_open(&to_end);
	if (urgent->starts)
		let_start();
	if (urgent->stops && !stop(fd, &generation))
		urgent->generation = generation;
}

static void create_urgent(int fd)
{
	const struct sched_param param = { .sched_priority = 1 };
	char byte;
	int wait;

	if (fork()) {
		gate_wait(&created);
		return;
	}
	wait = open(WAIT, O_RDONLY | O_CLOEXEC);
	if (wait < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "the process of the highest priority");
	gate_open(&created);
	while (pread(wait, &byte, 1, 0) == 1)
		act(fd);
	err(2, WAIT);
}

/**
 * struct interrupted - a call that is interrupted
 * @after: where the script has the number of the instruction
 * @left: the rest of it when the call is over
 */
struct interrupted {
	const char *name;
	struct script script;
	uint32_t *after, *left;
};

/*
 * Return the time from the beginning of the call to the moment when the other process runs.
 * The interrupt comes at the n-th instruction. Return 0 if the call ends first.
 */
static uint64_t ran_at(struct interrupted *c, uint32_t n)
{
	uint64_t before;

	*c->after = n;
	urgent->ran = 0;
	before = kernel_instructions();
	script_run(&c->script);
	return *c->left ? 0 : urgent->ran - before;
}

/* Return the least of several times, because a clock tick may be in one of them. */
static uint64_t least_ran_at(struct interrupted *c, uint32_t n)
{
	uint64_t least = UINT64_MAX, one;
	int i;

	for (i = 0; i < REPEAT; i++) {
		one = ran_at(c, n);
		if (one < least)
			least = one;
	}
	return least;
}

/*
 * Check the call. All times contain the same interrupt and switch. So two times that follow
 * each other differ by the instructions of the call between two chances for other tasks.
 * @first: the time of a call that is interrupted at its first instruction, and lets others
 * run at once.
 */
static void check_call(struct interrupted *c, uint64_t first)
{
	uint64_t last = first, most = 0, one;
	uint32_t steps;

	for (steps = 0; steps < MAX_STEPS; steps++) {
		one = least_ran_at(c, 1 + steps * STEP);
		if (!one)
			break;
		if (one > last && one - last > most)
			most = one - last;
		last = one;
	}
	check(steps * STEP > 20 * NR_THREADS && steps < MAX_STEPS &&
		      most <= MOST,
	      "%s of %u threads, interrupted at %u instructions: %llu at once",
	      c->name, NR_THREADS, steps, (unsigned long long)most);
}

static struct interrupted interrupted_new(const char *name)
{
	struct interrupted c = { .name = name,
				 .script = script_new(),
				 .left = shared(sizeof(*c.left)) };

	c.after = script_interrupt(&c.script, IRQ_WAKE, EVERYTHING);
	return c;
}

static void finish(struct interrupted *c)
{
	script_interrupt_end(&c->script, c->left);
	script_back(&c->script);
}

/* Return the duration of a call that does nothing. */
static uint64_t least_of_nothing(void)
{
	struct interrupted c = interrupted_new("nothing");

	script_call(&c.script, SYS_getppid);
	finish(&c);
	return least_ran_at(&c, 1);
}

/*
 * A stop in the middle of a start by force waits for its end, and so stops the started
 * threads. The two use different handles, because a call on the same handle waits in
 * any case.
 */
static void check_stops(int fd, pid_t pid)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_FORCE);
	struct interrupted c = interrupted_new("a start by force");
	uint32_t n, before = 0, after = 0, wrong = 0;
	struct vpmc_read read;

	script_start(&c.script, hold(pid, 0), start);
	finish(&c);
	urgent->stops = true;
	for (n = 1; n < MAX_STEPS * STEP; n += 7 * STEP) {
		must_start(fd, FIRST, VPMC_START_FORCE);
		urgent->generation = 0;
		*c.after = n;
		script_run(&c.script);
		if (*c.left)
			break;
		read = read_scope(fd, VPMC_SCOPE_SELF);
		if (urgent->generation == start->generation) {
			after++;
			wrong += read.state != VPMC_STATE_STOPPED;
		} else {
			before++;
			wrong += read.state != VPMC_STATE_RUNNING;
		}
	}
	urgent->stops = false;
	check(before && after > 3 && !wrong,
	      "stopped before %u starts and after %u others: %u wrong", before,
	      after, wrong);
}

/* A task that waits for a long call can be killed at once. */
static void check_kills(int fd, pid_t pid)
{
	struct interrupted c = interrupted_new("a start by force");
	uint32_t n;

	script_start(&c.script, hold(pid, 0),
		     start_arg(FIRST, VPMC_START_FORCE));
	finish(&c);
	urgent->kills = true;
	for (n = 1; n < MAX_STEPS * STEP; n += 7 * STEP) {
		must_start(fd, FIRST, VPMC_START_FORCE);
		*c.after = n;
		script_run(&c.script);
		if (*c.left)
			break;
	}
	urgent->kills = false;
	check(urgent->waited > 10 && urgent->gone == urgent->waited,
	      "%u of %u calls that wait were killed", urgent->gone,
	      urgent->waited);
}

static void set_priority(int policy, int priority)
{
	const struct sched_param param = { .sched_priority = priority };

	if (syscall(SYS_sched_setscheduler, 0, policy, &param))
		err(2, "sched_setscheduler");
}

#define NR_NEXT 3

/* Children that let others go first; they use different handles. */
static void create_next(const int *other, pid_t *next)
{
	int i;

	for (i = 0; i < NR_NEXT; i++) {
		next[i] = fork();
		if (!next[i]) {
			stop_it(other[i]);
			_exit(0);
		}
	}
	let_run();
}

/*
 * Return how many of the waiting processes have their turn soon, although only one is woken
 * at a time.
 */
static uint32_t end_next(const pid_t *next)
{
	uint32_t ended = 0;
	int i, tries;

	for (i = 0; i < NR_NEXT; i++) {
		for (tries = 0; tries < 2000; tries++) {
			if (waitpid(next[i], NULL, WNOHANG) == next[i])
				break;
			usleep(1000);
		}
		ended += tries < 2000;
		kill(next[i], SIGKILL);
	}
	return ended;
}

/* Nor need those who let one go first that has waited already; and all of them are told. */
static void check_turn(int fd, pid_t pid)
{
	struct interrupted c = interrupted_new("a start by force");
	uint32_t n, called = 0, ended = 0, i;
	int other[NR_NEXT];
	pid_t next[NR_NEXT];

	for (i = 0; i < NR_NEXT; i++)
		other[i] = hold(pid, 0);
	script_start(&c.script, hold(pid, 0),
		     start_arg(FIRST, VPMC_START_FORCE));
	finish(&c);
	urgent->waited = 0;
	urgent->gone = 0;
	urgent->leaves = true;
	for (n = 1; n < MAX_STEPS * STEP; n += 20 * STEP) {
		must_start(fd, FIRST, VPMC_START_FORCE);
		urgent->left = false;
		*c.after = n;
		script_run(&c.script);
		set_priority(SCHED_FIFO, 1);
		if (urgent->left) {
			kill_one_that(stop_it, other[0]);
			create_next(other, next);
		}
		set_priority(SCHED_OTHER, 0);
		if (urgent->left) {
			called += NR_NEXT;
			ended += end_next(next);
		}
		if (*c.left)
			break;
	}
	urgent->leaves = false;
	check(urgent->waited > 2 && urgent->gone == urgent->waited,
	      "%u of %u calls that let others go first were killed",
	      urgent->gone, urgent->waited);
	check(called && ended == called,
	      "%u of %u calls that let others go first had their turn", ended,
	      called);
}

/* Count as many events as possible, which share counters. */
static struct vpmc_start *most_arg(void)
{
	struct vpmc_start *arg = shared(sizeof(*arg));
	unsigned int i;

	*arg = (struct vpmc_start){ .size = sizeof(*arg),
				    .flags = VPMC_START_FORCE |
					     VPMC_START_MULTIPLEX,
				    .nr_events = VPMC_MAX_EVENTS };
	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		arg->event[i] = (struct vpmc_event)EVENT(
			code_here(i % 2 ? BRANCHES : INSTRUCTIONS),
			(uint16_t)(i % 2), VPMC_MODE_USER);
	return arg;
}

static void create_starter(int number, pid_t target)
{
	const struct sched_param param = { .sched_priority = 1 };
	struct vpmc_start *arg = most_arg();
	pid_t pid = fork();
	int fd;

	if (pid) {
		urgent->starter[number] = pid;
		gate_wait(&created);
		return;
	}
	fd = hold(target, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) ||
	    syscall(SYS_sched_setscheduler, 0, SCHED_FIFO, &param))
		err(2, "a process that starts");
	gate_open(&created);
	gate_wait(&to_start);
	_exit(request(fd, VPMC_START, arg) != 0);
}

/*
 * Check starts. One start allocates 2 KB for each thread, and the others wait for it. While
 * they wait, each has only a set of events, and all sets fit into one slab. They can be
 * killed while they wait. Then each of the others has its turn.
 */
static void check_starts(int fd, pid_t pid)
{
	struct interrupted c = interrupted_new("a start of many events");
	int i, status, started = 0;

	for (i = 0; i < NR_STARTS; i++)
		create_starter(i, pid);
	script_start(&c.script, fd, most_arg());
	finish(&c);
	*c.after = MIDDLE;
	urgent->starts = true;
	script_run(&c.script);
	urgent->starts = false;
	for (i = 0; i < NR_STARTS; i++)
		started +=
			waitpid(urgent->starter[i], &status, 0) > 0 && !status;
	check(!*c.left && urgent->starters == NR_STARTS &&
		      urgent->held <= MOST_HELD,
	      "%u starts wait, with %ld KB", urgent->starters, urgent->held);
	check(urgent->killed == 2 && started == NR_STARTS - 2,
	      "%u of them are killed, and %d start", urgent->killed, started);
}

/* Threads that exit in the middle of a read are in its counts once. */
static void check_exits_at(uint32_t n)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_SELF);
	struct interrupted c = interrupted_new("a read");
	pid_t pid = create_process(NR_EXIT);
	int fd = hold(pid, 0), i;
	uint64_t before;

	urgent->worked = 0;
	must_start(fd, FIRST, VPMC_START_FORCE);
	for (i = 0; i < 2 * NR_EXIT; i++)
		gate_open(&begun);
	while (urgent->worked < 2 * NR_EXIT)
		sched_yield();
	script_call(&c.script, SYS_ioctl, (script_word)fd, VPMC_READ, P(read));
	finish(&c);
	before = read_scope(fd, VPMC_SCOPE_SELF).count[0];
	*c.after = n;
	urgent->ends = true;
	script_run(&c.script);
	urgent->ends = false;
	check(!*c.left && before > WORK && read->count[0] > before &&
		      read->count[0] < before + WORK,
	      "they executed %llu instructions, and then some more: %llu",
	      (unsigned long long)before, (unsigned long long)read->count[0]);
	kill(pid, SIGKILL);
}

static void check_exits(void)
{
	uint32_t i;

	for (i = 1; i <= EXIT_TRIES; i++)
		check_exits_at(i * EXIT_STEP);
}

int main(void)
{
	struct interrupted c;
	uint64_t first;
	pid_t pid;
	int fd;

	never = gate_new();
	created = gate_new();
	begun = gate_new();
	to_end = gate_new();
	to_start = gate_new();
	urgent = shared(sizeof(*urgent));
	load_module();
	pid = create_process(0);
	fd = hold(pid, 0);
	must_start(fd, FIRST, 0);
	create_urgent(fd);
	first = least_of_nothing();

	c = interrupted_new("a start by force");
	script_start(&c.script, fd, start_arg(FIRST, VPMC_START_FORCE));
	finish(&c);
	check_call(&c, first);
	c = interrupted_new("a start by force that counts others");
	script_start(&c.script, fd, start_arg(OTHER, VPMC_START_FORCE));
	script_start(&c.script, fd, start_arg(FIRST, VPMC_START_FORCE));
	finish(&c);
	check_call(&c, first);
	c = interrupted_new("a read");
	script_call(&c.script, SYS_ioctl, (script_word)fd, VPMC_READ,
		    P(read_arg(VPMC_SCOPE_SELF)));
	finish(&c);
	check_call(&c, first);
	c = interrupted_new("a stop and a resumption");
	script_stop(&c.script, fd, stop_arg());
	script_start(&c.script, fd, start_arg(FIRST, VPMC_START_RESUME));
	finish(&c);
	check_call(&c, first);
	check_stops(fd, pid);
	check_kills(fd, pid);
	check_turn(fd, pid);
	check_starts(fd, pid);
	check_exits();
	return check_status();
}

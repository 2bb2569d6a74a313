// SPDX-License-Identifier: GPL-2.0-only
/*
 * preempt: test that a call for all threads of a process lets other tasks run again and again, even
 * if there are many threads.
 *
 * A process of the highest priority, called urgent here, waits for an interrupt. The interrupt
 * comes after a given number of instructions of the call. The urgent process notes the time when it
 * runs. All processes run on one processor. The interrupt and the context switch take the same
 * number of instructions each time. So a later time means that the call has executed more
 * instructions before it could be preempted.
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
#define MOST	   4000 /* instructions of a call without a preemption */
#define STEP	   331
#define REPEAT	   2
#define MAX_STEPS  1000
#define EXIT_STEP  6000 /* instructions, in the middle of a read */
#define EXIT_TRIES 2
#define NR_EXIT	   2 /* threads at each end of the list */
#define WORK	   100000
#define YIELDS	   20 /* enough for a child to come to its call, or to exit */
#define MOST_HELD  32 /* in KB, a slab */
#define MIDDLE	   30000 /* instructions, in the middle of allocations */
#define NR_STARTS  8
#define MODULE	   "wake.ko"
#define WAIT	   "/sys/module/wake/parameters/wait"

static struct gate never, created, begun, to_end, to_start;

/*
 * The orders for the urgent process and its results, in memory that all processes share:
 *
 * @ran: the time when it ran last
 * @stops, @generation: whether it stops the process, and the generation that it has stopped
 * @kills, @waited, @gone: whether it makes calls in children and kills the children, the number of
 *	children that waited in their call, and the number of children that exited at once when they
 *	were killed
 * @leaves, @left: whether it leaves a child in such a call, and whether it has done so
 * @ends, @worked: whether it lets threads exit, and the number of threads that have finished their
 *	work
 * @starts: whether it lets other processes start
 * @starter, @starters: these processes, and how many of them wait in their start
 * @held: the memory of the kernel's objects that these starts hold, in KB
 * @killed: how many of two starters exited at once when they were killed
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

/* Be a thread that works, and exits when the urgent process opens the gate. */
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

/*
 * Create a process with many threads. The first @nr_exit and the last @nr_exit threads work and
 * exit, and the others only sleep.
 */
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

/* Let a child with the same priority run until it sleeps or has exited. */
static void let_run(void)
{
	int i;

	for (i = 0; i < YIELDS; i++)
		sched_yield();
}

/*
 * Fork a child that makes a call, and kill it. The child waits, because the interrupted call does
 * not continue while the urgent process runs.
 */
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
 * Fork a child that waits for the interrupted call. Its priority is so low that it does not run
 * after the end of the call as long as other tasks run.
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

/*
 * Let other processes start the process. They must wait, because the interrupted call does not
 * continue. Then kill two of them.
 */
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
 * @name: its name in messages
 * @script: the script with the call
 * @after: the address of the number of the instruction in the script
 * @left: the instructions that remained before the interrupt at the end of the call
 */
struct interrupted {
	const char *name;
	struct script script;
	uint32_t *after, *left;
};

/*
 * Run the call with an interrupt at the n-th instruction. Returns the time from its beginning to
 * the moment when the urgent process runs, in instructions, or 0 if the call ends before the
 * interrupt.
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

/* Return the smallest of several times. A greater one may contain a clock tick. */
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
 * Check how long a call runs without preemption. All times contain the same interrupt and switch.
 * So two successive times differ by the instructions between two moments at which the call can be
 * preempted. @first is the time of a call that is preempted at its first instruction.
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

/* Return the time of a system call that does nothing. */
static uint64_t least_of_nothing(void)
{
	struct interrupted c = interrupted_new("nothing");

	script_call(&c.script, SYS_getppid);
	finish(&c);
	return least_ran_at(&c, 1);
}

/*
 * Check a stop in the middle of a start by force. The stop waits for the end of the start, and so
 * stops the started threads. The two calls use different handles, because calls on the same handle
 * always wait for each other.
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

/* Check that a task that waits for a long call can be killed at once. */
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

/* Create children that make a call and have to wait for their turn. They use different handles. */
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

/* Return how many of these children have their turn soon. Each call wakes only one waiting task. */
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

/*
 * Check calls that have to wait for a task that already waits. Such a call can be killed, and each
 * of them has its turn.
 */
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

/* Return a start of as many events as possible, which share counters. */
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
			counter_here(i % 2), VPMC_MODE_USER);
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
 * Check starts that wait for another start. The first start allocates 2 KB for each thread. While
 * the other starts wait, each has only allocated a set of events, and all sets fit into one slab.
 * Two waiting starts are killed. Each of the remaining starts must have its turn.
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

/* Check that a read contains threads that exit in the middle of the read, and only once. */
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

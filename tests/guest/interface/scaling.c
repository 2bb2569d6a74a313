// SPDX-License-Identifier: GPL-2.0-only
/*
 * scaling: test that the cost of a call for one thread does not grow with the number of the
 * process's threads. Test that a call for all threads interrupts only processors that run threads
 * of its process, and interrupts each of them only once.
 *
 *	scaling interrupts [THREADS]
 *	scaling instructions [THREADS]
 *
 * For instructions, the test takes the smallest number of several repetitions. The number of
 * interrupts must be the same in nearly all repetitions. A few may differ, because the kernel has
 * other reasons to interrupt processors, and runs its own tasks between threads.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary.h"
#include "hold.h"

#define REPEAT	   10
#define OTHERWISE  2 /* repetitions that may differ */
#define ROUNDS	   100000
#define MAX_CPUS   2
#define STACK_SIZE 16384
#define MEMBERS	   200
#define RUNNERS	   3 /* on each processor */

static unsigned int nr_threads = 2000;

static struct gate never, created;

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	gate_open(&created);
	gate_wait(&never);
	return NULL;
}

static void create_threads(unsigned int number)
{
	pthread_attr_t attributes;
	pthread_t id;
	unsigned int i;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	for (i = 0; i < number; i++) {
		if (pthread_create(&id, &attributes, sleep_for_ever, NULL))
			errx(2, "no thread %u", i);
		gate_wait(&created);
	}
}

/* Create threads, distributed over the processors. The caller stays on the first one. */
static void create_threads_everywhere(void)
{
	unsigned int cpu;

	for (cpu = MAX_CPUS; cpu--;) {
		stay_on(cpu);
		create_threads(nr_threads / MAX_CPUS);
	}
}

/*
 * Read the number of function-call interrupts of each processor. This function must not map or
 * unmap memory, because that would interrupt the processors of other threads.
 */
static void read_interrupts(unsigned long *calls)
{
	static char text[16384];
	int file = open("/proc/interrupts", O_RDONLY | O_CLOEXEC), i;
	size_t size = 0;
	ssize_t got;
	char *end;

	while ((got = read(file, text + size, sizeof(text) - 1 - size)) > 0)
		size += got;
	text[size] = '\0';
	end = strstr(text, "CAL:");
	if (got < 0 || !end)
		err(2, "/proc/interrupts");
	end += 4;
	for (i = 0; i < MAX_CPUS; i++)
		calls[i] = strtoul(end, &end, 10);
	close(file);
}

static void do_stop(int fd)
{
	stop(fd, NULL);
}

static void do_start(int fd)
{
	must_start(fd, FIRST, VPMC_START_FORCE);
}

static void do_other_start(int fd)
{
	static enum events events;

	events = events == FIRST ? OTHER : FIRST;
	must_start(fd, events, VPMC_START_FORCE);
}

/* Start to count kernel mode too. Root may do this. */
static void start_with_kernel(int fd, unsigned int flags)
{
	static struct vpmc_start *start;
	unsigned int i;

	if (!start) {
		start = start_arg(FIRST, flags);
		for (i = 0; i < start->nr_events; i++)
			start->event[i].modes |= VPMC_MODE_KERNEL;
	}
	if (request(fd, VPMC_START, start))
		errx(2, "no start that counts the kernel");
}

static void do_kernel_start(int fd)
{
	start_with_kernel(fd, VPMC_START_FORCE);
}

static void do_read(int fd)
{
	read_scope(fd, VPMC_SCOPE_SELF);
}

/**
 * struct repeated - an operation that is repeated
 * @what: its name
 * @prepare: function to call before each repetition, or NULL
 * @carry_out: function that executes the operation
 * @times: number of interrupts of a processor that runs threads of the process
 */
struct repeated {
	const char *what;
	void (*prepare)(int fd);
	void (*carry_out)(int fd);
	unsigned int times;
};

/* Count the interrupts of each processor in each repetition. */
static void count_calls(const struct repeated *o, int fd,
			unsigned long calls[MAX_CPUS][REPEAT])
{
	unsigned long before[MAX_CPUS] = {}, after[MAX_CPUS] = {};
	int i, cpu;

	for (i = 0; i < REPEAT; i++) {
		if (o->prepare)
			o->prepare(fd);
		usleep(20000);
		read_interrupts(before);
		o->carry_out(fd);
		read_interrupts(after);
		for (cpu = 0; cpu < MAX_CPUS; cpu++)
			calls[cpu][i] = after[cpu] - before[cpu];
	}
}

static void check_processor(const unsigned long *calls, unsigned int want,
			    unsigned int cpu, const char *what, const char *who)
{
	unsigned int i, other = 0;
	char text[REPEAT * 24] = "", *end = text;

	for (i = 0; i < REPEAT; i++) {
		other += calls[i] != want;
		end += sprintf(end, " %lu", calls[i]);
	}
	check(other <= OTHERWISE,
	      "%s, %s: %u interrupts of processor %u each time:%s", what, who,
	      want, cpu, text);
}

/*
 * Check the interrupts of an operation. The caller runs on the first processor. @beside is true if
 * the other processor runs threads of the process of @fd.
 */
static void check_operation(const struct repeated *o, const char *who, int fd,
			    bool beside)
{
	unsigned long calls[MAX_CPUS][REPEAT];
	unsigned int cpu;

	count_calls(o, fd, calls);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		check_processor(calls[cpu], cpu && beside ? o->times : 0, cpu,
				o->what, who);
}

static void check_calls(const char *who, int fd, bool beside)
{
	static const struct repeated operations[] = {
		{ "start", do_stop, do_start, 1 },
		{ "read", NULL, do_read, 1 },
		{ "start by force", NULL, do_other_start, 1 },
		{ "start by force that counts kernel mode", do_start,
		  do_kernel_start, 2 },
		{ "stop", do_start, do_stop, 1 },
	};
	unsigned int i;

	/* Let the driver take the counters of each processor now, which causes interrupts too. */
	do_start(fd);
	for (i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		check_operation(&operations[i], who, fd, beside);
}

/* Test calls of a process that is attached to a process with many threads. */
static void test_outside(void)
{
	struct gate ready = gate_new();
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		create_threads_everywhere();
		gate_open(&ready);
		gate_wait(&never);
	}
	gate_wait(&ready);
	stay_on(0);
	check_calls("from outside, of threads that sleep", hold(pid, 0), false);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_inside(void)
{
	create_threads_everywhere();
	check_calls("by the only thread that does not sleep", hold(getpid(), 0),
		    false);
}

/* These are the orders for the second thread of test_user_mode(), and that thread's ID. */
enum turn { WAIT, WORK };
static _Atomic enum turn turn;
static _Atomic int worker;

/* Run in user mode for ever, without system calls. */
static void *work_in_user_mode(void *unused)
{
	(void)unused;
	stay_on(1);
	worker = gettid();
	for (;;) {
		while (turn != WORK)
			;
		for (unsigned int i = 0; i < ROUNDS; i++)
			__asm__ volatile("");
		turn = WAIT;
	}
	return NULL;
}

/*
 * Test that a thread that never makes a system call counts as soon as another thread's call to
 * start it has returned.
 */
static void test_user_mode(void)
{
	struct vpmc_read read;
	pthread_t id;
	int i, fd;

	stay_on(0);
	if (pthread_create(&id, NULL, work_in_user_mode, NULL))
		errx(2, "no thread");
	while (!worker)
		sched_yield();
	fd = hold(getpid(), 0);
	check_calls("beside one in user mode", fd, true);
	fd = hold(worker, VPMC_ATTACH_THREAD);
	must_start(fd, FIRST, VPMC_START_FORCE);
	for (i = 0; i < REPEAT; i++) {
		must_start(fd, FIRST, VPMC_START_FORCE);
		turn = WORK;
		while (turn != WAIT)
			;
		read = read_scope(fd, VPMC_SCOPE_THREAD);
		check(read.count[0] >= ROUNDS,
		      "after the start it executed more than %u instructions, %llu counted",
		      ROUNDS, (unsigned long long)read.count[0]);
	}
}

static void *spin(void *unused)
{
	(void)unused;
	for (;;)
		sched_yield();
	return NULL;
}

/*
 * Create several threads on each processor that never sleep. The caller stays on the first
 * processor.
 */
static void create_runners(void)
{
	unsigned int cpu, i;
	pthread_t id;

	for (cpu = MAX_CPUS; cpu--;) {
		stay_on(cpu);
		for (i = 0; i < RUNNERS; i++)
			if (pthread_create(&id, NULL, spin, NULL))
				errx(2, "no thread");
	}
}

static void test_runners(void)
{
	create_runners();
	check_calls("beside several that take turns", hold(getpid(), 0), true);
}

static void become_nobody(int fd)
{
	(void)fd;
	if (setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		err(2, "setresuid");
}

/*
 * Fork a process that calls @begin, and then keeps the other processor busy until this process
 * exits.
 */
static pid_t fork_elsewhere(void (*begin)(int fd), int fd)
{
	pid_t parent = getpid(), pid;

	stay_on(0);
	pid = fork();
	if (pid)
		return pid;
	stay_on(1);
	begin(fd);
	/*
	 * Watch for the parent's exit, because a parent with other credentials could not send a
	 * signal.
	 */
	while (getppid() == parent)
		sched_yield();
	_exit(0);
}

/*
 * Test calls while the other processor runs a foreign process. The caller's threads there only
 * sleep.
 */
static void test_elsewhere(void)
{
	pid_t pid = fork_elsewhere(become_nobody, -1);
	pthread_t id;

	create_threads_everywhere();
	if (pthread_create(&id, NULL, spin, NULL))
		errx(2, "no thread");
	check_calls("beside another process", hold(getpid(), 0), false);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void do_denied_read(int fd)
{
	int result = try_read(fd, VPMC_SCOPE_ALL);

	if (result != -EPERM)
		check(false, "a read of what may not be seen: %d", result);
}

/* Collect counts of a program that unprivileged users may not watch. */
static void collect_with_kernel(int fd)
{
	if (prctl(PR_SET_DUMPABLE, 0))
		err(2, "PR_SET_DUMPABLE");
	start_with_kernel(fd, VPMC_START_COLLECT);
}

/*
 * Give up the effective capabilities. The permitted ones remain, so the process may still watch
 * those programs of root that allow it.
 */
static void lay_down_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	int i;

	if (syscall(SYS_capget, &header, data))
		err(2, "capget");
	for (i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		data[i].effective = 0;
	if (syscall(SYS_capset, &header, data))
		err(2, "capset");
}

/* A read that is refused does not interrupt processors. */
static void test_denied(void)
{
	static const struct repeated read = { "a denied read", NULL,
					      do_denied_read, 0 };
	int fd = open_device();

	fork_elsewhere(collect_with_kernel, fd);
	while (try_read(fd, VPMC_SCOPE_ALL))
		;
	lay_down_capabilities();
	check_operation(&read, "of another process", fd, true);
}

static void do_read_all(int fd)
{
	read_scope(fd, VPMC_SCOPE_ALL);
}

static void keep_rights(int fd)
{
	(void)fd;
	gate_open(&created);
}

/*
 * When a process without privileges reads ALL, the read does not interrupt processors for counts
 * that the process may not see any more.
 */
static void test_given_up(void)
{
	static const struct repeated read = { "a read of ALL", NULL,
					      do_read_all, 0 };
	int fd = open_device();

	must_start(fd, FIRST, VPMC_START_COLLECT);
	fork_elsewhere(keep_rights, fd);
	gate_wait(&created);
	become_nobody(fd);
	check_operation(&read, "by who has given up rights", fd, true);
	check(read_scope(fd, VPMC_SCOPE_ALL).revoked == 1,
	      "which hides the other process");
}

/*
 * A read of ALL interrupts processors for counts that the process may still see, so they are up to
 * date.
 */
static void test_kept(void)
{
	static const struct repeated read = { "a read of ALL", NULL,
					      do_read_all, 1 };
	int fd = open_device();

	must_start(fd, FIRST, VPMC_START_COLLECT);
	become_nobody(fd);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
	fork_elsewhere(keep_rights, fd);
	gate_wait(&created);
	check_operation(&read, "of a process that has given them up, too", fd,
			true);
	check(!read_scope(fd, VPMC_SCOPE_ALL).revoked, "which is shown");
}

/* Start again in a process that its user may not watch. */
static void start_hidden(int fd)
{
	(void)fd;
	if (prctl(PR_SET_DUMPABLE, 0))
		err(2, "PR_SET_DUMPABLE");
	must_start(open_device(), FIRST, VPMC_START_FORCE);
	gate_open(&created);
}

/*
 * A read by an ordinary user does not interrupt processors for a collected process whose counts the
 * user may not see.
 */
static void test_hidden(void)
{
	static const struct repeated read = { "a read of ALL", NULL,
					      do_read_all, 0 };
	int fd = open_device();

	become_nobody(fd);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
	must_start(fd, FIRST, VPMC_START_COLLECT);
	fork_elsewhere(start_hidden, fd);
	gate_wait(&created);
	check_operation(&read, "with a process that may not be watched", fd,
			true);
	/*
	 * Only the counts since the new start are revoked. The counts before it were inherited, and
	 * belong to a process that may be watched.
	 */
	check(read_scope(fd, VPMC_SCOPE_ALL).revoked == 1,
	      "which it hides, too");
}

/* These are the operations of the calling thread for itself. */
enum operation { START, READ, STOP, CREATE, NR_OPERATIONS };

static const char *const names[] = {
	[START] = "start",
	[READ] = "read of the thread",
	[STOP] = "stop",
	[CREATE] = "a thread's creation and exit",
};

/**
 * struct life - a thread that only exits, and whose creator waits for its exit
 * @script: the script of the creator
 * @left: MANY_INSTRUCTIONS minus the driver's instructions during that life
 */
struct life {
	struct script script;
	uint32_t *left;
};

#define MANY_INSTRUCTIONS 1000000000

static struct life thread_life(void)
{
	struct script s = script_new(), thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	uint32_t *left = shared(sizeof(*left));

	*script_interrupt(&s, IRQ_TIMER, driver_text()) = MANY_INSTRUCTIONS;
	script_thread(&s, &thread, pair);
	script_exit(&thread, 0);
	script_join(&s, pair);
	/* Let the thread run until it has exited, which includes leaving the list of threads. */
	script_call(&s, SYS_sched_yield);
	script_interrupt_end(&s, left);
	script_back(&s);
	return (struct life){ s, left };
}

static void call(enum operation operation, int fd)
{
	switch (operation) {
	case START:
		must_start(fd, FIRST, 0);
		break;
	case READ:
		read_scope(fd, VPMC_SCOPE_THREAD);
		break;
	default:
		must_stop(fd);
	}
}

/*
 * Return the cost of an operation in kernel instructions. For the life of a thread, return the
 * driver's instructions only, because the number of instructions in the kernel's allocators varies
 * by several thousand.
 */
static uint64_t cost_of(enum operation operation, int fd, struct life *life)
{
	uint64_t before;

	if (operation == CREATE) {
		script_run(&life->script);
		return MANY_INSTRUCTIONS - *life->left;
	}
	before = kernel_instructions();
	call(operation, fd);
	return kernel_instructions() - before;
}

static void measure(uint64_t *least, int fd, struct life *life)
{
	static const enum operation order[] = { START, READ, CREATE, STOP };
	unsigned int i, j;
	uint64_t cost;

	for (i = 0; i < NR_OPERATIONS; i++)
		least[i] = UINT64_MAX;
	for (i = 0; i < REPEAT; i++) {
		for (j = 0; j < NR_OPERATIONS; j++) {
			cost = cost_of(order[j], fd, life);
			if (cost < least[order[j]])
				least[order[j]] = cost;
		}
	}
}

/*
 * Choose a policy with which a task that wakes up does not preempt the running one. So the life of
 * a thread always has the same switches.
 */
static void let_others_finish(void)
{
	const struct sched_param none = { .sched_priority = 0 };

	if (syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &none))
		err(2, "SCHED_BATCH");
}

/*
 * Compare the cost of operations in a process with few threads and with many. All of its other
 * threads have counted and have been stopped.
 */
static void test_instructions(void)
{
	struct life life = thread_life();
	uint64_t few[NR_OPERATIONS], many[NR_OPERATIONS];
	int fd = open_device();
	int i;

	let_others_finish();
	must_start(fd, FIRST, 0);
	create_threads(2);
	must_stop(hold(getpid(), 0));
	measure(few, fd, &life);
	must_start(fd, FIRST, 0);
	create_threads(nr_threads);
	must_stop(hold(getpid(), 0));
	measure(many, fd, &life);
	for (i = 0; i < NR_OPERATIONS; i++)
		check(few[i] && many[i] <= few[i] + few[i] / 4,
		      "%s: %llu instructions with %u threads, %llu with 2",
		      names[i], (unsigned long long)many[i], nr_threads,
		      (unsigned long long)few[i]);
}

static void create_members(unsigned int number)
{
	while (number--) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		gate_wait(&never);
	}
}

/* Return the number of kernel instructions for taking the record of a child that has exited. */
static uint64_t cost_of_record(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };
	uint64_t cost;
	int result;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	cost = kernel_instructions();
	result = request(fd, VPMC_RECORD, &record);
	cost = kernel_instructions() - cost;
	check(!result && record.pid == pid, "the record of %d: %d, of %d", pid,
	      result, record.pid);
	return cost;
}

static uint64_t least_cost_of_record(int fd)
{
	uint64_t cost, least = UINT64_MAX;
	int i;

	for (i = 0; i < REPEAT; i++) {
		cost = cost_of_record(fd);
		if (cost < least)
			least = cost;
	}
	return least;
}

/* Test that the cost of taking a record does not grow with the number of collected processes. */
static void test_records(void)
{
	uint64_t few, many;
	int fd = open_device();

	must_start(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);
	create_members(2);
	few = least_cost_of_record(fd);
	create_members(MEMBERS);
	many = least_cost_of_record(fd);
	check(many <= few + few / 4,
	      "a record: %llu instructions with %u processes, %llu with 2",
	      (unsigned long long)many, MEMBERS, (unsigned long long)few);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		errx(2, "usage: scaling interrupts|instructions [THREADS]");
	if (argc > 2)
		nr_threads = (unsigned int)strtoul(argv[2], NULL, 10);
	never = gate_new();
	created = gate_new();
	if (!strcmp(argv[1], "instructions")) {
		run(test_instructions);
		run(test_records);
		return check_status();
	}
	run(test_outside);
	run(test_inside);
	run(test_user_mode);
	run(test_runners);
	run(test_elsewhere);
	run(test_denied);
	run(test_given_up);
	run(test_kept);
	run(test_hidden);
	return check_status();
}

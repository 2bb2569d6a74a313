// SPDX-License-Identifier: GPL-2.0-only
/*
 * system: test which processes may use system mode, and when. Test that it counts exactly the
 * instructions that all processes execute on each processor. While a script runs, no other task is
 * in user mode, so the counts of the processors are known.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define NOBODY	65534
#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })

static unsigned int processors;

/*
 * These are the arguments of capset(2). The capabilities from 32 on are in the second word of
 * data.
 */
struct capabilities {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[2];
};

/* Become user "nobody", and keep one capability, or none if @keep is -1. */
static void become_nobody(int keep)
{
	struct capabilities caps = {
		.header = { _LINUX_CAPABILITY_VERSION_3, 0 },
	};

	if (prctl(PR_SET_KEEPCAPS, 1) || setgid(NOBODY) || setuid(NOBODY))
		err(2, "setuid");
	if (keep >= 0) {
		caps.data[keep / 32].permitted = 1U << keep % 32;
		caps.data[keep / 32].effective = 1U << keep % 32;
	}
	if (syscall(SYS_capset, &caps.header, caps.data))
		err(2, "capset");
}

static int system_start(int fd, enum events events, unsigned int flags)
{
	return request(fd, VPMC_SYSTEM_START, start_arg(events, flags));
}

static int system_stop(int fd)
{
	return request(fd, VPMC_SYSTEM_STOP, stop_arg());
}

static struct vpmc_system_read system_read(int fd, int cpu)
{
	struct vpmc_system_read read = { .size = sizeof(read), .cpu = cpu };
	int result = request(fd, VPMC_SYSTEM_READ, &read);

	if (result)
		check(false, "system read of %d: errno %d", cpu, -result);
	return read;
}

/* Try all three calls in a process of user "nobody" with one capability, or without any. */
static void try_as_nobody(int fd, int keep, int want, const char *who)
{
	struct vpmc_system_read read = { .size = sizeof(read) };
	int result, status;
	pid_t pid = child_fork();

	if (!pid) {
		check_failures = 0;
		shared_free();
		become_nobody(keep);
		result = system_start(fd, FIRST, VPMC_START_FORCE);
		check(result == want, "start, %s: errno %d", who, -result);
		result = request(fd, VPMC_SYSTEM_READ, &read);
		check(result == want, "read, %s: errno %d", who, -result);
		result = system_stop(fd);
		check(result == want, "stop, %s: errno %d", who, -result);
		exit(check_status());
	}
	check(waitpid(pid, &status, 0) == pid && !status, "%s: its end", who);
}

static void test_permission(void)
{
	int fd = open_device();

	try_as_nobody(fd, -1, -EPERM, "nobody");
	check(!in_system_mode(), "it has started nothing");
	try_as_nobody(fd, CAP_SYS_PTRACE, -EPERM, "CAP_SYS_PTRACE");
	try_as_nobody(fd, CAP_PERFMON, 0, "CAP_PERFMON");
	try_as_nobody(fd, CAP_SYS_ADMIN, 0, "CAP_SYS_ADMIN");
	check(!system_start(fd, FIRST, 0) && in_system_mode(), "start, root");
	try_as_nobody(fd, -1, -EPERM, "nobody with the owner's handle");
	check(in_system_mode() && system_read(fd, VPMC_ALL_CPUS).state ==
					  VPMC_STATE_RUNNING,
	      "it has stopped nothing");
	check(!system_stop(fd) && !in_system_mode(), "stop, root");
}

/* Check that the calling process has never counted, and that the handle is not bound. */
static void check_untouched(int fd, const char *after)
{
	struct vpmc_info info = { .size = sizeof(info) };
	struct vpmc_read read = { .size = sizeof(read) };
	struct vpmc_stop stop = { .size = sizeof(stop) };

	check(!request(fd, VPMC_INFO, &info) && !info.generation &&
		      request(fd, VPMC_READ, &read) == -ENODATA &&
		      request(fd, VPMC_STOP, &stop) == -ENODATA,
	      "%s: nothing has started", after);
}

static void test_threads_refused(void)
{
	static const unsigned int flags[] = { 0, VPMC_START_AT_EXEC,
					      VPMC_START_COLLECT };
	int owner = open_device(), fd = open_device(), result;
	size_t i;

	check(!system_start(owner, FIRST, 0), "start");
	for (i = 0; i < 3; i++) {
		result = request(fd, VPMC_START, start_arg(FIRST, flags[i]));
		check(result == -EBUSY, "start of a thread, flags %u: errno %d",
		      flags[i], -result);
		check_untouched(fd, "after EBUSY");
	}
	result = request(owner, VPMC_START, start_arg(FIRST, 0));
	check(result == -EBUSY, "on the owner's handle: errno %d", -result);
	check(!system_stop(owner), "stop");
	check(!request(fd, VPMC_START, start_arg(FIRST, 0)) &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "a thread starts after the stop");
}

/*
 * Test a thread that has stopped before system mode. It does not prevent system mode, and can
 * resume later.
 */
static void test_resume(void)
{
	struct script s = script_new();
	int owner = open_device(), fd = open_device();
	struct vpmc_start *again = start_arg(FIRST, VPMC_START_RESUME);
	uint32_t *results = shared(4 * sizeof(*results));

	script_start(&s, fd, start_arg(FIRST, 0));
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_call(&s, SYS_ioctl, (uint32_t)owner, VPMC_SYSTEM_START,
		    P(start_arg(FIRST, 0)));
	script_save(&s, &results[0]);
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_START, P(again));
	script_save(&s, &results[1]);
	script_call(&s, SYS_ioctl, (uint32_t)owner, VPMC_SYSTEM_STOP,
		    P(stop_arg()));
	script_start(&s, fd, again);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check(!results[0], "system mode beside a stopped thread");
	check((int)results[1] == -EBUSY, "no resume in system mode");
	check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0, "a resume after it");
}

static void test_second_owner(void)
{
	struct vpmc_system_read read = { .size = sizeof(read) };
	int owner = open_device(), other = open_device();
	uint64_t generation;

	check(system_stop(owner) == -ENODATA, "stop, never started");
	check(request(owner, VPMC_SYSTEM_READ, &read) == -ENODATA,
	      "read, never started");
	check(!system_start(owner, FIRST, 0), "start");
	generation = system_read(owner, VPMC_ALL_CPUS).generation;
	check(system_start(other, FIRST, 0) == -EBUSY, "second: EBUSY");
	check(system_start(other, FIRST, VPMC_START_FORCE) == -EBUSY,
	      "second by force: EBUSY");
	check(system_stop(other) == -ENODATA, "another's stop");
	check(request(other, VPMC_SYSTEM_READ, &read) == -ENODATA,
	      "another's read");
	read = system_read(owner, VPMC_ALL_CPUS);
	check(in_system_mode() && read.state == VPMC_STATE_RUNNING &&
		      read.generation == generation,
	      "all that has changed nothing");
	check(!system_stop(owner), "stop");
	check(!system_start(other, FIRST, 0), "the second can start then");
	check(system_start(owner, FIRST, 0) == -EBUSY, "and has it");
	check(!system_stop(other), "its stop");
}

/* Test that system mode ends when its handle is closed in any way. */
static void test_release(void)
{
	struct gate ready = gate_new();
	int fd = open_device(), copy;
	char byte;
	pid_t pid;

	check(!system_start(fd, FIRST, 0), "start");
	copy = dup(fd);
	close(fd);
	check(in_system_mode(), "a copy of the handle is left");
	close(copy);
	check(!in_system_mode(), "the last copy is closed");

	pid = fork();
	if (!pid) {
		shared_free();
		if (system_start(open_device(), FIRST, 0))
			_exit(1);
		gate_open(&ready);
		pause_forever();
	}
	check(read(ready.in, &byte, 1) == 1 && in_system_mode(),
	      "another process has it");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	check(!in_system_mode(), "it was killed");
	fd = open_device();
	check(!request(fd, VPMC_START, start_arg(FIRST, 0)) &&
		      !request(fd, VPMC_STOP, stop_arg()),
	      "a thread counts afterwards");
}

/* Check that VPMC_SYSTEM_START fails with EINVAL. */
static void refuse(int fd, struct vpmc_start *start, enum vpmc_reason reason)
{
	int result = request(fd, VPMC_SYSTEM_START, start);

	check(result == -EINVAL && start->error == reason,
	      "errno %d reason %u want %u", -result, start->error, reason);
}

static void check_refusals(int fd)
{
	static const unsigned int flags[] = {
		VPMC_START_AT_EXEC,
		VPMC_START_RESUME,
		VPMC_START_COLLECT,
		VPMC_START_FORCE << 1,
	};
	const struct refused *refused = refused_here();
	struct vpmc_start *start;
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		refuse(fd, start_arg(FIRST, flags[i]), VPMC_REASON_FLAGS);
	start = start_arg(FIRST, 0);
	start->nr_events = 0;
	refuse(fd, start, VPMC_REASON_NO_EVENTS);
	start = start_arg(FIRST, 0);
	start->nr_events = counter_here(counters_here() + fixed_here()) + 1U;
	refuse(fd, start, VPMC_REASON_TOO_MANY);
	for (i = 0; i < NR_REFUSED; i++) {
		start = start_arg(FIRST, 0);
		start->event[0].code = refused[i].code;
		refuse(fd, start, refused[i].reason);
	}
}

static void check_no_processor(int fd, int cpu)
{
	struct vpmc_system_read read = { .size = sizeof(read), .cpu = cpu };
	int result = request(fd, VPMC_SYSTEM_READ, &read);

	check(result == -EINVAL, "processor %d: errno %d", cpu, -result);
}

static void test_refusals(void)
{
	int fd = open_device();
	uint64_t generation;

	check_refusals(fd);
	check(!in_system_mode() && system_stop(fd) == -ENODATA,
	      "the refused starts have started nothing");
	check(!system_start(fd, FIRST, 0), "start");
	generation = system_read(fd, VPMC_ALL_CPUS).generation;
	check_refusals(fd);
	check(system_read(fd, VPMC_ALL_CPUS).generation == generation,
	      "nor changed anything");
	check_no_processor(fd, (int)processors);
	check_no_processor(fd, 31);
	check_no_processor(fd, 99999);
	check_no_processor(fd, -2);
	check_no_processor(fd, INT32_MIN);
	check_no_processor(fd, INT32_MAX);
}

/* A caller built for a later version passes a longer structure. */
union longer {
	struct vpmc_start start;
	struct vpmc_stop stop;
	struct vpmc_system_read read;
	unsigned char bytes[4096];
};

static void check_size(int fd, unsigned long what, union longer *arg,
		       size_t size, int want)
{
	int result;

	arg->start.size = (unsigned int)size;
	result = request(fd, what, arg);
	check(result == want, "request %#lx, size %zu: errno %d want %d", what,
	      size, -result, -want);
}

/*
 * Check a structure that is too short, one with zero bytes after its end, and one with other bytes
 * there.
 */
static void check_sizes(int fd, unsigned long what, const void *good,
			size_t size, size_t least)
{
	static union longer arg;

	memset(&arg, 0, sizeof(arg));
	memcpy(&arg, good, size);
	check_size(fd, what, &arg, 0, -EINVAL);
	check_size(fd, what, &arg, least - 1, -EINVAL);
	check_size(fd, what, &arg, SIZE_MAX, -E2BIG);
	arg.bytes[size + 99] = 1;
	check_size(fd, what, &arg, size + 100, -E2BIG);
	check_size(fd, what, &arg, size + 99, 0);
}

static void test_sizes(void)
{
	struct vpmc_system_read read = { .size = sizeof(read) };
	size_t head = offsetof(struct vpmc_system_read, count);
	size_t nr = counters_here();
	int fd = open_device();

	check_sizes(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0),
		    sizeof(struct vpmc_start),
		    offsetof(struct vpmc_start, event));
	check_sizes(fd, VPMC_SYSTEM_READ, &read, sizeof(read), head);
	read.size = (unsigned int)(head + 8 * (nr - 1));
	check(request(fd, VPMC_SYSTEM_READ, &read) == -EINVAL,
	      "read, room for one count less");
	read.size = (unsigned int)(head + 8 * nr);
	read.count[nr] = 0x5555;
	check(!request(fd, VPMC_SYSTEM_READ, &read) && read.nr_counts == nr &&
		      read.count[nr] == 0x5555,
	      "read, room for all counts and no byte more written");
	read.size = sizeof(read);
	read.flags = 1;
	check(request(fd, VPMC_SYSTEM_READ, &read) == -EINVAL,
	      "read, unknown flag");
	check_sizes(fd, VPMC_SYSTEM_STOP, stop_arg(), sizeof(struct vpmc_stop),
		    sizeof(struct vpmc_stop));
}

/*
 * Count two children and their parent, on any processors. @read receives their counts. Returns the
 * expected counts.
 */
static struct cost count_family(int fd, struct vpmc_start *start,
				struct vpmc_system_read *read)
{
	struct script s = script_new();
	struct script child[2] = { script_new(), script_new() };
	struct cost cost;
	int i;

	script_system_start(&s, fd, start);
	for (i = 0; i < 2; i++) {
		script_fork(&s, &child[i], SYS_fork);
		script_rounds(&child[i], 100 * ROUNDS);
		script_call(&child[i], SYS_sched_yield);
		script_rounds(&child[i], 300 * ROUNDS);
		script_exit(&child[i], 0);
	}
	script_rounds(&s, 50 * ROUNDS);
	script_wait(&s);
	script_wait(&s);
	cost = script_system_read(&s, fd, read);
	script_back(&s);
	until_quiet();
	script_run(&s);
	return cost_add(cost, cost_add(child[0].cost, child[1].cost));
}

static void test_all(void)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_start *start = start_arg(FIRST, 0);
	int fd = open_device();
	struct cost cost = count_family(fd, start, read);

	check_system(read, cost, "all processes on all processors");
	check(read->state == VPMC_STATE_RUNNING && read->tsc &&
		      read->cpus == processors &&
		      read->generation == start->generation,
	      "its state, processors and generation");
}

/* Test a second start of the owner. Its counts begin at zero, with a new generation. */
static void test_change(void)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_start *start = start_arg(FIRST, 0);
	int fd = open_device();
	struct cost cost;
	uint64_t generation;

	check(!system_start(fd, FIRST, 0), "start");
	cost = count_family(fd, start, read);
	check_system(read, cost, "a second start is from zero");
	generation = start->generation;
	start = start_arg(OTHER, 0);
	cost = count_family(fd, start, read);
	check_system(read, swapped(cost), "a third one with other events");
	check(read->generation == start->generation &&
		      read->generation != generation,
	      "the generation is another one");
	start = start_arg(FIRST, 0);
	start->nr_events = 1;
	check(!request(fd, VPMC_SYSTEM_START, start) &&
		      system_read(fd, 0).nr_counts == 1,
	      "one event only");
}

/* Check after a stop that the counts of the processors add up to the sum. Returns the sum. */
static struct vpmc_system_read check_sum(int fd)
{
	struct vpmc_system_read all = system_read(fd, VPMC_ALL_CPUS), one;
	struct cost sum = NOTHING;
	uint64_t tsc = 0;
	int cpu;

	for (cpu = 0; cpu < (int)processors; cpu++) {
		one = system_read(fd, cpu);
		check(one.cpus == 1 && one.state == VPMC_STATE_STOPPED,
		      "processor %d alone", cpu);
		sum = cost_add(sum,
			       (struct cost){ one.count[0], one.count[1] });
		tsc += one.tsc;
	}
	check_system(&all, sum, "the sum of the processors");
	check(all.tsc == tsc, "of their clocks: %llu want %llu", all.tsc,
	      (unsigned long long)tsc);
	return all;
}

/* Test that the counts remain after the stop. */
static void test_stopped(void)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct vpmc_stop *stop = stop_arg();
	struct vpmc_system_read all, one;
	int fd = open_device();

	count_family(fd, start, read);
	check(!request(fd, VPMC_SYSTEM_STOP, stop) &&
		      stop->generation == start->generation,
	      "stop");
	all = check_sum(fd);
	check(all.state == VPMC_STATE_STOPPED &&
		      all.generation == start->generation &&
		      all.cpus == processors &&
		      all.count[0] >= read->count[0] &&
		      all.count[1] >= read->count[1],
	      "a read after the stop");
	check(!system_stop(fd), "a second stop");
	one = system_read(fd, VPMC_ALL_CPUS);
	check(!memcmp(&all, &one, sizeof(all)), "nothing counts any more");
}

/* These are limits of a number of clocks, from RDTSC before and after the count. */
struct clocks {
	uint64_t least, most;
};

static void check_clocks(uint64_t clocks, struct clocks want, const char *what)
{
	check(clocks >= want.least && clocks <= want.most,
	      "%s: %llu clocks, at least %llu, at most %llu", what,
	      (unsigned long long)clocks, (unsigned long long)want.least,
	      (unsigned long long)want.most);
}

/* Test that clocks are counted only once, even if they are read several times. */
static void test_clocks(void)
{
	int fd = open_device(), last = (int)processors - 1, i;
	struct vpmc_system_read read;
	uint64_t before, begun;
	struct clocks want;

	before = __builtin_ia32_rdtsc();
	if (system_start(fd, FIRST, 0))
		check(false, "start");
	begun = __builtin_ia32_rdtsc();
	for (i = 0; i < 10; i++) {
		usleep(1000);
		system_read(fd, last);
	}
	want.least = __builtin_ia32_rdtsc() - begun;
	read = system_read(fd, last);
	want.most = __builtin_ia32_rdtsc() - before;
	check_clocks(read.tsc, want, "the last processor since the start");
}

/*
 * Let the script move to another processor, work there, and exit. @before receives the cost on
 * the first processor. Returns the cost on the other processor.
 */
static struct cost move_to(struct script *s, unsigned int processor,
			   struct cost *before)
{
	script_stay_on(s, processor);
	*before = s->cost;
	/* The RET after the system call is executed on the new processor. */
	before->instructions -= 1;
	before->branches -= 1;
	script_rounds(s, 100 * ROUNDS);
	script_exit(s, 0);
	return (struct cost){ s->cost.instructions - before->instructions,
			      s->cost.branches - before->branches };
}

/* Test that each processor counts the code that it executes. */
static void test_processors(void)
{
	struct script s = script_new(), child = script_new();
	unsigned int last = processors - 1;
	struct vpmc_system_read *here = system_read_arg(0);
	struct vpmc_system_read *there = system_read_arg((int)last);
	int fd = open_device();
	struct cost cost, before, after;

	stay_on(0);
	script_system_start(&s, fd, start_arg(FIRST, 0));
	script_fork(&s, &child, SYS_fork);
	after = move_to(&child, last, &before);
	script_wait(&s);
	script_system_read(&s, fd, there);
	cost = script_system_read(&s, fd, here);
	script_back(&s);
	until_quiet();
	script_run(&s);
	if (last)
		check_system(there, after, "the second processor");
	else
		before = child.cost;
	check_system(here, cost_add(cost, before), "the first processor");
	check(here->cpus == 1 && there->cpus == 1, "one processor each");
}

/* Test an event that also counts kernel mode. */
static void test_kernel_mode(void)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct script s = script_new();
	int fd = open_device();
	struct cost cost;

	start->event[1].code = code_here(0);
	start->event[1].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	script_system_start(&s, fd, start);
	script_rounds(&s, ROUNDS);
	script_call(&s, SYS_getpid);
	cost = script_system_read(&s, fd, read);
	script_back(&s);
	until_quiet();
	script_run(&s);
	check(read->count[0] == cost.instructions &&
		      read->count[1] > cost.instructions,
	      "with kernel mode there is more: %llu, %llu", read->count[0],
	      read->count[1]);
}

static struct vpmc_start *count_kernel_mode(void)
{
	struct vpmc_start *start = start_arg(FIRST, 0);

	start->nr_events = modes_here();
	start->event[0].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	start->event[1].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	return start;
}

/* Test that values that a start has left in the registers do not affect the next start. */
static void test_left_behind(void)
{
	struct vpmc_system_read *read = system_read_arg(VPMC_ALL_CPUS);
	int system = open_device(), fd = open_device(), kernel = open_device();
	struct script s = script_new();
	struct cost cost;

	stay_on(0);
	check(!request(system, VPMC_SYSTEM_START, count_kernel_mode()) &&
		      !system_stop(system),
	      "system mode with kernel mode");
	script_start(&s, fd, start_arg(FIRST, 0));
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0, "a thread after it");

	check(!request(kernel, VPMC_START, count_kernel_mode()) &&
		      !request(kernel, VPMC_STOP, stop_arg()),
	      "a thread with kernel mode");
	s = script_new();
	script_system_start(&s, system, start_arg(FIRST, 0));
	script_rounds(&s, ROUNDS);
	cost = script_system_read(&s, system, read);
	script_back(&s);
	until_quiet();
	script_run(&s);
	check_system(read, cost, "system mode after it");
}

/* Let two processes wake up each other in turn. */
static void take_turns(struct script *s, const struct gate *to,
		       const struct gate *from, bool first)
{
	int i;

	for (i = 0; i < 200; i++) {
		if (i || !first)
			script_gate(s, from->in);
		script_call(s, SYS_write, (uint32_t)to->out, P(shared(1)), 1);
	}
}

/* Test two processes that run in turn on one processor. One of them counts kernel mode too. */
static void test_neighbours(void)
{
	struct script s = script_new(), user = script_new();
	struct script other = script_new();
	struct gate there = gate_new(), back = gate_new();
	int fd = open_device(), kernel = open_device();

	stay_on(0);
	script_fork(&s, &user, SYS_fork);
	script_start(&user, fd, start_arg(FIRST, 0));
	take_turns(&user, &there, &back, true);
	script_exit(&user, 0);
	script_fork(&s, &other, SYS_fork);
	script_start(&other, kernel, count_kernel_mode());
	take_turns(&other, &back, &there, false);
	script_exit(&other, 0);
	script_wait(&s);
	script_wait(&s);
	script_back(&s);
	script_run(&s);
	check_scope(fd, VPMC_SCOPE_SELF, user.cost, 0,
		    "beside a process that counts kernel mode");
}

static void set_online(bool online)
{
	const char *path = "/sys/devices/system/cpu/cpu1/online";
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, online ? "1" : "0", 1) != 1)
		err(2, "%s", path);
	close(fd);
}

/* Let a child work on the second processor. Returns its cost there. */
static struct cost work_there(void)
{
	struct script s = script_new(), child = script_new();
	struct cost before, cost;

	s.counts = true;
	script_fork(&s, &child, SYS_fork);
	cost = move_to(&child, 1, &before);
	script_wait(&s);
	script_back(&s);
	script_run(&s);
	return cost;
}

/*
 * struct step - a read of the second processor, and the expected counts
 *
 * The reads are checked only at the end, because the process that relays printed lines may run on
 * the second processor.
 */
struct step {
	const char *when;
	struct vpmc_system_read read;
	struct cost want;
	unsigned int cpus;
};

static struct step step(int fd, const char *when, struct cost want,
			unsigned int cpus)
{
	return (struct step){ when, system_read(fd, 1), want, cpus };
}

static void check_step(const struct step *s)
{
	check_system(&s->read, s->want, s->when);
	check(s->read.cpus == s->cpus && !s->read.tsc == !s->cpus,
	      "%s: has it counted", s->when);
}

/* Test that the counts of a processor remain while it is offline, and go on later. */
static void test_hotplug(void)
{
	enum { TIMES = 5 };
	struct clocks clocks[TIMES];
	uint64_t before, after;
	struct step steps[1 + 2 * TIMES], *next = steps, *s;
	int fd = open_device(), i;
	struct cost cost;

	stay_on(0);
	until_quiet();
	if (system_start(fd, FIRST, 0))
		check(false, "start");
	cost = work_there();
	*next++ = step(fd, "before it goes", cost, 1);
	for (i = 0; i < TIMES; i++) {
		/* These counts are not read before the processor goes offline. */
		cost = cost_add(cost, work_there());
		set_online(false);
		*next++ = step(fd, "while it is away", cost, 1);
		before = __builtin_ia32_rdtsc();
		set_online(true);
		after = __builtin_ia32_rdtsc();
		cost = cost_add(cost, work_there());
		clocks[i].least = __builtin_ia32_rdtsc() - after;
		*next++ = step(fd, "when it is back", cost, 1);
		clocks[i].most = __builtin_ia32_rdtsc() - before;
	}
	for (s = steps; s < next; s++)
		check_step(s);
	for (i = 0, s = steps + 1; i < TIMES; i++, s += 2)
		check_clocks(s[1].read.tsc - s[0].read.tsc, clocks[i],
			     "since it is back");
}

/* Test a start and a stop while the processor is offline. */
static void test_away(void)
{
	struct vpmc_system_read one, both;
	struct step steps[4], *s = steps;
	int fd = open_device();
	struct cost cost;

	stay_on(0);
	until_quiet();
	set_online(false);
	if (system_start(fd, FIRST, 0))
		check(false, "start");
	*s++ = step(fd, "away from the beginning", NOTHING, 0);
	one = system_read(fd, VPMC_ALL_CPUS);
	set_online(true);
	cost = work_there();
	*s++ = step(fd, "when it comes late", cost, 1);
	both = system_read(fd, VPMC_ALL_CPUS);
	set_online(false);
	if (system_stop(fd))
		check(false, "stop");
	*s++ = step(fd, "away at the end", cost, 1);
	check_sum(fd);
	set_online(true);
	work_there();
	*s++ = step(fd, "when it comes too late", cost, 1);
	for (s = steps; s < steps + 4; s++)
		check_step(s);
	check(one.cpus == 1 && both.cpus == 2, "how many have counted");
}

int main(void)
{
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	run(test_permission);
	run(test_threads_refused);
	run(test_resume);
	run(test_second_owner);
	run(test_release);
	run(test_refusals);
	run(test_sizes);
	run(test_all);
	run(test_change);
	run(test_stopped);
	run(test_clocks);
	run(test_processors);
	run(test_kernel_mode);
	run(test_left_behind);
	run(test_neighbours);
	if (processors > 1) {
		run(test_hotplug);
		run(test_away);
	}
	return check_status();
}

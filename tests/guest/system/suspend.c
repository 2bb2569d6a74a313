// SPDX-License-Identifier: GPL-2.0-only
/*
 * suspend: test that no counts are lost when the machine sleeps and is woken up (machine --wake).
 * In ACPI S3 the counters lose their contents.
 */
#include <err.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS 1000

/* This number of rounds takes longer than the time until the machine falls asleep. */
#define MANY_ROUNDS 500000000

/* This is the cost that is repeated when a process was frozen in a system call. */
static const struct cost repeated_call = { 1, 1 };

static unsigned int last;

static const char sleep_now[] = "mem";

static int open_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

static void script_write(struct script *s, int fd, const char *text,
			 size_t size)
{
	script_call(s, SYS_write, (uint32_t)fd, P(text), size);
}

/* Add a system call that suspends the machine. Returns the address of its result. */
static uint32_t *script_suspend(struct script *s)
{
	int state = open_write("/sys/power/state");
	uint32_t *result = shared(sizeof(*result));

	script_write(s, state, sleep_now, sizeof(sleep_now) - 1);
	script_save(s, result);
	return result;
}

static void check_slept(const uint32_t *result)
{
	check(*result == sizeof(sleep_now) - 1, "the machine slept: %d",
	      (int)*result);
}

static void suspend(void)
{
	struct script s = script_new();
	uint32_t *result = script_suspend(&s);

	script_back(&s);
	script_run(&s);
	check_slept(result);
}

/* Test a process that counts itself and suspends the machine. */
static void test_self(void)
{
	struct vpmc_read *before = read_arg(VPMC_SCOPE_THREAD);
	struct vpmc_read *after = read_arg(VPMC_SCOPE_THREAD);
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct script s = script_new();
	struct cost first, second;
	int fd = open_device();
	uint32_t *result;

	stay_on(last);
	script_start(&s, fd, start);
	script_rounds(&s, ROUNDS);
	first = script_read(&s, fd, before);
	result = script_suspend(&s);
	second = script_read(&s, fd, after);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check_slept(result);
	check_read(before, first, 0, "who suspends, before");
	check_read(after, second, 0, "who suspends, when back");
	check(after->state == VPMC_STATE_RUNNING &&
		      after->generation == start->generation &&
		      after->tsc > before->tsc,
	      "its state, generation and clocks");
	check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0, "who suspends, at the end");
}

/*
 * struct others - a process and two children
 * @fd: the handle that collects them
 * @start: the start of the parent
 * @gate: the gate at which one child sleeps
 * @pid: the ID of this child
 * @parent: the script of the parent
 * @all: the cost of all three processes
 * @children: the cost of the two children
 */
struct others {
	int fd;
	struct vpmc_start *start;
	struct gate gate;
	uint32_t *pid;
	struct script parent;
	struct cost all, children;
};

/* Return a parent that waits for two children. One of them sleeps, and the other one works. */
static struct others others_new(void)
{
	struct script s = script_new();
	struct script asleep = script_new(), busy = script_new();
	struct others o = {
		.fd = open_device(),
		.start = start_arg(FIRST, VPMC_START_COLLECT),
		.gate = gate_new(),
		.pid = shared(sizeof(*o.pid)),
	};

	script_start(&s, o.fd, o.start);
	script_fork(&s, &busy, SYS_fork);
	script_rounds(&busy, MANY_ROUNDS);
	script_exit(&busy, 0);
	script_fork(&s, &asleep, SYS_fork);
	script_save(&s, o.pid);
	script_gate(&asleep, o.gate.in);
	asleep.cost = cost_add(asleep.cost, repeated_call);
	script_rounds(&asleep, ROUNDS);
	script_exit(&asleep, 0);
	script_wait(&s);
	script_wait(&s);
	script_stop(&s, o.fd, stop_arg());
	script_back(&s);
	o.parent = s;
	o.children = cost_add(asleep.cost, busy.cost);
	o.all = cost_add(s.cost, o.children);
	return o;
}

/*
 * Run the processes, and wait until the parent and the first child sleep. Returns the parent's
 * process ID.
 */
static pid_t others_run(struct others *o)
{
	pid_t pid = child_fork();

	if (!pid) {
		script_run(&o->parent);
		_exit(0);
	}
	while (!*(volatile uint32_t *)o->pid)
		usleep(1000);
	until_asleep(*o->pid);
	until_asleep((uint32_t)pid);
	return pid;
}

/* Test processes that count while another process suspends the machine. */
static void test_others(void)
{
	struct others o = others_new();
	pid_t pid = others_run(&o);
	struct vpmc_read before, after;
	int status;

	before = read_scope(o.fd, VPMC_SCOPE_ALL);
	suspend();
	after = read_scope(o.fd, VPMC_SCOPE_ALL);
	check(after.running == 3 && after.state == VPMC_STATE_RUNNING &&
		      after.generation == o.start->generation,
	      "all are there when it is over");
	check(before.count[0] <= after.count[0] &&
		      before.count[1] <= after.count[1] &&
		      after.count[0] < o.all.instructions,
	      "it was in the middle, and nothing is lost: %llu, %llu of %llu",
	      before.count[0], after.count[0],
	      (unsigned long long)o.all.instructions);
	gate_open(&o.gate);
	check(waitpid(pid, &status, 0) == pid && !status, "their end");
	check_scope(o.fd, VPMC_SCOPE_ALL, o.all, 0, "all of them");
	check_scope(o.fd, VPMC_SCOPE_CHILDREN, o.children, 0, "the children");
}

static void check_state(const struct vpmc_system_read *read,
			const struct vpmc_start *start, unsigned int cpus,
			const char *what)
{
	check(read->state == VPMC_STATE_RUNNING && read->cpus == cpus &&
		      read->generation == start->generation,
	      "%s: state %u, processors %u, generation", what, read->state,
	      read->cpus);
}

/* Return the difference of the counts of two reads. */
static struct cost growth(const struct vpmc_system_read *after,
			  const struct vpmc_system_read *before)
{
	return (struct cost){ after->count[0] - before->count[0],
			      after->count[1] - before->count[1] };
}

static void check_growth(struct cost got, struct cost want, const char *what)
{
	check(got.instructions == want.instructions &&
		      got.branches == want.branches,
	      "%s: %llu %llu want %llu %llu", what,
	      (unsigned long long)got.instructions,
	      (unsigned long long)got.branches,
	      (unsigned long long)want.instructions,
	      (unsigned long long)want.branches);
}

/* Check that system mode counts exactly on the first and on the last processor. */
static void check_processors(int fd, const struct vpmc_start *start)
{
	struct vpmc_system_read *here[2] = { system_read_arg(0),
					     system_read_arg(0) };
	struct vpmc_system_read *there[2] = { system_read_arg((int)last),
					      system_read_arg((int)last) };
	struct script s = script_new(), child = script_new();
	struct cost first, second, before;

	s.counts = true;
	script_system_read(&s, fd, there[0]);
	script_fork(&s, &child, SYS_fork);
	script_stay_on(&child, last);
	/* The RET after the system call is executed on the new processor. */
	before = cost_add(child.cost, (struct cost){ -1ULL, -1ULL });
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_wait(&s);
	script_system_read(&s, fd, there[1]);
	first = script_system_read(&s, fd, here[0]);
	script_rounds(&s, ROUNDS);
	second = script_system_read(&s, fd, here[1]);
	script_back(&s);
	until_quiet();
	script_run(&s);

	check_state(here[1], start, 1, "the boot processor afterwards");
	check_state(there[1], start, 1, "the last processor afterwards");
	check_growth(growth(here[1], here[0]),
		     (struct cost){ second.instructions - first.instructions,
				    second.branches - first.branches },
		     "work on the boot processor");
	if (last)
		check_growth(
			growth(there[1], there[0]),
			(struct cost){ child.cost.instructions -
					       before.instructions,
				       child.cost.branches - before.branches },
			"work on the last processor");
}

static void test_system(void)
{
	struct vpmc_system_read *before = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_system_read *after = system_read_arg(VPMC_ALL_CPUS);
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct script s = script_new();
	int fd = open_device();
	struct cost first, second, more;
	uint32_t *result;

	stay_on(0);
	script_system_start(&s, fd, start);
	script_rounds(&s, ROUNDS);
	first = script_system_read(&s, fd, before);
	result = script_suspend(&s);
	script_rounds(&s, ROUNDS);
	second = script_system_read(&s, fd, after);
	script_back(&s);
	until_quiet();
	script_run(&s);

	check_processors(fd, start);
	check_slept(result);
	check_state(before, start, last + 1, "before");
	check_state(after, start, last + 1, "when back");
	check_growth((struct cost){ before->count[0], before->count[1] }, first,
		     "all processors, before");
	/* The guest's first process repeats a system call, either before this read or after it. */
	more = (struct cost){ after->count[0] - second.instructions,
			      after->count[1] - second.branches };
	check(more.instructions == more.branches &&
		      more.instructions <= repeated_call.instructions,
	      "all processors, when back: %llu %llu want %llu %llu or 1 more",
	      after->count[0], after->count[1],
	      (unsigned long long)second.instructions,
	      (unsigned long long)second.branches);
}

/* Choose suspend-to-RAM instead of suspend-to-idle, so that the processors lose power. */
static void choose_deep_sleep(void)
{
	const char *path = "/sys/power/mem_sleep";
	int fd = open_write(path);

	if (write(fd, "deep", 4) != 4)
		err(2, "%s", path);
	close(fd);
}

int main(void)
{
	choose_deep_sleep();
	last = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
	run(test_self);
	run(test_others);
	run(test_system);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * start_cost: test the cost of a start. A user may learn from it which events the user's own
 * ordinary programs count. The cost must not depend on the events that other users or privileged
 * programs count.
 *
 * A start is cheaper if the driver still has a set of the same events. Each instruction takes one
 * clock here.
 */
#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "privileged_programs.h"

/* The test starts the first event again and again, and the second event between these starts. */
#define PROBED code_here(INSTRUCTIONS)
#define REST   code_here(BRANCHES)
#define PROBES 8

static const char path[] = "/tmp/raised";

static const struct kind *kind;

static int start_one(int fd, uint64_t code)
{
	struct vpmc_start start = {
		.size = sizeof(start),
		.flags = VPMC_START_FORCE,
		.nr_events = 1,
		.event[0] = EVENT(code, counter_here(0), VPMC_MODE_USER),
	};

	return request(fd, VPMC_START, &start);
}

/* Return the clocks of a start of PROBED by a process that counts another event. */
static uint64_t cost_of_start(void)
{
	uint64_t least = UINT64_MAX, cost;
	int fd = open_device(), i;

	for (i = 0; i < PROBES; i++) {
		if (start_one(fd, REST))
			err(2, "start");
		cost = __builtin_ia32_rdtsc();
		if (start_one(fd, PROBED))
			err(2, "start");
		cost = __builtin_ia32_rdtsc() - cost;
		if (cost < least)
			least = cost;
	}
	if (start_one(fd, REST))
		err(2, "start");
	close(fd);
	return least;
}

/* Count PROBED until the standard input ends. Returns the exit status. */
static int count_probed(void)
{
	char byte;

	return start_one(open_device(), PROBED) || write(1, "", 1) != 1 ||
	       read(0, &byte, 1);
}

/**
 * struct other - another process, which counts PROBED
 * @pid: its process ID
 * @in: its standard input
 * @out: gate that it opens when it has started
 */
struct other {
	pid_t pid;
	struct gate in, out;
};

static struct other other_new(bool raised)
{
	struct other o = { .in = gate_new(), .out = gate_new() };

	o.pid = child_fork();
	if (!o.pid) {
		close(o.in.out);
		if (dup2(o.in.in, 0) < 0 || dup2(o.out.out, 1) < 0)
			err(2, "dup2");
		if (!raised)
			_exit(count_probed());
		execl(path, "start_cost", "count", (char *)NULL);
		err(2, "%s", path);
	}
	gate_wait(&o.out);
	return o;
}

static void other_end(const struct other *o)
{
	int status;

	close(o->in.out);
	check(waitpid(o->pid, &status, 0) == o->pid && !status, "its end");
}

/* Check that the test can see a difference: a start becomes cheaper. */
static void test_ordinary(void)
{
	uint64_t before, after;
	struct other o;

	become_ordinary();
	before = cost_of_start();
	o = other_new(false);
	after = cost_of_start();
	check(after < before, "an ordinary program shares its set: %llu, %llu",
	      (unsigned long long)before, (unsigned long long)after);
	other_end(&o);
}

static void test_raised(void)
{
	uint64_t before, after;
	struct other o;

	become_ordinary();
	before = cost_of_start();
	o = other_new(true);
	after = cost_of_start();
	check(after == before, "%s: it shares none: %llu, %llu", kind->name,
	      (unsigned long long)before, (unsigned long long)after);
	other_end(&o);
}

/* Check that starts of another user do not remove this user's set from the driver's table. */
static _Noreturn void probe(const struct gate *probed, const struct gate *go_on)
{
	uint64_t before, after;
	struct other o;

	become_ordinary();
	o = other_new(false);
	before = cost_of_start();
	gate_open(probed);
	gate_wait(go_on);
	after = cost_of_start();
	check(after == before, "another user's sets are apart: %llu, %llu",
	      (unsigned long long)before, (unsigned long long)after);
	other_end(&o);
	_exit(check_status());
}

/* Let another user, here root, start each possible set of one event. */
static void test_other_user(void)
{
	struct gate probed = gate_new(), go_on = gate_new();
	int fd = open_device(), status;
	uint32_t code;
	pid_t pid = child_fork();

	if (!pid)
		probe(&probed, &go_on);
	gate_wait(&probed);
	for (code = 0; code < 64; code++)
		start_one(fd, code);
	gate_open(&go_on);
	check(waitpid(pid, &status, 0) == pid && !status, "the other user");
}

int main(int argc, char **argv)
{
	size_t i;

	(void)argv;
	if (argc > 1)
		return count_probed();
	run(test_ordinary);
	for (i = 0; i < NR_KINDS; i++) {
		kind = &kinds[i];
		make_program(kind, "start_cost", path);
		run(test_raised);
	}
	run(test_other_user);
	return check_status();
}

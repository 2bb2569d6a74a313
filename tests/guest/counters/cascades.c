// SPDX-License-Identifier: GPL-2.0-only
/*
 * cascades: test events that a Pentium 4 counts only after so many of another event. The second
 * count begins after the instruction with which the thread's first count reaches the number,
 * whatever other processes run in between. If both events are instructions, the second count is
 * therefore the first one less the number, or 0.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "follow.h"

#define U VPMC_MODE_USER
#define K VPMC_MODE_KERNEL
#define C VPMC_MODE_CASCADE

enum { PROCESSES = 4, ROUNDS = 200, LOOP = 50 };

/* Codes of events: event and mask of the ESCR, its number, and the group of counters */
#define CODE(event, mask, number)                      \
	(UINT64_C(event) << 25 | UINT64_C(mask) << 9 | \
	 UINT64_C(number) << 45 | UINT64_C(4) << 32)
#define INSNS	 CODE(0x02, 3, 4)
#define BRANCHES CODE(0x06, 0xf, 5)

#define ANY VPMC_COUNTER_ANY

static struct vpmc_event event(uint64_t code, unsigned int counter)
{
	return (struct vpmc_event)EVENT(code, (uint16_t)counter, U);
}

static struct vpmc_event after(uint32_t number, uint64_t code,
			       unsigned int counter)
{
	struct vpmc_event second = event(code, counter);

	second.modes |= C;
	second.period = number;
	return second;
}

static struct vpmc_event with_modes(struct vpmc_event event, uint16_t modes)
{
	event.modes |= modes;
	return event;
}

static uint64_t rest(uint64_t count, uint64_t number)
{
	return count > number ? count - number : 0;
}

static void must_start(int fd, struct vpmc_start *start)
{
	int result = request(fd, VPMC_START, start);

	if (result)
		check(false, "start: errno %d, reason %u, event %u", -result,
		      start->error, start->error_event);
}

/*
 * Run a script of known cost with the events of @start. @found receives the counts. Returns the
 * cost up to the loop, and the whole cost in @whole.
 */
static struct cost run_known(struct vpmc_start *start, struct cost *whole,
			     uint64_t *found)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	struct script s = script_new();
	int fd = open_device();
	struct cost before;
	unsigned int i;

	/* The previous script left its count running. */
	start->flags = VPMC_START_FORCE;
	script_start(&s, fd, start);
	before = s.cost;
	script_rounds(&s, LOOP);
	*whole = script_read(&s, fd, read);
	script_back(&s);
	script_run(&s);
	for (i = 0; i < start->nr_events; i++)
		found[i] = read->count[i];
	close(fd);
	return before;
}

/*
 * Test numbers of branches. This test is the first one to execute the loop. After the first branch of
 * the loop, the emulator executes the rest without looking for overflows. It must look again when a
 * larger number follows.
 */
static void test_branches(void)
{
	struct cost before, whole;
	uint64_t found[2] = { 0 };
	uint32_t n;

	before = run_known(START(0, event(BRANCHES, 12)), &whole, found);
	for (n = (uint32_t)before.branches + 1; n <= LOOP; n += 7) {
		run_known(START(0, event(BRANCHES, 12), after(n, BRANCHES, 14)),
			  &whole, found);
		check(found[0] == whole.branches &&
			      found[1] == rest(found[0], n),
		      "after %u branches: %llu and %llu of %llu", n,
		      (unsigned long long)found[0],
		      (unsigned long long)found[1],
		      (unsigned long long)whole.branches);
	}
}

/* Test the numbers around the whole count, on counters of all pairs that cascade. */
static void test_numbers(void)
{
	static const uint8_t pairs[][2] = {
		{ 12, 14 }, { 14, 12 }, { 13, 15 },
		{ 15, 13 }, { 14, 16 }, { 15, 17 }
	};
	struct cost whole;
	uint64_t found[2] = { 0 };
	unsigned int i;
	uint32_t n;

	run_known(START(0, event(INSNS, 12), after(1, INSNS, 14)), &whole,
		  found);
	for (i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		for (n = 1; n < whole.instructions + 3;
		     n += n < whole.instructions - 3 ? 20 : 1) {
			run_known(START(0, event(INSNS, pairs[i][0]),
					after(n, INSNS, pairs[i][1])),
				  &whole, found);
			check(found[0] == whole.instructions &&
				      found[1] == rest(found[0], n),
			      "counter %u after %u: %llu and %llu of %llu",
			      pairs[i][1], n, (unsigned long long)found[0],
			      (unsigned long long)found[1],
			      (unsigned long long)whole.instructions);
		}
	}
	run_known(START(0, event(INSNS, 12),
			after(VPMC_MAX_CASCADE, INSNS, 14)),
		  &whole, found);
	check(!found[1], "the largest number: %llu",
	      (unsigned long long)found[1]);
}

/* Each branch of the loop is the last of two instructions. One more instruction comes before. */
static void test_other_event(void)
{
	struct cost before, whole;
	uint64_t found[2] = { 0 }, want;
	uint32_t n;

	before = run_known(START(0, event(INSNS, 12), after(1, BRANCHES, 14)),
			   &whole, found);
	for (n = 1; n <= LOOP; n += 7) {
		run_known(START(0, event(INSNS, 12),
				after((uint32_t)before.instructions + 1 + 2 * n,
				      BRANCHES, 14)),
			  &whole, found);
		want = whole.branches - before.branches - n;
		check(found[1] == want, "after round %u: %llu want %llu", n,
		      (unsigned long long)found[1], (unsigned long long)want);
	}
}

/* Test that the second event can be the first one of a third event. */
static void test_chain(void)
{
	struct cost whole;
	uint64_t found[3] = { 0 };

	run_known(START(0, event(INSNS, 12), after(20, INSNS, 14),
			after(30, INSNS, 16)),
		  &whole, found);
	check(found[1] == whole.instructions - 20 &&
		      found[2] == whole.instructions - 50,
	      "chain: %llu and %llu of %llu", (unsigned long long)found[1],
	      (unsigned long long)found[2],
	      (unsigned long long)whole.instructions);
}

/* Test that the driver chooses counters of which one starts the other. */
static void test_chosen(void)
{
	struct cost whole;
	uint64_t found[4] = { 0 };

	run_known(START(0, event(INSNS, ANY), event(INSNS, ANY),
			after(20, INSNS, ANY), after(30, INSNS, ANY)),
		  &whole, found);
	check(found[0] == whole.instructions && found[1] == found[0] &&
		      found[2] == found[0] - 20 && found[3] == found[0] - 50,
	      "chosen counters: %llu, %llu, %llu of %llu",
	      (unsigned long long)found[1], (unsigned long long)found[2],
	      (unsigned long long)found[3],
	      (unsigned long long)whole.instructions);
}

/* Test that a program that is executed continues both counts, before and after the number. */
static void test_exec(void)
{
	enum { EXACTLY = 1000, TRIES = 6 };
	struct vpmc_start *start =
		START(VPMC_START_FORCE, event(INSNS, 12), after(1, INSNS, 14));
	uint64_t before, whole;
	struct vpmc_read read;
	struct script s;
	unsigned int i;
	int fd;

	for (i = 0; i < TRIES; i++) {
		fd = open_device();
		s = script_new();
		script_start(&s, fd, start);
		script_rounds(&s, LOOP);
		before = s.cost.instructions;
		script_exec_exactly(&s, "./exactly-1000", EXACTLY);
		whole = s.cost.instructions;
		start->event[1].period =
			(const uint32_t[TRIES]){ 1,
						 (uint32_t)before,
						 (uint32_t)before + 1,
						 (uint32_t)before + 500,
						 (uint32_t)whole - 1,
						 (uint32_t)whole }[i];
		if (!child_fork())
			script_run(&s);
		wait(NULL);
		read = read_scope(fd, VPMC_SCOPE_SELF);
		check(read.count[0] == whole &&
			      read.count[1] ==
				      rest(whole, start->event[1].period),
		      "exec after %u: %llu and %llu of %llu",
		      start->event[1].period, read.count[0], read.count[1],
		      (unsigned long long)whole);
		close(fd);
	}
}

/* This handle is not bound, so it shows the counts of the process that reads. */
static int reader;

static bool is_right(uint32_t number)
{
	const struct vpmc_read read = read_scope(reader, VPMC_SCOPE_THREAD);

	return read.count[1] == rest(read.count[0], number);
}

/* Let the process migrate, and use some instructions. */
static void move(unsigned int round)
{
	const unsigned int cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	unsigned int i;

	stay_on(round / 3 % cpus);
	for (i = 0; i < round * 10; i++)
		__asm__ volatile("");
}

/* Test that a new process counts both events from 0, and waits for the number itself. */
static bool forks_right(uint32_t number)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(!is_right(number));
	waitpid(pid, &status, 0);
	return !status;
}

/*
 * Be process @i of a ring, in which each process wakes the next process. Two of the processes have
 * cascades with different numbers. The other two count the same event without a cascade, or
 * nothing. Returns whether a count is wrong.
 */
static bool go_round(unsigned int i, const struct gate *gates, uint32_t number)
{
	bool cascades = i % 2, right = true;
	unsigned int round;

	number = cascades ? number << i : 0;
	if (cascades)
		must_start(open_device(), START(0, event(INSNS, 12),
						after(number, INSNS, 14)));
	else if (i)
		must_start(open_device(),
			   START(0, event(INSNS, 14), event(INSNS, 12)));
	for (round = 0; round < ROUNDS; round++) {
		gate_wait(&gates[i]);
		move(round + i);
		if (cascades)
			right &= is_right(number);
		if (cascades && round % 50 == 20)
			right &= forks_right(number);
		gate_open(&gates[(i + 1) % PROCESSES]);
	}
	return !right;
}

/* Test numbers that are reached in the middle of the rounds, soon, or never. */
static void test_ring(void)
{
	static const uint32_t numbers[] = { 100, 3000, 20000, 90000, 30000000 };
	struct gate gates[PROCESSES];
	unsigned int i, n;
	int status;

	for (n = 0; n < sizeof(numbers) / sizeof(*numbers); n++) {
		for (i = 0; i < PROCESSES; i++)
			gates[i] = gate_new();
		for (i = 0; i < PROCESSES; i++)
			if (!fork())
				_exit(go_round(i, gates, numbers[n]));
		gate_open(&gates[0]);
		for (i = 0; i < PROCESSES; i++) {
			wait(&status);
			check(!status, "wrong counts after %u: %#x", numbers[n],
			      (unsigned int)status);
		}
	}
}

/* Be a process that never sleeps, so that clock ticks switch between such processes. */
static bool spin(uint32_t number)
{
	const time_t end = time(NULL) + 4;
	bool right = true;

	must_start(open_device(),
		   START(0, event(INSNS, 12), after(number, INSNS, 14)));
	while (time(NULL) < end)
		right &= is_right(number);
	return !right;
}

static void test_ticks(void)
{
	unsigned int i;
	int status;

	for (i = 0; i < PROCESSES; i++)
		if (!fork())
			_exit(spin(10000U << 3 * i));
	for (i = 0; i < PROCESSES; i++) {
		wait(&status);
		check(!status, "wrong counts between ticks: %#x",
		      (unsigned int)status);
	}
}

/* Test that a stopped process counts on from where it was, before and after the number. */
static void test_resume(void)
{
	enum { NUMBER = 50000 };
	struct vpmc_start *start =
		START(0, event(INSNS, 12), after(NUMBER, INSNS, 14));
	int fd = open_device();
	unsigned int round;
	bool right = true;

	must_start(fd, start);
	start->flags = VPMC_START_RESUME;
	check(read_scope(reader, VPMC_SCOPE_THREAD).count[0] < NUMBER,
	      "the number is not reached at once");
	for (round = 0; round < ROUNDS; round++) {
		move(round);
		if (request(fd, VPMC_STOP, stop_arg()))
			check(false, "stop in round %u", round);
		move(round);
		right &= is_right(NUMBER);
		must_start(fd, start);
		right &= is_right(NUMBER);
	}
	check(right, "wrong counts after a stop");
	check(read_scope(reader, VPMC_SCOPE_THREAD).count[1] > NUMBER,
	      "the number was reached");
	close(fd);
}

/* Test that another process reads right counts, before the number and while they grow. */
static void test_attached(void)
{
	enum { NUMBER = 300000, READS = 2000, MOST = 1000000 };
	struct vpmc_start *start =
		START(0, event(INSNS, 12), after(NUMBER, INSNS, 14));
	struct gate started = gate_new(), attached = gate_new();
	struct vpmc_attach attach = { .size = sizeof(attach) };
	unsigned int reads, wrong = 0, round;
	struct vpmc_read read;
	int fd, result;
	pid_t pid = child_fork();

	if (!pid) {
		must_start(open_device(), start);
		gate_open(&started);
		gate_wait(&attached);
		for (round = 0;; round++)
			move(round % ROUNDS);
	}
	gate_wait(&started);
	fd = open_device();
	attach.id = pid;
	result = request(fd, VPMC_ATTACH, &attach);
	check(!result, "attach: errno %d", -result);
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check(read.count[0] && !read.count[1],
	      "a process that waits: %llu, %llu", read.count[0], read.count[1]);
	gate_open(&attached);
	for (reads = 0; reads < READS || (!read.count[1] && reads < MOST);
	     reads++) {
		read = read_scope(fd, VPMC_SCOPE_SELF);
		wrong += read.count[1] != rest(read.count[0], NUMBER);
	}
	check(!wrong && read.count[1], "%u of %u reads are wrong", wrong,
	      reads);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd);
}

/* Test that the second count of all children is the sum of their second counts. */
static void test_children(void)
{
	enum { CHILDREN = 5, SOON = 100, NEVER = 30000000 };
	static const uint32_t numbers[] = { SOON, NEVER };
	struct vpmc_read read;
	unsigned int i, n;
	uint64_t want;
	int fd;

	for (n = 0; n < sizeof(numbers) / sizeof(*numbers); n++) {
		fd = open_device();
		must_start(fd, START(VPMC_START_FORCE, event(INSNS, 12),
				     after(numbers[n], INSNS, 14)));
		for (i = 0; i < CHILDREN; i++) {
			if (child_fork())
				continue;
			move(i * ROUNDS + SOON);
			_exit(0);
		}
		while (wait(NULL) > 0)
			;
		read = read_scope(fd, VPMC_SCOPE_CHILDREN);
		want = numbers[n] == SOON
			       ? read.count[0] - 1ull * CHILDREN * SOON
			       : 0;
		check(read.count[0] > 10ull * ROUNDS * CHILDREN &&
			      read.count[1] == want,
		      "children after %u: %llu and %llu", numbers[n],
		      read.count[0], read.count[1]);
		close(fd);
	}
}

static void refused(struct vpmc_start *start, const char *what)
{
	check_start_refused(start, VPMC_REASON_CASCADE, what);
}

static void test_refusals(void)
{
	const struct vpmc_event first = event(INSNS, 12),
				second = after(10, INSNS, 14);
	struct vpmc_start system = *START(0, first, second);
	int result;

	refused(START(0, second), "no event before it");
	refused(START(0, first, after(0, INSNS, 14)), "no number");
	refused(START(0, first, after(VPMC_MAX_CASCADE + 1, INSNS, 14)),
		"a number that is too large");
	refused(START(0, first, after(10, INSNS, 16)), "no cascade to 16");
	refused(START(0, event(INSNS, 16), second), "no cascade from 16");
	refused(START(0, with_modes(first, K), with_modes(second, K)),
		"kernel mode");
	refused(START(VPMC_START_MULTIPLEX, first, second, first),
		"events in turns");
	result = request(reader, VPMC_SYSTEM_START, &system);
	check(result == -EINVAL && system.error == VPMC_REASON_CASCADE,
	      "system mode: %d, reason %u", result, system.error);
}

int main(void)
{
	reader = open_device();
	run(test_branches);
	run(test_numbers);
	run(test_other_event);
	run(test_chain);
	run(test_chosen);
	run(test_exec);
	run(test_ring);
	run(test_ticks);
	run(test_resume);
	run(test_attached);
	run(test_children);
	run(test_refusals);
	return check_status();
}

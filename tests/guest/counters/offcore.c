// SPDX-License-Identifier: GPL-2.0-only
/*
 * offcore NR BITS: test counts of Intel's off-core responses. An additional register selects the
 * responses that are counted. The processor has NR such registers, with these BITS. Each register
 * has the value of the thread that runs on the processor, or 0 if this thread counts other events.
 * It also has the value 0 when the driver has given the counters back. A start with an impossible
 * value must be refused, and so must a start with two different values for one register.
 *
 * The emulated processor does not count these events.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define U	    VPMC_MODE_USER
#define OFFCORE_RSP 0x1a6 /* the number of the first register */

enum { RING = 3, ROUNDS = 50, SPINS = 1000000 };

/* This is the event of each register. */
static const uint32_t codes[] = { 0x01b7, 0x01bb };

static unsigned int registers;
static uint64_t bits;
static int msr;

/* Return the value of register @n of processor 0. */
static uint64_t held(unsigned int n)
{
	uint64_t value;

	if (pread(msr, &value, sizeof(value), OFFCORE_RSP + n) != sizeof(value))
		err(2, "register %#x", OFFCORE_RSP + n);
	return value;
}

/* Return all possible bits except one. */
static uint64_t without(unsigned int n)
{
	return bits & ~(UINT64_C(1) << n);
}

static struct vpmc_event response(unsigned int n, unsigned int counter,
				  uint64_t extra)
{
	struct vpmc_event event = EVENT(codes[n], (uint16_t)counter, U);

	event.extra = extra;
	return event;
}

static struct vpmc_event instructions(unsigned int counter)
{
	return (struct vpmc_event)EVENT(code_here(INSTRUCTIONS),
					(uint16_t)counter, U);
}

static void must_start(int fd, unsigned long what, struct vpmc_start *start)
{
	int result = request(fd, what, start);

	if (result)
		check(false, "start: errno %d, reason %u", -result,
		      start->error);
}

static void check_held(unsigned int n, uint64_t want, const char *what)
{
	uint64_t value = held(n);

	check(value == want, "%s: register %u holds %#llx want %#llx", what, n,
	      (unsigned long long)value, (unsigned long long)want);
}

/* Test the register in one thread and in its child. */
static void test_one(void)
{
	struct vpmc_query query = { .size = sizeof(query),
				    .scope = VPMC_SCOPE_THREAD };
	int fd = open_device(), status;
	pid_t pid;

	must_start(fd, VPMC_START,
		   START(0, response(0, 0, without(0)), instructions(1)));
	check_held(0, without(0), "who counts");
	pid = fork();
	if (!pid)
		_exit(held(0) != without(0));
	waitpid(pid, &status, 0);
	check(!status, "a child that inherits it holds it, too");
	check(!request(fd, VPMC_QUERY, &query) &&
		      query.event[0].extra == without(0),
	      "a query says what is in the register");
}

static void test_counts(void)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	struct script s = script_new();
	int fd = open_device();
	struct cost cost;

	script_start(&s, fd, START(0, response(0, 0, bits), instructions(1)));
	script_rounds(&s, ROUNDS);
	cost = script_read(&s, fd, read);
	script_back(&s);
	script_run(&s);
	check(!read->count[0] && read->count[1] == cost.instructions,
	      "%llu responses, %llu instructions want %llu", read->count[0],
	      read->count[1], (unsigned long long)cost.instructions);
}

/* Test more events than fit into the driver's object of a thread, with each register in use. */
static void test_all(void)
{
	struct vpmc_start *start =
		START(0, instructions(0), instructions(1),
		      response(0, 2, without(0)),
		      response(registers - 1, 3,
			       registers > 1 ? without(1) : without(0)));

	must_start(open_device(), VPMC_START, start);
	check_held(0, without(0), "the first of all");
	if (registers > 1)
		check_held(1, without(1), "the second of all");
}

/*
 * Return the register's value for process @i of a ring. The last process does not count responses.
 */
static uint64_t value_of(unsigned int i)
{
	return i < RING - 1 ? without(i) : 0;
}

/*
 * Be process @i of the ring, in which each process wakes the next process. Returns the number of
 * rounds in which the register did not have this process's value.
 */
static unsigned int go_round(unsigned int i, const struct gate *gates)
{
	unsigned int round, wrong = 0;

	must_start(open_device(), VPMC_START,
		   START(0, value_of(i) ? response(0, 0, value_of(i))
					: instructions(0)));
	for (round = 0; round < ROUNDS; round++) {
		gate_wait(&gates[i]);
		wrong += held(0) != value_of(i);
		gate_open(&gates[(i + 1) % RING]);
	}
	return wrong;
}

static void test_ring(void)
{
	struct gate gates[RING];
	unsigned int i;
	int status;

	for (i = 0; i < RING; i++)
		gates[i] = gate_new();
	for (i = 0; i < RING; i++)
		if (!fork())
			_exit((int)go_round(i, gates));
	gate_open(&gates[0]);
	for (i = 0; i < RING; i++) {
		wait(&status);
		check(!status, "a process finds another one's value: %#x",
		      (unsigned int)status);
	}
}

/* Test two events that share a counter. They use the register in turn. */
static void test_turns(void)
{
	unsigned int i, others = 0;
	bool first = false, second = false;
	uint64_t value;

	must_start(open_device(), VPMC_START,
		   START(VPMC_START_MULTIPLEX, response(0, 0, without(0)),
			 response(0, 0, without(1)), instructions(1)));
	for (i = 0; i < SPINS && !(first && second); i++) {
		value = held(0);
		first |= value == without(0);
		second |= value == without(1);
		others += value != without(0) && value != without(1);
	}
	check(first && second && !others,
	      "first %d, second %d, %u others in %u reads", first, second,
	      others, i);
}

static void test_system(void)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int fd = open_device();

	must_start(fd, VPMC_SYSTEM_START, START(0, response(0, 0, without(2))));
	check_held(0, without(2), "system mode");
	check(!request(fd, VPMC_SYSTEM_STOP, &stop), "it ends");
}

static void test_refusals(void)
{
	struct vpmc_event other = instructions(1);

	other.extra = 1;
	check_start_refused(START(0, instructions(0), response(0, 1, 0)),
			    VPMC_REASON_MORE_REGISTERS, "a value is wanted");
	check_start_refused(START(0, instructions(0), other),
			    VPMC_REASON_MORE_REGISTERS, "no value is wanted");
	check_start_refused(START(0, instructions(0), response(0, 1, bits + 1)),
			    VPMC_REASON_EXTRA_RESERVED, "a reserved bit");
	check_start_refused(START(0, response(0, 1, UINT64_C(1) << 63)),
			    VPMC_REASON_EXTRA_RESERVED, "the highest bit");
	check_start_refused(START(0, response(0, 4, bits)),
			    VPMC_REASON_WRONG_COUNTER, "the fifth counter");
	check_start_refused(START(0, response(0, 0, without(0)),
				  response(0, 1, without(1))),
			    VPMC_REASON_EXTRA_TAKEN,
			    "two values in one register");
	check_start_refused(
		START(VPMC_START_MULTIPLEX, response(0, 0, without(0)),
		      response(0, 0, without(1)), response(0, 1, without(1))),
		VPMC_REASON_EXTRA_TAKEN, "two values beside turns");
	if (registers < 2)
		check_start_refused(START(0, response(1, 0, bits)),
				    VPMC_REASON_MORE_REGISTERS,
				    "no such register");
	must_start(open_device(), VPMC_START,
		   START(0, response(0, 0, bits), response(0, 1, bits)));
	check_held(0, bits, "the same value twice");
}

/* Test that a resume needs the same event, including the value of the register. */
static void test_resume(void)
{
	int fd = open_device(), result;

	must_start(fd, VPMC_START, START(0, response(0, 0, without(0))));
	check(!request(fd, VPMC_STOP, stop_arg()), "stop");
	result = request(fd, VPMC_START,
			 START(VPMC_START_RESUME, response(0, 0, without(1))));
	check(result == -EINVAL, "a resume with another value: %d, want %d",
	      result, -EINVAL);
	must_start(fd, VPMC_START,
		   START(VPMC_START_RESUME, response(0, 0, without(0))));
	check_held(0, without(0), "who goes on");
}

/*
 * Test that the driver clears the registers some time after the last process that counted has
 * exited.
 */
static void test_given_back(void)
{
	unsigned int i;

	sleep(3);
	for (i = 0; i < registers; i++)
		check_held(i, 0, "when nobody has the counters");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		errx(2, "usage: offcore NR BITS");
	registers = (unsigned int)strtoul(argv[1], NULL, 0);
	bits = strtoull(argv[2], NULL, 0);
	msr = open("/dev/cpu/0/msr", O_RDONLY | O_CLOEXEC);
	if (msr < 0)
		err(2, "/dev/cpu/0/msr");
	run(test_one);
	run(test_given_back);
	run(test_counts);
	run(test_all);
	run(test_given_back);
	run(test_ring);
	run(test_turns);
	run(test_resume);
	run(test_system);
	run(test_refusals);
	run(test_given_back);
	return check_status();
}

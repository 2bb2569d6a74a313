// SPDX-License-Identifier: GPL-2.0-only
/*
 * escrs: test the registers that the counters of a Pentium 4 share. Each ESCR, and the registers of
 * tags, have the values of the thread that runs on the processor, so that operations that one
 * thread tags are not counted for another thread. The registers are 0 when the driver has given the
 * counters back. Events that need two values in one ESCR must be refused, with the reason.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define U VPMC_MODE_USER
#define K VPMC_MODE_KERNEL

enum { RING = 3, ROUNDS = 50 };

/* Codes of events: event and mask of the ESCR, its number, and the group of counters */
#define CODE(event, mask, number, group)               \
	(UINT64_C(event) << 25 | UINT64_C(mask) << 9 | \
	 UINT64_C(number) << 45 | UINT64_C(group) << 32)
#define INSNS	      CODE(0x02, 3, 4, 4)
#define INSNS_NO_TAG  CODE(0x02, 1, 4, 4)
#define CONDITIONAL   CODE(0x06, 0xf, 5, 4)
#define TAG_LOADS     CODE(0x02, 2, 2, 4)
#define FRONT_END     CODE(0x08, 1, 5, 4)
#define REPLAY	      CODE(0x09, 1, 5, 4)
#define BUS_OF_ALL    CODE(0x03, 0x4001, 6, 1)
#define CLOCKS_ALWAYS (INSNS | UINT64_C(0xfc) << 48)
#define CASCADE_BIT   (UINT64_C(1) << 62)

/* Values of the extra register: tags of misses of the first and of the second cache */
#define L1_MISSES (UINT64_C(1) << 32 | 1)
#define L2_MISSES (UINT64_C(1) << 32 | 2)

enum {
	CRU_ESCR0 = 0x3b8,
	CRU_ESCR2 = 0x3cc,
	RAT_ESCR0 = 0x3bc,
	PEBS_ENABLE = 0x3f1,
	PEBS_MATRIX = 0x3f2,
};

static int msr;

static void check_held(unsigned int address, uint64_t want, const char *what)
{
	uint64_t value;

	if (pread(msr, &value, sizeof(value), address) != sizeof(value))
		err(2, "register %#x", address);
	check(value == want, "%s: register %#x holds %#llx want %#llx", what,
	      address, (unsigned long long)value, (unsigned long long)want);
}

static struct vpmc_event event(uint64_t code, unsigned int counter)
{
	return (struct vpmc_event)EVENT(code, (uint16_t)counter, U);
}

static struct vpmc_event kernel(uint64_t code, unsigned int counter)
{
	return (struct vpmc_event)EVENT(code, (uint16_t)counter, K);
}

static struct vpmc_event replay(unsigned int counter, uint64_t extra)
{
	struct vpmc_event tagged = event(REPLAY, counter);

	tagged.extra = extra;
	return tagged;
}

static void must_start(int fd, struct vpmc_start *start)
{
	int result = request(fd, VPMC_START, start);

	if (result)
		check(false, "start: errno %d, reason %u, event %u", -result,
		      start->error, start->error_event);
}

/* Test the values while a thread counts: the ESCR has the modes at its bits 2 and 3. */
static void test_held(void)
{
	must_start(open_device(),
		   START(0, event(INSNS, 12), replay(14, L1_MISSES),
			 event(TAG_LOADS, 13)));
	check_held(CRU_ESCR0, (uint32_t)INSNS | 4, "who counts");
	check_held(CRU_ESCR2 + 1, (uint32_t)REPLAY | 4, "the second ESCR");
	check_held(RAT_ESCR0, (uint32_t)TAG_LOADS | 4, "who tags");
	check_held(PEBS_ENABLE, 1 << 24 | 1, "tags of replays");
	check_held(PEBS_MATRIX, 1, "their matrix");
}

/*
 * Test the driver's choice of counters if only one choice leaves counters for the other events.
 */
static void test_chosen(void)
{
	struct vpmc_query query = { .size = sizeof(query),
				    .scope = VPMC_SCOPE_THREAD };
	const struct vpmc_event any = event(INSNS, VPMC_COUNTER_ANY);
	struct vpmc_event other = any;
	int fd = open_device();

	other.modes = U | K;
	must_start(fd, START(0, event(CONDITIONAL, 12), event(INSNS, 13), other,
			     any, event(CONDITIONAL, 15)));
	/* The first of two ESCRs has counters 12, 13 and 16, the second 14, 15 and 17. */
	check(!request(fd, VPMC_QUERY, &query) &&
		      query.event[2].counter == 14 &&
		      query.event[3].counter == 16,
	      "counters %u and %u", query.event[2].counter,
	      query.event[3].counter);
}

/*
 * Be process @i of a ring, in which each process wakes the next process. The first process tags
 * loads and counts them. The second process counts tagged loads, but does not tag loads. The
 * third process tags and does not count. Returns whether the count is wrong.
 */
static bool go_round(unsigned int i, const struct gate *gates)
{
	struct vpmc_start *start[RING] = {
		START(0, event(FRONT_END, 12), event(TAG_LOADS, 13)),
		START(0, event(FRONT_END, 12)),
		START(0, event(INSNS, 12), event(TAG_LOADS, 14)),
	};
	struct vpmc_read read;
	int fd = open_device();
	unsigned int round;

	must_start(fd, start[i]);
	for (round = 0; round < ROUNDS; round++) {
		gate_wait(&gates[i]);
		gate_open(&gates[(i + 1) % RING]);
	}
	read = read_scope(fd, VPMC_SCOPE_THREAD);
	return i == 1 ? read.count[0] : !read.count[0];
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
			_exit(go_round(i, gates));
	gate_open(&gates[0]);
	for (i = 0; i < RING; i++) {
		wait(&status);
		check(!status, "tags of one process count for another: %#x",
		      (unsigned int)status);
	}
}

/* Test the same number of instructions on all counters that can count it. */
static void test_counts(void)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	struct script s = script_new();
	int fd = open_device();
	struct cost cost;
	unsigned int i;

	script_start(&s, fd,
		     START(0, event(INSNS, 12), event(INSNS, 13),
			   event(INSNS, 16), event(INSNS_NO_TAG, 14),
			   event(INSNS_NO_TAG, 17)));
	script_rounds(&s, ROUNDS);
	cost = script_read(&s, fd, read);
	script_back(&s);
	script_run(&s);
	for (i = 0; i < 5; i++)
		check(read->count[i] == cost.instructions,
		      "event %u: %llu want %llu", i, read->count[i],
		      (unsigned long long)cost.instructions);
}

static void test_refusals(void)
{
	check_start_refused(START(0, event(INSNS, 12), event(INSNS_NO_TAG, 13)),
			    VPMC_REASON_REGISTER_TAKEN,
			    "two masks in one ESCR");
	check_start_refused(START(0, event(INSNS, 14), kernel(INSNS, 17)),
			    VPMC_REASON_REGISTER_TAKEN,
			    "two modes in one ESCR");
	check_start_refused(
		START(VPMC_START_MULTIPLEX, event(INSNS, 12),
		      event(INSNS_NO_TAG, 12), event(INSNS_NO_TAG, 13)),
		VPMC_REASON_REGISTER_TAKEN, "two masks beside turns");
	check_start_refused(START(0, replay(12, L1_MISSES),
				  replay(14, L2_MISSES)),
			    VPMC_REASON_EXTRA_TAKEN, "two kinds of tags");
	check_start_refused(START(0, replay(12, 0)), VPMC_REASON_MORE_REGISTERS,
			    "no tags");
	check_start_refused(START(0, replay(12, UINT64_C(1) << 25)),
			    VPMC_REASON_EXTRA_RESERVED, "precise events");
	check_start_refused(START(0, replay(12, UINT64_C(1) << 45)),
			    VPMC_REASON_EXTRA_RESERVED,
			    "a reserved bit of the matrix");
	check_start_refused(START(0, event(BUS_OF_ALL, 0)), VPMC_REASON_SHARED,
			    "what other processors do");
	check_start_refused(START(0, event(INSNS, 0)),
			    VPMC_REASON_WRONG_COUNTER, "the first counter");
	check_start_refused(START(0, event(INSNS, 18)), VPMC_REASON_NO_COUNTER,
			    "one counter too many");
	check_start_refused(START(0, event(CODE(0x02, 1, 7, 4), 12)),
			    VPMC_REASON_UNKNOWN_EVENT,
			    "no ESCR of this number");
	check_start_refused(START(0, event(CLOCKS_ALWAYS, 12)),
			    VPMC_REASON_MODES, "clocks of one mode");
	check_start_refused(START(0, event(INSNS | CASCADE_BIT, 12)),
			    VPMC_REASON_RESERVED_BITS, "the bit of a cascade");
}

/* Test that the driver clears the registers after the last process that counted has exited. */
static void test_given_back(void)
{
	sleep(3);
	check_held(CRU_ESCR0, 0, "when nobody has the counters");
	check_held(RAT_ESCR0, 0, "when nobody has the counters");
	check_held(PEBS_ENABLE, 0, "when nobody has the counters");
	check_held(PEBS_MATRIX, 0, "when nobody has the counters");
}

int main(void)
{
	msr = open("/dev/cpu/0/msr", O_RDONLY | O_CLOEXEC);
	if (msr < 0)
		err(2, "/dev/cpu/0/msr");
	run(test_held);
	run(test_chosen);
	run(test_counts);
	run(test_ring);
	run(test_refusals);
	run(test_given_back);
	return check_status();
}

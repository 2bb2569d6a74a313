// SPDX-License-Identifier: GPL-2.0-only
/*
 * abi: test every refusal that the driver's interface promises, with its errno and
 * reason, and test that a refusal changes nothing.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "follow.h"

#define NOBODY 65534

/* This is an address in the kernel's part of the address space. */
#ifdef __LP64__
#define LAST_PAGE ((void *)0xfffffffffffff000)
#else
#define LAST_PAGE ((void *)0xfffff000)
#endif

static struct vpmc_start good_start(void)
{
	return (struct vpmc_start){
		.size = sizeof(struct vpmc_start),
		.nr_events = 2,
		.event = { EVENT(code_here(INSTRUCTIONS), counter_here(0),
				 VPMC_MODE_USER),
			   EVENT(code_here(BRANCHES), counter_here(1),
				 VPMC_MODE_USER) },
	};
}

/* Check that the calling thread has never counted, and that the handle is not bound. */
static void check_untouched(int fd, const char *after)
{
	struct vpmc_info info = { .size = sizeof(info) };
	struct vpmc_read read = { .size = sizeof(read) };
	struct vpmc_stop stop = { .size = sizeof(stop) };
	struct vpmc_record record = { .size = sizeof(record) };

	check(!request(fd, VPMC_INFO, &info) && !info.generation,
	      "%s: no generation", after);
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "%s: nothing to read in THREAD", after);
	read.scope = VPMC_SCOPE_SELF;
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "%s: nothing to read in SELF", after);
	read.scope = VPMC_SCOPE_CHILDREN;
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "%s: nothing to read in CHILDREN", after);
	read.scope = VPMC_SCOPE_ALL;
	check(request(fd, VPMC_READ, &read) == -ENODATA,
	      "%s: nothing to read in ALL", after);
	check(request(fd, VPMC_RECORD, &record) == -ENODATA, "%s: no record",
	      after);
	check(request(fd, VPMC_STOP, &stop) == -ENODATA, "%s: nothing to stop",
	      after);
}

/*
 * struct refusal - a VPMC_START that fails with EINVAL
 * @reason, @event: the answer of the driver
 * @nr_events, @flags, @pad, @events: fields of the request. The codes of @events are the names of
 *	follow.h, and their counters are numbers for counter_here(). The test replaces ABSENT by
 *	the smallest number that is too large for this processor.
 */
struct refusal {
	const char *what;
	enum vpmc_reason reason;
	unsigned int event;
	unsigned int nr_events, flags, pad;
	struct vpmc_event events[2];
};

_Static_assert(sizeof(struct vpmc_event) == 24, "as for 64-bit programs");
_Static_assert(offsetof(struct vpmc_event, extra) == 16, "likewise");

#define ABSENT 0x7777
#define U      VPMC_MODE_USER

/* clang-format off */
#define GOOD EVENT(INSTRUCTIONS, 0, U)

static const struct refusal refusals[] = {
	{ "unknown flag", VPMC_REASON_FLAGS, 0, 1, 0x100, 0, { GOOD } },
	{ "to resume and to begin again", VPMC_REASON_FLAGS, 0, 1,
	  VPMC_START_RESUME | VPMC_START_FORCE, 0, { GOOD } },
	{ "to resume and to fold", VPMC_REASON_FLAGS, 0, 1,
	  VPMC_START_RESUME | VPMC_START_FOLD, 0, { GOOD } },
	{ "highest flag", VPMC_REASON_FLAGS, 0, 1, 0x80000000, 0, { GOOD } },
	{ "records of nothing collected", VPMC_REASON_FLAGS, 0, 1,
	  VPMC_START_RECORDS, 0, { GOOD } },
	{ "padding not zero", VPMC_REASON_FLAGS, 0, 1, 0, 1, { GOOD } },
	{ "no events", VPMC_REASON_NO_EVENTS, 0, 0, 0, 0, { GOOD } },
	{ "more events than counters", VPMC_REASON_TOO_MANY, 0, ABSENT, 0, 0,
	  { GOOD, EVENT(BRANCHES, 1, U) } },
	{ "more events than the structure has room for", VPMC_REASON_TOO_MANY,
	  0, VPMC_MAX_EVENTS + 1, 0, 0, { GOOD } },
	{ "as many events as fit in 32 bits", VPMC_REASON_TOO_MANY, 0,
	  UINT32_MAX, 0, 0, { GOOD } },
	{ "the first counter that is not there", VPMC_REASON_NO_COUNTER, 0, 1,
	  0, 0, { EVENT(INSTRUCTIONS, ABSENT, U) } },
	{ "counter 65534", VPMC_REASON_NO_COUNTER, 1, 2, 0, 0,
	  { GOOD, EVENT(BRANCHES, 65534, U) } },
	{ "counter 0 twice", VPMC_REASON_COUNTER_TAKEN, 1, 2, 0, 0,
	  { GOOD, EVENT(BRANCHES, 0, U) } },
	{ "counter 1 twice", VPMC_REASON_COUNTER_TAKEN, 1, 2, 0, 0,
	  { EVENT(INSTRUCTIONS, 1, U), EVENT(BRANCHES, 1, U) } },
	{ "a period without rings", VPMC_REASON_NO_SAMPLES, 1, 2, 0, 0,
	  { GOOD, { BRANCHES, 1, U, 1000, 0 } } },
	{ "another register", VPMC_REASON_MORE_REGISTERS, 0, 1, 0, 0,
	  { { INSTRUCTIONS, 0, U, 0, 1 } } },
	{ "the top bit of another register", VPMC_REASON_MORE_REGISTERS, 1, 2,
	  0, 0, { GOOD, { BRANCHES, 1, U, 0, 0x8000000000000000 } } },
	{ "no mode", VPMC_REASON_MODES, 0, 1, 0, 0,
	  { EVENT(INSTRUCTIONS, 0, 0) } },
	{ "unknown mode", VPMC_REASON_MODES, 1, 2, 0, 0,
	  { GOOD, EVENT(BRANCHES, 1, U | 0x10) } },
	{ "precise without a mode", VPMC_REASON_MODES, 1, 2, 0, 0,
	  { GOOD, EVENT(BRANCHES, 1, VPMC_MODE_PRECISE) } },
	{ "precise without a period", VPMC_REASON_PRECISE, 1, 2, 0, 0,
	  { GOOD, EVENT(BRANCHES, 1, U | VPMC_MODE_PRECISE) } },
};

/*
 * Each code is tried as the only event, and as the second of two events. Both starts must be
 * refused.
 */
struct refused_code {
	const char *what;
	enum vpmc_reason reason;
	unsigned int event;
	uint64_t code;
};

static const struct refused_code codes_of_p5[] = {
	{ "event 0x10, reserved", VPMC_REASON_UNKNOWN_EVENT, 0, 0x10 },
	{ "event 0x21, reserved", VPMC_REASON_UNKNOWN_EVENT, 1, 0x21 },
	{ "event 0x3f, beyond the last", VPMC_REASON_UNKNOWN_EVENT, 0, 0x3f },
	{ "clocks and an event", VPMC_REASON_UNKNOWN_EVENT, 0,
	  VPMC_P5_CLOCKS | 0x16 },
	{ "mode bits in the code", VPMC_REASON_RESERVED_BITS, 0, 0x16 | 0x80 },
	{ "bit 10 of the code", VPMC_REASON_RESERVED_BITS, 1, 0x12 | 0x400 },
	{ "counter 1's half in the code", VPMC_REASON_RESERVED_BITS, 0,
	  0x160000 },
	{ "highest bit of the code", VPMC_REASON_RESERVED_BITS, 0, 0x80000016 },
	{ "bit 32 of the code", VPMC_REASON_RESERVED_BITS, 0, 0x100000016 },
	{ "bit 63 of the code", VPMC_REASON_RESERVED_BITS, 1,
	  0x8000000000000012 },
	{ "pin control", VPMC_REASON_PIN_CONTROL, 0, 0x16 | 0x200 },
	{ "pin control on the second", VPMC_REASON_PIN_CONTROL, 1,
	  0x12 | 0x200 },
};

#define P4_INSTRUCTIONS 0x800404000600
#define P4_ESCR(bit)	(P4_INSTRUCTIONS | 1ULL << (bit))
#define P4_CCCR(bit)	(P4_INSTRUCTIONS | 1ULL << (32 + (bit)))

/* These are all bits that a code may not have, and a number of an ESCR that no counter has. */
static const struct refused_code codes_of_p4[] = {
	{ "user mode of the other thread", VPMC_REASON_RESERVED_BITS, 0, P4_ESCR(0) },
	{ "kernel mode of the other thread", VPMC_REASON_RESERVED_BITS, 1, P4_ESCR(1) },
	{ "user mode in the code", VPMC_REASON_RESERVED_BITS, 0, P4_ESCR(2) },
	{ "kernel mode in the code", VPMC_REASON_RESERVED_BITS, 1, P4_ESCR(3) },
	{ "bit 31 of the ESCR", VPMC_REASON_RESERVED_BITS, 0, P4_ESCR(31) },
	{ "bit 3 of the CCCR", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(3) },
	{ "bit 11 of the CCCR", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(11) },
	{ "the enable bit", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(12) },
	{ "the enable bit on the second", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(12) },
	{ "the first active thread", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(16) },
	{ "the second active thread", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(17) },
	{ "forced overflow", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(25) },
	{ "interrupts", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(26) },
	{ "interrupts of the other thread", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(27) },
	{ "bit 29 of the CCCR", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(29) },
	{ "a cascade", VPMC_REASON_RESERVED_BITS, 0, P4_CCCR(30) },
	{ "the overflow flag", VPMC_REASON_RESERVED_BITS, 1, P4_CCCR(31) },
	{ "the number of no ESCR", VPMC_REASON_UNKNOWN_EVENT, 0,
	  0xe00404000600 },
};

static const struct refused_code codes_of_others[] = {
	{ "user mode in the code", VPMC_REASON_RESERVED_BITS, 0, 0x100c0 },
	{ "kernel mode in the code", VPMC_REASON_RESERVED_BITS, 1, 0x200c0 },
	{ "interrupts", VPMC_REASON_RESERVED_BITS, 0, 0x1000c0 },
	{ "the enable bit", VPMC_REASON_RESERVED_BITS, 0, 0x4000c0 },
	{ "the enable bit on the second", VPMC_REASON_RESERVED_BITS, 1,
	  0x4000c0 },
	{ "bit 63 of the code", VPMC_REASON_RESERVED_BITS, 1,
	  0x80000000000000c0 },
	{ "pin control", VPMC_REASON_PIN_CONTROL, 0, 0x800c0 },
	{ "pin control on the second", VPMC_REASON_PIN_CONTROL, 1, 0x800c0 },
};
/* clang-format on */

#define NR_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct vpmc_info info_here(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device();

	if (request(fd, VPMC_INFO, &info))
		check(false, "info");
	close(fd);
	return info;
}

static bool is_p5(void)
{
	return !strncmp(info_here().pmu, "p5", 2);
}

static struct vpmc_start start_of(const struct refusal *r)
{
	struct vpmc_start start = {
		.size = sizeof(start),
		.flags = r->flags,
		.nr_events = r->nr_events,
		.pad = r->pad,
	};
	const uint16_t absent = counter_here(counters_here() + fixed_here());
	unsigned int i;

	if (r->nr_events == ABSENT)
		start.nr_events = absent + 1U;
	for (i = 0; i < NR_OF(r->events); i++) {
		start.event[i] = r->events[i];
		start.event[i].code = code_here(r->events[i].code);
		if (r->events[i].counter == ABSENT)
			start.event[i].counter = absent;
		else if (r->events[i].counter < counters_here())
			start.event[i].counter =
				counter_here(r->events[i].counter);
	}
	return start;
}

static struct vpmc_start start_of_code(const struct refused_code *r)
{
	struct vpmc_start start = good_start();

	start.nr_events = r->event + 1;
	start.event[r->event].code = r->code;
	return start;
}

static void check_refused(int fd, struct vpmc_start start,
			  enum vpmc_reason reason, unsigned int event,
			  const char *when, const char *what)
{
	int result;

	start.error = start.error_event = 99;
	result = request(fd, VPMC_START, &start);
	check(result == -EINVAL && start.error == reason &&
		      start.error_event == event && !start.generation,
	      "%s, %s: errno %d reason %u event %u want %d %u %u", when, what,
	      -result, start.error, start.error_event, EINVAL, reason, event);
}

static void check_codes(int fd, const char *when)
{
	const struct refused_code *codes = codes_of_others;
	size_t nr = NR_OF(codes_of_others), i;

	if (is_p5()) {
		codes = codes_of_p5;
		nr = NR_OF(codes_of_p5);
	} else if (!strcmp(info_here().pmu, "p4")) {
		codes = codes_of_p4;
		nr = NR_OF(codes_of_p4);
	}
	for (i = 0; i < nr; i++)
		check_refused(fd, start_of_code(&codes[i]), codes[i].reason,
			      codes[i].event, when, codes[i].what);
}

static void check_refusals(int fd, const char *when)
{
	size_t i;

	for (i = 0; i < NR_OF(refusals); i++)
		check_refused(fd, start_of(&refusals[i]), refusals[i].reason,
			      refusals[i].event, when, refusals[i].what);
	check_codes(fd, when);
}

static void test_refusals(void)
{
	int fd = open_device();

	check_refusals(fd, "never started");
	check_untouched(fd, "after all refusals");
}

/* The Pentium with MMX has more codes. Both Pentiums refuse codes that they do not have. */
static void test_mmx_events(void)
{
	struct vpmc_info info = info_here();
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	bool mmx = !strcmp(info.pmu, "p5mmx");
	int fd = open_device(), result;

	check(mmx || !strcmp(info.pmu, "p5"), "counters called %s", info.pmu);
	check(info.nr_counters == 2 && info.counter_bits == 40,
	      "two counters of 40 bits");
	start.event[1].code = 0x2a;
	result = request(fd, VPMC_START, &start);
	if (mmx)
		check(!result && !request(fd, VPMC_STOP, &stop),
		      "event 0x2a with MMX");
	else
		check(result == -EINVAL && start.error_event == 1 &&
			      start.error == VPMC_REASON_UNKNOWN_EVENT,
		      "event 0x2a without MMX: unknown");
}

static void test_info(void)
{
	struct vpmc_info info = info_here();

	check(info.abi_version == VPMC_ABI_VERSION, "the interface's version");
	check(!(info.features & VPMC_FEATURE_RDPMC) == !strcmp(info.pmu, "p5"),
	      "RDPMC is there but without MMX");
	if (is_p5())
		test_mmx_events();
}

/* A refused call of a thread that counts does not change the count. */
static void test_busy(void)
{
	struct vpmc_read before = { .size = sizeof(before) }, after = before;
	struct vpmc_start start = good_start(), other;
	int fd = open_device();

	check(!request(fd, VPMC_START, &start), "start");
	other = good_start();
	check(request(fd, VPMC_START, &other) == -EBUSY,
	      "a second start: EBUSY");
	other.flags = VPMC_START_AT_EXEC;
	check(request(fd, VPMC_START, &other) == -EBUSY,
	      "a start at exec while counting: EBUSY");
	other.flags = VPMC_START_RESUME;
	check(request(fd, VPMC_START, &other) == -EBUSY,
	      "a resume while counting: EBUSY");
	check(!request(fd, VPMC_READ, &before), "read");
	check_refusals(fd, "counting");
	check(!request(fd, VPMC_READ, &after) &&
		      after.state == VPMC_STATE_RUNNING &&
		      after.generation == start.generation &&
		      after.count[0] > before.count[0] &&
		      after.count[1] > before.count[1],
	      "after the refusals it counts on");
}

static void test_resume(void)
{
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int fd = open_device();
	uint64_t generation;

	start.flags = VPMC_START_RESUME;
	check(request(fd, VPMC_START, &start) == -ENODATA,
	      "a resume of nothing: ENODATA");
	check_untouched(fd, "after the resume of nothing");
	start = good_start();
	if (request(fd, VPMC_START, &start) || request(fd, VPMC_STOP, &stop))
		check(false, "start and stop");
	generation = start.generation;
	start.flags = VPMC_START_RESUME;
	start.event[1].code = code_here(CLOCKS);
	check(request(fd, VPMC_START, &start) == -EINVAL &&
		      start.error == VPMC_REASON_RESUME,
	      "a resume with other events: reason %u", start.error);
	start = good_start();
	start.flags = VPMC_START_RESUME;
	start.nr_events = 1;
	check(request(fd, VPMC_START, &start) == -EINVAL &&
		      start.error == VPMC_REASON_RESUME,
	      "a resume with fewer events: reason %u", start.error);
	start.nr_events = 2;
	check(!request(fd, VPMC_START, &start) &&
		      start.generation == generation,
	      "a resume with the same events");
}

/* A caller built for a later version passes a longer structure. */
union longer {
	struct vpmc_start start;
	struct vpmc_read read;
	unsigned char bytes[2 * PAGE];
};

static void check_start(int fd, union longer *arg, size_t size, int want,
			const char *what)
{
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int result;

	arg->start.size = (unsigned int)size;
	result = request(fd, VPMC_START, arg);
	check(result == want, "start, %s: errno %d want %d", what, -result,
	      -want);
	if (!result)
		request(fd, VPMC_STOP, &stop);
}

static void test_start_sizes(void)
{
	static union longer arg;
	size_t size = sizeof(struct vpmc_start);
	size_t head = offsetof(struct vpmc_start, event);
	int fd = open_device();

	arg.start = good_start();
	check_start(fd, &arg, 0, -EINVAL, "size 0");
	check_start(fd, &arg, 4, -EINVAL, "size 4");
	check_start(fd, &arg, head - 1, -EINVAL, "size one too short");
	check_start(fd, &arg, SIZE_MAX, -E2BIG, "greatest size");
	arg.bytes[size] = 1;
	check_start(fd, &arg, size + 1, -E2BIG, "a byte more, not zero");
	arg.bytes[size] = 0;
	arg.bytes[size + 99] = 1;
	check_start(fd, &arg, size + 100, -E2BIG, "100 more, last not zero");
	check_start(fd, &arg, head, -EINVAL, "no room for events");
	check(arg.start.error == VPMC_REASON_MODES,
	      "events outside the structure are zero");
	check_untouched(fd, "after the wrong sizes");
	check_start(fd, &arg, size + 99, 0, "99 more, all zero");
	check_start(fd, &arg, head + 2 * sizeof(struct vpmc_event), 0,
		    "room for two events");
	check_start(fd, &arg, head + sizeof(struct vpmc_event), -EINVAL,
		    "the same again, with room for one event");
	check(arg.start.error == VPMC_REASON_MODES &&
		      arg.start.error_event == 1,
	      "the second event is zero: reason %u want %u, event %u want 1",
	      arg.start.error, VPMC_REASON_MODES, arg.start.error_event);
}

static void test_read_sizes(void)
{
	static union longer arg;
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	size_t size = sizeof(struct vpmc_read);
	size_t head = offsetof(struct vpmc_read, count);
	int fd = open_device();

	if (request(fd, VPMC_START, &start) || request(fd, VPMC_STOP, &stop))
		check(false, "start and stop");
	arg.read.size = (unsigned int)(head - 1);
	check(request(fd, VPMC_READ, &arg) == -EINVAL, "read, too short");
	arg.read.size = (unsigned int)(head + 8);
	check(request(fd, VPMC_READ, &arg) == -EINVAL,
	      "read, room for one count of two");
	arg.read.size = (unsigned int)(head + 16);
	arg.read.count[2] = 0x5555;
	check(!request(fd, VPMC_READ, &arg) && arg.read.nr_counts == 2 &&
		      arg.read.count[2] == 0x5555,
	      "read, room for two counts and no byte more written");
	memset(&arg, 0, sizeof(arg));
	arg.read.size = (unsigned int)(size + 8);
	check(!request(fd, VPMC_READ, &arg), "read, 8 bytes more");
	arg.bytes[size + 7] = 1;
	check(request(fd, VPMC_READ, &arg) == -E2BIG,
	      "read, 8 bytes more, not zero");
	arg.read.size = (unsigned int)size;
	arg.read.flags = 1;
	check(request(fd, VPMC_READ, &arg) == -EINVAL, "read, unknown flag");
	arg.read.flags = 0;
	arg.read.scope = VPMC_SCOPE_ALL + 1;
	check(request(fd, VPMC_READ, &arg) == -EINVAL, "read, unknown scope");
}

/*
 * Check whether the driver returns turns. It must return them only if the caller's structure has
 * room for all of them.
 */
static void check_turns(int fd, union longer *arg, size_t size, bool want,
			const char *what)
{
	int result;

	memset(arg, 0, sizeof(*arg));
	arg->read.size = (unsigned int)size;
	if (size <= sizeof(arg->read)) {
		arg->read.nr_turns = arg->read.turn_shift = 0x5555;
		arg->read.turn[2].nr = 0x5555;
	}
	result = request(fd, VPMC_READ, arg);
	if (!want)
		check(!result && arg->read.nr_turns == 0x5555 &&
			      arg->read.turn_shift == 0x5555,
		      "%s: errno %d, no turns", what, -result);
	else
		check(!result && arg->read.nr_turns == 2 &&
			      arg->read.turn_shift < 64 &&
			      arg->read.turn[0].nr + arg->read.turn[1].nr > 0 &&
			      arg->read.turn[2].nr ==
				      (size > sizeof(arg->read) ? 0 : 0x5555),
		      "%s: errno %d, %u turns want 2, and no byte more", what,
		      -result, arg->read.nr_turns);
}

static void test_turns_sizes(void)
{
	static union longer arg;
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	size_t size = sizeof(struct vpmc_read);
	int fd = open_device();

	start.flags = VPMC_START_MULTIPLEX;
	start.event[1].counter = counter_here(0);
	if (request(fd, VPMC_START, &start) || request(fd, VPMC_STOP, &stop))
		check(false, "start and stop");
	arg.read.size = offsetof(struct vpmc_read, time[1]);
	check(request(fd, VPMC_READ, &arg) == -EINVAL,
	      "read of turns, room for one time of two");
	check_turns(fd, &arg, offsetof(struct vpmc_read, time[2]), false,
		    "read of turns, room for two times");
	check_turns(fd, &arg, size - 1, false, "read of turns, one too short");
	check_turns(fd, &arg, size, true, "read of turns");
	check_turns(fd, &arg, size + 8, true, "read of turns, 8 bytes more");
}

static void test_small_structures(void)
{
	struct vpmc_info info = { .size = offsetof(struct vpmc_info, system) -
					  1 };
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) - 1 };
	struct vpmc_read read = { .size = sizeof(read) };
	struct vpmc_record record = {
		.size = offsetof(struct vpmc_record, time) - 1
	};
	struct vpmc_signal signal = { .size = sizeof(signal) - 1 };
	struct vpmc_cgroup cgroup = { .size = sizeof(cgroup) - 1 };
	int fd = open_device();

	check(request(fd, VPMC_RECORD, &record) == -EINVAL,
	      "record, too short");
	record.size = sizeof(record);
	record.flags = 1;
	check(request(fd, VPMC_RECORD, &record) == -EINVAL,
	      "record, unknown flag");
	record.flags = 0;
	record.stopped = 1;
	check(request(fd, VPMC_RECORD, &record) == -ENODATA,
	      "record, what is answered is not looked at");
	check(request(fd, VPMC_INFO, &info) == -EINVAL, "info, too short");
	info.size = sizeof(info);
	info.flags = 1;
	check(request(fd, VPMC_INFO, &info) == -EINVAL, "info, unknown flag");
	info = (struct vpmc_info){ .size = offsetof(struct vpmc_info, system),
				   .system = 99 };
	check(!request(fd, VPMC_INFO, &info) && info.system == 99,
	      "info without what came later, and no byte more written");

	if (request(fd, VPMC_START, &start))
		check(false, "start");
	check(request(fd, VPMC_SIGNAL, &signal) == -EINVAL,
	      "signal, too short");
	check(request(fd, VPMC_CGROUP, &cgroup) == -EINVAL,
	      "cgroup, too short");
	cgroup.size = sizeof(cgroup);
	cgroup.flags = 1;
	check(request(fd, VPMC_CGROUP, &cgroup) == -EINVAL,
	      "cgroup, unknown flag");
	signal.size = sizeof(signal);
	signal.flags = 1;
	check(request(fd, VPMC_SIGNAL, &signal) == -EINVAL,
	      "signal, unknown flag");
	check(request(fd, VPMC_STOP, &stop) == -EINVAL, "stop, too short");
	stop.size = sizeof(stop);
	stop.flags = 1;
	check(request(fd, VPMC_STOP, &stop) == -EINVAL, "stop, unknown flag");
	check(!request(fd, VPMC_READ, &read) &&
		      read.state == VPMC_STATE_RUNNING,
	      "the refused stops have stopped nothing");
}

static void test_map_sizes(void)
{
	union {
		struct vpmc_map map;
		char bytes[sizeof(struct vpmc_map) + 8];
	} arg = { .map.size = sizeof(arg.map) - 1 };
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device();

	check(request(fd, VPMC_MAP, &arg) == -EINVAL, "map, too short");
	arg.map.size = sizeof(arg.map);
	arg.map.flags = 1;
	check(request(fd, VPMC_MAP, &arg) == -EINVAL, "map, unknown flag");
	arg.map.flags = 0;
	arg.map.size = sizeof(arg);
	arg.bytes[sizeof(arg) - 1] = 1;
	check(request(fd, VPMC_MAP, &arg) == -E2BIG,
	      "map, 8 bytes more, not zero");
	check(!arg.map.address && !arg.map.generation, "nothing is mapped");
	check_untouched(fd, "after refused maps");
	arg.map.size = sizeof(arg.map);
	fd = open("/dev/vpmc", O_WRONLY | O_CLOEXEC);
	check(request(fd, VPMC_INFO, &info) == 0 &&
		      request(fd, VPMC_MAP, &arg) ==
			      (info.features & VPMC_FEATURE_MAP ? -EACCES
								: -EOPNOTSUPP),
	      "map by a handle that is not open for reading");
}

static void test_requests(void)
{
	static const unsigned long requests[] = {
		_IO(VPMC_IOC_MAGIC, NR_CALLS),
		_IO(VPMC_IOC_MAGIC, 255),
		_IO(0, 0),
		_IOWR(VPMC_IOC_MAGIC, 0, int),
		0,
		0x5401,
	};
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device();
	size_t i;

	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		check(request(fd, requests[i], &info) == -ENOTTY,
		      "request %#lx: ENOTTY", requests[i]);
	check_untouched(fd, "after unknown requests");
}

/* Structures can be missing, end in the middle, or be read-only. */
static void test_pointers(void)
{
	static const char *const names[] = {
		"info",	  "start",	  "stop",	 "read",
		"record", "system start", "system stop", "system read",
		"attach", "signal",
	};
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct vpmc_start *cut;
	struct vpmc_info *info;
	int fd = open_device();
	unsigned int i;

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE))
		err(2, "mmap");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		unsigned long what = _IO(VPMC_IOC_MAGIC, i);

		check(request(fd, what, NULL) == -EFAULT, "%s at 0: EFAULT",
		      names[i]);
		check(request(fd, what, LAST_PAGE) == -EFAULT,
		      "%s in the kernel: EFAULT", names[i]);
		check(request(fd, what, pages + PAGE) == -EFAULT,
		      "%s in a forbidden page: EFAULT", names[i]);
	}
	cut = (struct vpmc_start *)(pages + PAGE - 64);
	cut->size = sizeof(*cut);
	check(request(fd, VPMC_START, cut) == -EFAULT,
	      "start that ends in a forbidden page: EFAULT");
	check_untouched(fd, "after bad pointers");
	info = (struct vpmc_info *)pages;
	info->size = sizeof(*info);
	mprotect(pages, PAGE, PROT_READ);
	check(request(fd, VPMC_INFO, info) == -EFAULT,
	      "info that cannot be written: EFAULT");
	munmap(pages, 2 * PAGE);
}

static void check_start_as_nobody(int fd, unsigned int modes, int want)
{
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int result;

	start.event[1].modes = (unsigned short)modes;
	result = request(fd, VPMC_START, &start);
	check(result == want, "modes %u as nobody: errno %d want %d", modes,
	      -result, -want);
	if (!result)
		request(fd, VPMC_STOP, &stop);
}

static void test_permission(void)
{
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int fd = open_device();

	start.event[0].modes = VPMC_MODE_KERNEL;
	start.event[1].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	check(!request(fd, VPMC_START, &start) &&
		      !request(fd, VPMC_STOP, &stop),
	      "kernel mode as root");
	close(fd);
	if (!is_child())
		return;
	if (setgid(NOBODY) || setuid(NOBODY))
		err(2, "setuid");
	fd = open_device();
	check_start_as_nobody(fd, VPMC_MODE_KERNEL, -EPERM);
	check_start_as_nobody(fd, VPMC_MODE_KERNEL | VPMC_MODE_USER, -EPERM);
	check_start_as_nobody(fd, VPMC_MODE_USER, 0);
	exit(check_status());
}

static void set_restricted(const char *value)
{
	int fd = open("/sys/module/vpmc/parameters/restricted", O_WRONLY);

	if (fd < 0 || write(fd, value, 1) != 1)
		err(2, "restricted");
	close(fd);
}

static void test_restricted(void)
{
	struct vpmc_start start = good_start();
	struct vpmc_stop stop = { .size = sizeof(stop) };
	int fd;

	set_restricted("1");
	fd = open_device();
	check(!request(fd, VPMC_START, &start) &&
		      !request(fd, VPMC_STOP, &stop),
	      "restricted, as root");
	if (is_child()) {
		if (setgid(NOBODY) || setuid(NOBODY))
			err(2, "setuid");
		fd = open_device();
		check_start_as_nobody(fd, VPMC_MODE_USER, -EPERM);
		check_untouched(fd, "after EPERM");
		exit(check_status());
	}
	set_restricted("0");
}

/* A failed start does not bind the handle, so another process can still use the handle. */
static void test_unbound(void)
{
	struct vpmc_start start = good_start();
	int fd = open_device();

	start.nr_events = 0;
	check(request(fd, VPMC_START, &start) == -EINVAL, "refused start");
	if (!is_child())
		return;
	start = good_start();
	check(!request(fd, VPMC_START, &start),
	      "a refused start has not bound the handle");
	exit(check_status());
}

static void (*const tests[])(void) = {
	test_refusals,	  test_info,
	test_busy,	  test_resume,
	test_start_sizes, test_read_sizes,
	test_turns_sizes, test_small_structures,
	test_map_sizes,	  test_requests,
	test_pointers,	  test_permission,
	test_restricted,  test_unbound,
};

/* Run each test in its own process, in which nothing was ever started. */
int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (is_child()) {
			tests[i]();
			exit(check_status());
		}
	}
	return check_status();
}

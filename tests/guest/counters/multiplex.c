// SPDX-License-Identifier: GPL-2.0-only
/*
 * multiplex: test that events that share a counter take turns, and that no turn is lost or counted
 * twice. An event with its own counter is counted completely. Test the times in the same way.
 *
 * In user mode, the emulated processor takes one clock for each instruction of a script, so clocks
 * and instructions have the same count. The events of one counter are clocks and instructions in
 * turn, so each rotation changes the control register. The sum of their counts is the count of the
 * other counter, that is, the instructions of the script.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define U     VPMC_MODE_USER
#define INSNS INSTRUCTIONS

/* LONG rounds take several clock ticks. */
#define LONG  2000000
#define SHORT 1000

/*
 * This is the number of starts after which each of five events has very probably been the first
 * one of a start.
 */
#define STARTS 100

/*
 * The codes in all lists of this file are the numbers of events in follow.h, or UNKNOWN for an
 * event that the processor refuses. Their counters are numbers for counter_here().
 */
#define UNKNOWN NR_CODES

/*
 * This is the number of events, and the index of the event on counter 1. The others share
 * counter 0.
 */
#define NR    5
#define ALONE 2

/* clang-format off */
static const struct vpmc_event events[NR] = {
	EVENT(INSNS, 0, U),
	EVENT(CLOCKS, 0, U),
	[ALONE] = EVENT(INSNS, 1, U),
	EVENT(CLOCKS, 0, U),
	EVENT(INSNS, 0, U),
};
/* clang-format on */

/* These are two events, each on its own counter. */
static const struct vpmc_event both[2] = { EVENT(CLOCKS, 0, U),
					   EVENT(INSNS, 1, U) };

static struct vpmc_start *start_of(const struct vpmc_event *event,
				   unsigned int nr, unsigned int flags)
{
	struct vpmc_start *start = shared(sizeof(*start));
	unsigned int i;

	*start = (struct vpmc_start){
		.size = sizeof(*start),
		.flags = flags,
		.nr_events = nr,
	};
	for (i = 0; i < nr; i++) {
		start->event[i] = event[i];
		start->event[i].counter = counter_here(event[i].counter);
		start->event[i].code =
			event[i].code == UNKNOWN
				? refused_here()->code
				: general_code_here(event[i].code);
	}
	return start;
}

static struct vpmc_start *multiplex(unsigned int flags)
{
	return start_of(events, NR, flags | VPMC_START_MULTIPLEX);
}

/* Like family_new(), but the parent starts the events of this test. */
static struct family new_family(unsigned int flags)
{
	struct family f = family_new();

	*f.start = *multiplex(flags);
	return f;
}

/* Let the script stop its count and return from script_run(). */
static void stop_and_back(struct script *s, int fd)
{
	script_stop(s, fd, stop_arg());
	script_back(s);
}

/* These are the sums of the counts and times of all events except ALONE. */
struct sums {
	uint64_t count, time;
};

static struct sums sums_of(const __u64 *count, const __u64 *time)
{
	struct sums sums = { 0, 0 };
	unsigned int i;

	for (i = 0; i < NR; i++) {
		sums.count += i == ALONE ? 0 : count[i];
		sums.time += i == ALONE ? 0 : time[i];
	}
	return sums;
}

/*
 * Check the counts of a script that costs @want instructions. The event ALONE and the sum of the
 * others must both have this count. Check the times in the same way.
 */
static void check_whole(const __u64 *count, const __u64 *time, uint64_t tsc,
			uint64_t want, const char *what)
{
	struct sums others = sums_of(count, time);

	check(count[ALONE] == want && others.count == want,
	      "%s: alone %llu, the others' sum %llu want %llu", what,
	      (unsigned long long)count[ALONE],
	      (unsigned long long)others.count, (unsigned long long)want);
	check(time[ALONE] == tsc && others.time == tsc,
	      "%s: time alone %llu, the others' sum %llu, clocks %llu", what,
	      (unsigned long long)time[ALONE], (unsigned long long)others.time,
	      (unsigned long long)tsc);
}

static void check_whole_read(const struct vpmc_read *read, struct cost want,
			     unsigned int missing, const char *what)
{
	check(read->nr_counts == NR && read->other_events == missing &&
		      !read->revoked,
	      "%s: %u counts, %u other, %u revoked", what, read->nr_counts,
	      read->other_events, read->revoked);
	check_whole(read->count, read->time, read->tsc, want.instructions,
		    what);
}

/*
 * Like check_whole(), but print a line only if the counts are wrong. The number of calls varies,
 * and the number of lines must not.
 */
static void expect_whole(const struct vpmc_read *read, uint64_t want,
			 const char *what)
{
	struct sums others = sums_of(read->count, read->time);

	if (read->nr_counts != NR || read->other_events || read->revoked ||
	    read->count[ALONE] != want || others.count != want ||
	    read->time[ALONE] != read->tsc || others.time != read->tsc)
		check_whole_read(read, (struct cost){ want, 0 }, 0, what);
}

static void check_whole_scope(int fd, unsigned int scope, struct cost want,
			      unsigned int missing, const char *what)
{
	struct vpmc_read read = read_scope(fd, scope);

	check_whole_read(&read, want, missing, what);
}

/* Test two events that each have a counter, with and without the flag. */
static void fits(unsigned int flags, const char *what)
{
	struct vpmc_start *start = start_of(both, 2, flags);
	struct script s = script_new();
	struct vpmc_read read;
	int fd = open_device();
	unsigned int scope;

	script_start(&s, fd, start);
	script_rounds(&s, LONG);
	stop_and_back(&s, fd);
	script_run(&s);
	for (scope = VPMC_SCOPE_THREAD; scope <= VPMC_SCOPE_SELF; scope++) {
		read = read_scope(fd, scope);
		check(read.nr_counts == 2 &&
			      read.count[0] == s.cost.instructions &&
			      read.count[1] == s.cost.instructions,
		      "%s: %llu %llu want %llu", what, read.count[0],
		      read.count[1], (unsigned long long)s.cost.instructions);
		check(read.time[0] == read.tsc && read.time[1] == read.tsc,
		      "%s: each has all the time", what);
	}
}

static void test_fits(void)
{
	fits(0, "without the flag");
	fits(VPMC_START_MULTIPLEX, "with the flag");
}

/*
 * struct refusal - a start that is refused
 * @what: its name in messages
 * @flags: its flags
 * @nr: the number of its first events, all on counter 0; if 0, as many as the processor has
 *	counters
 * @last: its last event; ABSENT stands for the first number without a counter
 * @reason, @event: the answer of the driver
 */
struct refusal {
	const char *what;
	unsigned int flags;
	unsigned int nr;
	struct vpmc_event last;
	unsigned int reason;
	unsigned int event;
};
#define ABSENT UINT16_MAX

/* clang-format off */
static const struct refusal refusals[] = {
	{ "one too many without the flag", 0, 0, EVENT(INSNS, 1, U),
	  VPMC_REASON_TOO_MANY, 0 },
	{ "two on a counter without the flag", 0, 1, EVENT(INSNS, 0, U),
	  VPMC_REASON_COUNTER_TAKEN, 1 },
	{ "17 on a counter", VPMC_START_MULTIPLEX, 16, EVENT(INSNS, 0, U),
	  VPMC_REASON_TOO_MANY, 16 },
	{ "an unknown event among many", VPMC_START_MULTIPLEX, 5,
	  EVENT(UNKNOWN, 1, U), 0, 5 },
	{ "no such counter among many", VPMC_START_MULTIPLEX, 5,
	  EVENT(INSNS, ABSENT, U), VPMC_REASON_NO_COUNTER, 5 },
	{ "no mode among many", VPMC_START_MULTIPLEX, 5, EVENT(INSNS, 1, 0),
	  VPMC_REASON_MODES, 5 },
};
/* clang-format on */

static struct vpmc_start *refused(const struct refusal *r)
{
	const unsigned int most = counters_here() + fixed_here();
	struct vpmc_event list[VPMC_MAX_EVENTS];
	unsigned int i, nr = r->nr ? r->nr : counter_here(most);

	for (i = 0; i < nr; i++)
		list[i] = (struct vpmc_event)EVENT(INSNS, 0, U);
	list[nr] = r->last;
	if (list[nr].counter == ABSENT)
		list[nr].counter = (uint16_t)most;
	return start_of(list, nr + 1, r->flags);
}

static void check_refused(int fd, struct vpmc_start *start, unsigned int reason,
			  unsigned int event, const char *what)
{
	check(request(fd, VPMC_START, start) == -EINVAL &&
		      start->error == reason && start->error_event == event,
	      "%s: reason %u, event %u", what, start->error,
	      start->error_event);
}

static void test_refusals(void)
{
	struct vpmc_start *start = multiplex(0);
	struct script s = script_new();
	struct vpmc_read before, after;
	int fd = open_device();
	size_t i;

	script_start(&s, fd, start);
	script_rounds(&s, SHORT);
	stop_and_back(&s, fd);
	script_run(&s);
	before = read_scope(fd, VPMC_SCOPE_SELF);

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		check_refused(fd, refused(&refusals[i]),
			      refusals[i].last.code == UNKNOWN
				      ? refused_here()->reason
				      : refusals[i].reason,
			      refusals[i].event, refusals[i].what);
	start = multiplex(0);
	start->nr_events = VPMC_MAX_EVENTS + 1;
	check_refused(fd, start, VPMC_REASON_TOO_MANY, 0, "33 events");
	start = multiplex(0);
	check(request(fd, VPMC_SYSTEM_START, start) == -EINVAL &&
		      start->error == VPMC_REASON_FLAGS,
	      "system mode: reason %u", start->error);

	after = read_scope(fd, VPMC_SCOPE_SELF);
	check(!memcmp(&before, &after, sizeof(before)),
	      "refusals change nothing");
}

/* Test as many events as possible on two counters. */
static void test_most(void)
{
	struct vpmc_event list[VPMC_MAX_EVENTS];
	uint64_t counted[2] = { 0, 0 }, timed[2] = { 0, 0 };
	struct script s = script_new();
	int fd = open_device(), i;
	struct vpmc_read read;

	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		list[i] = (struct vpmc_event)EVENT(i & 2 ? INSNS : CLOCKS,
						   i % 2, U);
	script_start(&s, fd,
		     start_of(list, VPMC_MAX_EVENTS, VPMC_START_MULTIPLEX));
	script_rounds(&s, LONG * 4);
	stop_and_back(&s, fd);
	script_run(&s);
	read = read_scope(fd, VPMC_SCOPE_THREAD);
	check(read.nr_counts == VPMC_MAX_EVENTS, "%u counts", read.nr_counts);
	for (i = 0; i < VPMC_MAX_EVENTS; i++) {
		counted[i % 2] += read.count[i];
		timed[i % 2] += read.time[i];
	}
	for (i = 0; i < 2; i++)
		check(counted[i] == s.cost.instructions && timed[i] == read.tsc,
		      "all on counter %d: %llu want %llu, time %llu of %llu", i,
		      (unsigned long long)counted[i],
		      (unsigned long long)s.cost.instructions,
		      (unsigned long long)timed[i], read.tsc);
}

/* Return whether each event has had a turn. */
static bool all_had_turns(const struct vpmc_read *read)
{
	unsigned int i;

	for (i = 0; i < read->nr_counts; i++) {
		if (!read->time[i])
			return false;
	}
	return true;
}

/* Stop and resume until each event has had a turn. The counts must be complete at any time. */
static void test_resume(void)
{
	struct vpmc_start *resume = multiplex(VPMC_START_RESUME);
	struct script first = script_new(), again = script_new();
	int fd = open_device();
	struct vpmc_read read;
	struct cost sum;

	script_start(&first, fd, multiplex(0));
	script_rounds(&first, SHORT);
	stop_and_back(&first, fd);
	script_start(&again, fd, resume);
	script_rounds(&again, LONG / 4);
	stop_and_back(&again, fd);

	script_run(&first);
	sum = first.cost;
	do {
		read = read_scope(fd, VPMC_SCOPE_THREAD);
		expect_whole(&read, sum.instructions, "stop and resume");
		script_run(&again);
		sum = cost_add(sum, again.cost);
		read = read_scope(fd, VPMC_SCOPE_SELF);
	} while (!all_had_turns(&read));
	check_whole_read(&read, sum, 0, "when each had a turn");

	script_run(&first);
	check_whole_scope(fd, VPMC_SCOPE_SELF, first.cost, 0,
			  "a new start begins at zero");
}

/*
 * Test an event that never happens in a script, and shares a counter with an event of kernel mode.
 * Its count must stay 0: no kernel instructions may be added to it in a rotation.
 */
static void test_kernel_turns(void)
{
	static const struct vpmc_event list[3] = {
		EVENT(INSNS, 0, VPMC_MODE_KERNEL),
		EVENT(NEVER_COUNTED, 0, U),
		EVENT(INSNS, 1, U),
	};
	struct vpmc_start *start = start_of(list, 3, VPMC_START_MULTIPLEX);
	struct script s = script_new();
	unsigned int wrong = 0, lost = 0;
	int fd = open_device();
	struct vpmc_read read;

	script_start(&s, fd, start);
	script_rounds(&s, LONG * 4);
	stop_and_back(&s, fd);
	do {
		script_run(&s);
		read = read_scope(fd, VPMC_SCOPE_THREAD);
		wrong += !read.count[0] || read.count[1] ||
			 read.count[2] != s.cost.instructions;
		lost += read.time[0] + read.time[1] != read.tsc ||
			read.time[2] != read.tsc;
	} while (!all_had_turns(&read));
	check(!wrong, "kernel %llu, none %llu, alone %llu want %llu",
	      read.count[0], read.count[1], read.count[2],
	      (unsigned long long)s.cost.instructions);
	check(!lost, "all the time is somebody's");
}

/*
 * There are five events on one counter and three on the other. In each round each event has one
 * turn. So the
 * numbers of turns of two events on one counter differ by at most one.
 */
static const struct vpmc_event round_events[8] = {
	EVENT(INSNS, 0, U),    EVENT(INSNS, 1, U),
	EVENT(BRANCHES, 0, U), EVENT(NEVER_COUNTED, 0, U),
	EVENT(CLOCKS, 1, U),   EVENT(INSNS, 0, U),
	EVENT(INSNS, 1, U),    EVENT(BRANCHES, 0, U),
};

static const unsigned int circle_a[] = { 0, 2, 3, 5, 7 };
static const unsigned int circle_b[] = { 1, 4, 6 };

/*
 * Return the number of turns of all events of a counter, or -1 if the numbers of turns of two
 * events differ by more than one.
 */
static long turns_of(const struct vpmc_read *read, const unsigned int *event,
		     unsigned int nr)
{
	uint64_t least = UINT64_MAX, most = 0, sum = 0, turns;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		turns = read->turn[event[i]].nr;
		least = turns < least ? turns : least;
		most = turns > most ? turns : most;
		sum += turns;
	}
	return most - least > 1 ? -1 : (long)sum;
}

/*
 * Check that both counters have had the same number of turns, because turns of both end at the same
 * ticks.
 */
static void check_fair(const struct vpmc_read *read)
{
	const long a = turns_of(read, circle_a, 5);
	const long b = turns_of(read, circle_b, 3);

	if (read->nr_turns != 8 || a < 0 || a != b)
		check(false, "%u events have turns, %ld and %ld",
		      read->nr_turns, a, b);
}

/* Check the sums of squares. Over n turns, the sum is at least n times the square of the mean. */
static void check_squares(const struct vpmc_read *read)
{
	const double unit = 1ULL << read->turn_shift;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		const struct vpmc_turns *turn = &read->turn[i];
		const double nr = (double)turn->nr;
		const double count = (double)read->count[i];
		const double time = (double)read->time[i];

		if (turn->count_squares * unit * nr < count * count * 0.9999 ||
		    turn->time_squares * unit * nr < time * time * 0.9999 ||
		    (!read->count[i] &&
		     (turn->count_squares || turn->products)))
			check(false, "squares of event %u", i);
	}
}

static void test_fair(void)
{
	struct vpmc_start *start =
		start_of(round_events, 8, VPMC_START_MULTIPLEX);
	struct vpmc_stop *stop = stop_arg();
	volatile unsigned int spin;
	struct vpmc_read now;
	int fd = open_device();

	if (request(fd, VPMC_START, start))
		err(2, "VPMC_START");
	do {
		for (spin = 0; spin < 1000; spin++)
			;
		now = read_scope(fd, VPMC_SCOPE_THREAD);
		/*
		 * While counting goes on, a turn may end between the read of counts and of squares,
		 * so check them below.
		 */
	} while (now.turn[7].nr < 4);
	request(fd, VPMC_STOP, stop);
	now = read_scope(fd, VPMC_SCOPE_THREAD);
	check_fair(&now);
	check_squares(&now);
	check(now.tsc == now.time[1] + now.time[4] + now.time[6] &&
		      now.tsc == now.time[0] + now.time[2] + now.time[3] +
					 now.time[5] + now.time[7],
	      "turns went round, and each counter was somebody's all the time");
}

/* Fork a process that makes this start and then sleeps. Returns when it has started. */
static pid_t start_elsewhere(struct vpmc_start *start)
{
	int ready[2], fd;
	char byte = 0;
	pid_t pid;

	if (pipe(ready))
		err(2, "pipe");
	pid = child_fork();
	if (!pid) {
		fd = open_device();
		if (request(fd, VPMC_START, start) ||
		    write(ready[1], &byte, 1) != 1)
			_exit(1);
		pause_forever();
	}
	if (read(ready[0], &byte, 1) != 1)
		err(2, "read");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/*
 * Return the index of the only event of a counter that has had a turn, or -1 if there are several.
 */
static int first_of(const struct vpmc_read *now, const unsigned int *event,
		    unsigned int nr)
{
	unsigned int i;
	int first = -1;

	for (i = 0; i < nr; i++) {
		if (now->time[event[i]])
			first = first < 0 ? (int)i : -1;
	}
	return first;
}

/*
 * Test that a start begins with a random event of each counter, even if other processes count the
 * same events.
 */
static void test_begins(void)
{
	struct vpmc_start *start =
		start_of(round_events, 8, VPMC_START_MULTIPLEX);
	pid_t elsewhere = start_elsewhere(start);
	unsigned int begun_a = 0, begun_b = 0, i;
	int fd = open_device(), a, b;
	struct vpmc_read now;

	for (i = 0; i < STARTS; i++) {
		if (request(fd, VPMC_START, start))
			err(2, "VPMC_START");
		request(fd, VPMC_STOP, stop_arg());
		now = read_scope(fd, VPMC_SCOPE_THREAD);
		a = first_of(&now, circle_a, 5);
		b = first_of(&now, circle_b, 3);
		/*
		 * After a clock tick, two events of a counter have had a turn. Ignore such a start.
		 */
		if (a >= 0)
			begun_a |= 1U << a;
		if (b >= 0)
			begun_b |= 1U << b;
	}
	check(begun_a == 0x1f && begun_b == 0x7,
	      "starts begin with all events: %#x want 0x1f, %#x want 0x7",
	      begun_a, begun_b);
	kill(elsewhere, SIGKILL);
	waitpid(elsewhere, NULL, 0);
}

/* Complete the script of a process or thread. Returns its cost. */
static struct cost finish(struct script *s)
{
	script_rounds(s, LONG);
	script_exit(s, 0);
	return s->cost;
}

/* Let the parent stop counting, and run it. */
static void run_parent(struct family *f)
{
	stop_and_back(&f->parent, f->fd);
	script_run(&f->parent);
}

/* Test counts of threads, children and grandchildren, which are added at exit and wait. */
static void test_inherit(void)
{
	struct family f = new_family(0);
	struct script child = family_child(&f), grandchild = script_new();
	struct script mine = script_new(), its = script_new();
	uint32_t *tid[2] = { shared(8), shared(8) };
	struct cost children;

	script_thread(&child, &its, tid[0]);
	script_fork(&child, &grandchild, SYS_fork);
	children = finish(&its);
	children = cost_add(children, finish(&grandchild));
	script_join(&child, tid[0]);
	script_wait(&child);
	children = cost_add(children, finish(&child));
	script_thread(&f.parent, &mine, tid[1]);
	finish(&mine);
	script_wait(&f.parent);
	script_join(&f.parent, tid[1]);
	run_parent(&f);

	check_whole_scope(f.fd, VPMC_SCOPE_THREAD, f.parent.cost, 0, "THREAD");
	check_whole_scope(f.fd, VPMC_SCOPE_SELF,
			  cost_add(f.parent.cost, mine.cost), 0,
			  "SELF has a thread that is gone");
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN, children, 0,
			  "CHILDREN has a thread and a grandchild");
}

/* Test a child that executes a program, and a start at exec. */
static void test_exec(void)
{
	struct family f = new_family(0);
	struct script one, two = script_new();
	const uint32_t n = 1000000;
	struct cost program = { n, 0 };

	one = family_child(&f);
	script_exec_exactly(&one, "./exactly-1000000", n);
	script_wait(&f.parent);
	run_parent(&f);
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN, one.cost, 0,
			  "a child that executes a program");

	f.parent = script_new();
	script_fork(&f.parent, &two, SYS_fork);
	script_start(&two, f.other, multiplex(VPMC_START_AT_EXEC));
	script_exec_exactly(&two, "./exactly-1000000", n);
	script_wait(&f.parent);
	script_back(&f.parent);
	script_run(&f.parent);
	check_whole_scope(f.other, VPMC_SCOPE_SELF, program, 0,
			  "a program from its beginning");
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN,
			  cost_add(one.cost, program), 0,
			  "both are in CHILDREN");
}

/* Add a record to the sum of all records. */
static void add_record(struct vpmc_read *sum, const struct vpmc_record *record)
{
	unsigned int i;

	for (i = 0; i < NR; i++) {
		sum->count[i] += record->count[i];
		sum->time[i] += record->time[i];
	}
	sum->tsc += record->tsc;
}

/*
 * Return a mask of the events that had a turn in a child, except ALONE. In a short child usually
 * only one event had a turn.
 */
static unsigned int beginning(const struct vpmc_record *record)
{
	unsigned int i, had = 0;

	for (i = 0; i < NR; i++) {
		if (i != ALONE && record->turn[i].nr)
			had |= 1U << i;
	}
	return had;
}

/* Test that each record is complete, and that the records add up to CHILDREN. */
static void test_records(void)
{
	enum { CHILDREN = 9 };
	struct family f = new_family(VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct cost sum = { 0, 0 }, cost[CHILDREN];
	struct vpmc_read all, seen = { .size = 0 };
	unsigned int begun = 0;
	struct vpmc_record record;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		struct script child = family_child(&f);

		script_rounds(&child, i % 2 && i < 3 ? LONG : SHORT);
		script_exit(&child, 0);
		script_wait(&f.parent);
		cost[i] = child.cost;
		sum = cost_add(sum, child.cost);
	}
	run_parent(&f);
	all = read_scope(f.fd, VPMC_SCOPE_ALL);
	check_whole_read(&all, cost_add(sum, f.parent.cost), 0, "ALL");
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN, sum, 0, "CHILDREN");

	for (i = 0; i < CHILDREN; i++) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		check(!request(f.fd, VPMC_RECORD, &record) &&
			      record.nr_counts == NR && !record.lost,
		      "record %d", i);
		check_whole(record.count, record.time, record.tsc,
			    cost[i].instructions, "a child's record");
		check(record.nr_turns == NR && record.turn[ALONE].nr > 0,
		      "its turns");
		/*
		 * Children begin with one event after the other. So each event gets its share, even
		 * if no tick comes while a child runs. Children 3 to 6 are the second round.
		 */
		if (i >= 3 && i < 7)
			begun |= beginning(&record);
		add_record(&seen, &record);
	}
	all = read_scope(f.fd, VPMC_SCOPE_CHILDREN);
	check(!memcmp(seen.count, all.count, sizeof(seen.count)) &&
		      !memcmp(seen.time, all.time, sizeof(seen.time)) &&
		      seen.tsc == all.tsc,
	      "the records add up to CHILDREN");
	check(begun == (0x1f & ~(1U << ALONE)),
	      "four short children begin with four events: %x", begun);
}

/* Run a child that makes this start, in a process that does not count. Returns the child's cost. */
static struct cost stranger(struct vpmc_start *start)
{
	struct script child = script_new(), parent = script_new();

	script_fork(&parent, &child, SYS_fork);
	script_start(&child, open_device(), start);
	finish(&child);
	script_wait(&parent);
	script_back(&parent);
	script_run(&parent);
	return child.cost;
}

/*
 * Test a parent that does not count. It takes the events of its first child, including their times.
 */
static void test_parent_without(void)
{
	struct script parent = script_new(), child = script_new();
	int fd = open_device(), own = open_device();
	struct cost first, third;
	struct vpmc_read read;

	first = stranger(multiplex(0));
	stranger(start_arg(FIRST, 0));
	third = stranger(multiplex(0));
	check_whole_scope(fd, VPMC_SCOPE_CHILDREN, cost_add(first, third), 1,
			  "the first and the third child, not the second");
	check_whole_scope(fd, VPMC_SCOPE_SELF, (struct cost){ 0, 0 }, 0,
			  "nothing in SELF");

	script_start(&parent, own, start_arg(FIRST, 0));
	script_fork(&parent, &child, SYS_fork);
	finish(&child);
	script_wait(&parent);
	stop_and_back(&parent, own);
	script_run(&parent);
	read = read_scope(fd, VPMC_SCOPE_CHILDREN);
	check_read(&read, child.cost, 0, "then it counts others itself");
	check(read.time[0] == read.tsc && read.time[1] == read.tsc,
	      "which have a counter each");
}

/* Let the script stop and start again. Returns its previous counts. */
static struct cost start_anew(struct script *s, int fd,
			      struct vpmc_start *start)
{
	struct cost before;

	script_stop(s, fd, stop_arg());
	before = s->cost;
	script_start(s, fd, start);
	return before;
}

/*
 * Test children that start again. The parent also gets their counts from before the second start,
 * or reports them as missing.
 */
static void test_anew(void)
{
	int fd[3] = { open_device(), open_device(), open_device() };
	struct family f = new_family(0);
	struct script same = family_child(&f), other, back;
	struct cost sum;

	script_rounds(&same, LONG);
	sum = start_anew(&same, fd[0], multiplex(0));
	sum = cost_add(sum, finish(&same));
	script_wait(&f.parent);

	other = family_child(&f);
	start_anew(&other, fd[1], start_arg(FIRST, 0));
	finish(&other);
	script_wait(&f.parent);

	back = family_child(&f);
	start_anew(&back, fd[2], start_arg(FIRST, 0));
	start_anew(&back, fd[2], multiplex(0));
	sum = cost_add(sum, finish(&back));
	script_wait(&f.parent);
	run_parent(&f);
	check_whole_scope(
		f.fd, VPMC_SCOPE_CHILDREN, sum, 4,
		"children that start again: the same events, others, and back");
}

/*
 * Test a process with two threads. The events of one thread share counters, and those of the other
 * do not.
 */
static void test_thread_other(void)
{
	struct script ordinary, shares,
		thread[2] = { script_new(), script_new() };
	uint32_t *tid[2] = { shared(8), shared(8) };
	struct family f = family_new();
	struct cost sum;

	ordinary = family_child(&f);
	script_thread(&ordinary, &thread[0], tid[0]);
	sum = start_anew(&thread[0], f.other, multiplex(0));
	finish(&thread[0]);
	script_join(&ordinary, tid[0]);
	sum = cost_add(sum, finish(&ordinary));
	script_wait(&f.parent);
	run_parent(&f);
	check_scope(f.fd, VPMC_SCOPE_CHILDREN, sum, 1,
		    "a thread whose events share counters is numbered");

	f = new_family(0);
	shares = family_child(&f);
	script_thread(&shares, &thread[1], tid[1]);
	sum = start_anew(&thread[1], f.other, start_arg(FIRST, 0));
	finish(&thread[1]);
	script_join(&shares, tid[1]);
	sum = cost_add(sum, finish(&shares));
	script_wait(&f.parent);
	run_parent(&f);
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN, sum, 1,
			  "and one whose events do not among those that do");
}

#define THREADS 2

/**
 * struct crew - a target with several threads, which count after their gates
 * @t: the process and its leader
 * @gate: the gates of the other threads
 * @tid: two words for each of the other threads, see script_thread()
 * @cost: the sum of the costs of all threads
 */
struct crew {
	struct target t;
	struct gate gate[THREADS];
	uint32_t *tid[THREADS];
	struct cost cost;
};

static struct crew crew_new(void)
{
	struct crew c = { .t = target_new() };
	struct script thread;
	int i;

	for (i = 0; i < THREADS; i++) {
		thread = script_new();
		c.gate[i] = gate_new();
		c.tid[i] = shared(2 * sizeof(*c.tid[i]));
		script_thread(&c.t.script, &thread, c.tid[i]);
		script_gate_then(&thread, c.gate[i].in, true);
		c.cost = cost_add(c.cost, finish(&thread));
	}
	target_gate_start(&c.t);
	c.cost = cost_add(c.cost, finish(&c.t.script));
	target_create(&c.t);
	for (i = 0; i < THREADS; i++)
		until_at_gate(c.tid[i][1], &c.gate[i]);
	return c;
}

static void crew_pass(struct crew *c)
{
	int i;

	for (i = 0; i < THREADS; i++)
		gate_open(&c->gate[i]);
	gate_open(&c->t.gate);
}

/*
 * Test starts of all threads of a process from outside, with events that share counters and with
 * events that do not.
 */
static void test_held(void)
{
	struct crew c = crew_new();
	int fd = hold(c.t.pid, 0);

	check(!request(fd, VPMC_START, multiplex(0)), "a start of others");
	must_start(fd, FIRST, VPMC_START_FORCE);
	check(!request(fd, VPMC_START, multiplex(VPMC_START_FORCE)) &&
		      !request(fd, VPMC_START, multiplex(VPMC_START_FORCE)),
	      "by force, with others and again");
	crew_pass(&c);
	target_reap(&c.t);
	check_whole_scope(fd, VPMC_SCOPE_SELF, c.cost, 0, "all its threads");
}

/* Test starts of all threads of a process while they run. */
static void test_held_running(void)
{
	struct vpmc_start *again = multiplex(VPMC_START_FORCE);
	struct crew c = crew_new();
	struct vpmc_read read;
	int fd = hold(c.t.pid, 0), result;
	unsigned int n = 0;

	/* Check the first start here, because the threads may have exited before a second one. */
	check(!request(fd, VPMC_START, again), "a first start");
	crew_pass(&c);
	while (!(result = request(fd, VPMC_START, again)) && n++ < 100) {
		read = read_scope(fd, VPMC_SCOPE_SELF);
		expect_whole(&read, read.count[ALONE], "while they run");
	}
	check(!result || result == -ESRCH, "%u starts by force", n);
	target_reap(&c.t);
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_whole_read(&read, (struct cost){ read.count[ALONE], 0 }, 0,
			 "to their end");
}

/* Test that counts that are added at exit, without a wait, also have times. */
static void test_fold(void)
{
	uint32_t *pid = shared(sizeof(*pid));
	struct family f = new_family(VPMC_START_FOLD);
	struct script child = family_child_pid(&f, pid);
	siginfo_t info;

	finish(&child);
	run_parent(&f);
	if (waitid(P_PID, *pid, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
	check_whole_scope(f.fd, VPMC_SCOPE_CHILDREN, child.cost, 0,
			  "CHILDREN has a zombie");
}

/*
 * Test callers whose structure is too short for all times. They do not get counts of events that
 * share counters.
 */
static void test_sizes(void)
{
	struct family f = new_family(VPMC_START_COLLECT | VPMC_START_RECORDS);
	const unsigned int enough = offsetof(struct vpmc_read, time[NR]);
	struct vpmc_read read = { .scope = VPMC_SCOPE_CHILDREN };
	struct vpmc_record record = { .size = offsetof(struct vpmc_record,
						       time[NR]) };
	struct script child = family_child(&f);

	finish(&child);
	script_wait(&f.parent);
	run_parent(&f);

	for (read.scope = 0; read.scope <= VPMC_SCOPE_ALL; read.scope++) {
		read.size = offsetof(struct vpmc_read, time);
		check(request(f.fd, VPMC_READ, &read) == -EINVAL,
		      "scope %u without times", read.scope);
		read.size = enough - 8;
		check(request(f.fd, VPMC_READ, &read) == -EINVAL &&
			      !read.nr_counts,
		      "one time short, and nothing written");
	}
	read.scope = VPMC_SCOPE_CHILDREN;
	read.size = enough;
	read.count[NR] = read.time[NR] = 0x5555;
	check(!request(f.fd, VPMC_READ, &read) && read.count[NR] == 0x5555 &&
		      read.time[NR] == 0x5555,
	      "just enough, and no byte more written");
	check_whole_read(&read, child.cost, 0, "CHILDREN");

	record.size -= 8;
	check(request(f.fd, VPMC_RECORD, &record) == -EINVAL,
	      "a record, one time short");
	record.size += 8;
	check(!request(f.fd, VPMC_RECORD, &record), "it is still there");
	check_whole(record.count, record.time, record.tsc,
		    child.cost.instructions, "the record");
}

/*
 * Test a caller that was built before the structures had times. It can still read counts of events
 * that do not share counters.
 */
static void test_old_caller(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);
	struct vpmc_read read = { .size = offsetof(struct vpmc_read, time),
				  .scope = VPMC_SCOPE_CHILDREN };
	struct vpmc_record record = { .size = offsetof(struct vpmc_record,
						       time) };

	f.start->flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	finish(&child);
	script_wait(&f.parent);
	run_parent(&f);
	check(!request(f.fd, VPMC_READ, &read), "a read without times");
	check_read(&read, child.cost, 0, "CHILDREN");
	check(!request(f.fd, VPMC_RECORD, &record) &&
		      record.count[0] == child.cost.instructions,
	      "a record without times");
	record.size--;
	check(request(f.fd, VPMC_RECORD, &record) == -EINVAL,
	      "a record that is too short for counts");
}

/* Return the script of a process that moves between the processors. */
static struct script restless(int fd, struct vpmc_start *start)
{
	const unsigned int processors =
		(unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	struct script s = script_new();
	unsigned int i;

	script_start(&s, fd, start);
	for (i = 0; i < 40; i++) {
		script_rounds(&s, LONG / 40);
		script_call(&s, SYS_sched_yield);
		script_stay_on(&s, i % processors);
	}
	stop_and_back(&s, fd);
	return s;
}

/*
 * Be one of many processes that differ in two properties: whether their events share counters, and
 * whether they also count kernel mode. Events of kernel mode must not be added to counts of other
 * processes.
 */
static void among_others(unsigned int i)
{
	struct vpmc_start *start = i % 2 ? multiplex(0) : start_arg(FIRST, 0);
	bool kernel = i % 4 < 2;
	struct vpmc_read read;
	int fd = open_device();
	struct script s;
	unsigned int e;

	for (e = 0; kernel && e < start->nr_events; e++)
		start->event[e].modes |= VPMC_MODE_KERNEL;
	s = restless(fd, start);
	script_run(&s);
	read = read_scope(fd, VPMC_SCOPE_SELF);
	if (!kernel && i % 2)
		check_whole_read(&read, s.cost, 0, "shares counters");
	else if (!kernel)
		check_read(&read, s.cost, 0, "does not share counters");
	else
		check(read.count[i % 2 ? ALONE : 0] > s.cost.instructions &&
			      read.time[i % 2 ? ALONE : 0] == read.tsc,
		      "counts kernel mode too");
}

static void test_among_others(void)
{
	enum { PROCESSES = 8 };
	unsigned int i;
	int status;

	for (i = 0; i < PROCESSES; i++) {
		if (fork())
			continue;
		check_failures = 0;
		among_others(i);
		exit(check_status());
	}
	for (i = 0; i < PROCESSES; i++)
		check(wait(&status) > 0 && !status, "process %u of many", i);
}

int main(void)
{
	run(test_fits);
	run(test_refusals);
	run(test_most);
	run(test_resume);
	run(test_kernel_turns);
	run(test_fair);
	run(test_begins);
	run(test_inherit);
	run(test_exec);
	run(test_records);
	run(test_parent_without);
	run(test_anew);
	run(test_thread_other);
	run(test_held);
	run(test_held_running);
	run(test_fold);
	run(test_sizes);
	run(test_old_caller);
	run(test_among_others);
	return check_status();
}

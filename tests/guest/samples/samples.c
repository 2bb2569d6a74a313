// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples [TREES SEED | ticks | sleep | offline]: test that each thread leaves one sample for
 * each period of events that it has counted, whatever other tasks run. Each sample has the right
 * program, process and thread. With "ticks", samples are taken at ticks, and time has to follow
 * the instructions.
 *
 * The oracle is the record of each thread: a thread that has counted C events with the period P
 * leaves C / P samples, rounded down. The counts of all records must equal the costs of the
 * scripts.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "hold.h"
#include "rings.h"
#include "seed.h"

#define RING_SIZE   (1 << 20)
#define THREADS	    512
#define EVENTS	    3
#define MAPS	    64
#define UNPLACED    4096
/*
 * The kernel executes fewer instructions than LEFT_BEHIND while it loads the first counter of a
 * thread, and at least LEFT_STEP in a row at the end of it.
 */
#define LEFT_BEHIND 1200
#define LEFT_STEP   6
#define YIELDS	    20000

/* These are the samples of a thread, and its record. */
struct thread {
	int32_t pid, tid;
	uint64_t count[EVENTS], samples[EVENTS];
};

/* This is executable memory of a process. */
struct map {
	uint32_t pid;
	uint64_t begin, end;
};

static struct thread threads[THREADS];
static unsigned int nr_threads;
static struct map maps[MAPS];
static unsigned int nr_maps;
static uint32_t period[EVENTS];
static unsigned int nr_events = 2;
static uint16_t counter[EVENTS];
/*
 * Samples outside of the memory that is known so far: the mapping may be in the ring of another
 * processor, which is read later.
 */
static struct vpmc_sample unplaced[UNPLACED];
static unsigned int nr_unplaced;
/* This is the number of late samples. */
static uint64_t late;
/*
 * These flags of a test have these meanings: threads get other IDs while they count; no sample
 * may be late; only samples that are due when a thread leaves its processor may be late; all
 * samples are late, because they are taken at ticks.
 */
static bool changes_ids, no_late, few_late, ticks;

/* These are the first and the last piece of scripts. */
void script_enter(const script_word *word, script_word *back);
void script_piece_handler(int signal, siginfo_t *info, void *context);
#define HANDLER_SIZE 16

static struct thread *thread_of(int32_t pid, int32_t tid)
{
	unsigned int i;

	for (i = 0; i < nr_threads; i++) {
		if (threads[i].tid == tid && threads[i].pid == pid)
			return &threads[i];
	}
	if (nr_threads == THREADS)
		errx(2, "too many threads");
	threads[nr_threads] = (struct thread){ .pid = pid, .tid = tid };
	return &threads[nr_threads++];
}

static bool is_code(uint32_t pid, uint64_t address)
{
	unsigned int i;

	if (address >= (uintptr_t)script_enter &&
	    address < (uintptr_t)script_piece_handler + HANDLER_SIZE)
		return true;
	for (i = 0; i < nr_maps; i++) {
		if (maps[i].pid == pid && address >= maps[i].begin &&
		    address < maps[i].end)
			return true;
	}
	return false;
}

static void take_map(const struct vpmc_change *c)
{
	if (change_type(c) != VPMC_CHANGE_MAP)
		return;
	if (nr_maps == MAPS)
		errx(2, "too many mappings");
	maps[nr_maps++] = (struct map){ c->pid, c->begin, c->end };
}

static void take_sample(const struct vpmc_sample *s, uint64_t nr)
{
	if (!is_code(s->pid, sample_address(s))) {
		if (nr_unplaced == UNPLACED)
			errx(2, "too many samples before their mappings");
		unplaced[nr_unplaced++] = *s;
	}
	if (s->where & VPMC_WHERE_KERNEL || sample_event(s) >= nr_events)
		check(false, "%#llx is a sample of user mode",
		      (unsigned long long)s->where);
	else
		thread_of((int32_t)s->pid, (int32_t)s->tid)
			->samples[sample_event(s)] += nr;
	late += s->where & VPMC_WHERE_LATE ? nr : 0;
}

/* Take several samples that are one record. */
static void take_samples(const struct vpmc_change *c)
{
	const struct vpmc_sample s = {
		.where = c->begin, .tsc = c->tsc, .pid = c->pid, .tid = c->tid
	};

	if (!ticks || c->end < 2)
		check(false, "%llu samples are one record",
		      (unsigned long long)c->end);
	take_sample(&s, c->end);
}

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_change *c = (const struct vpmc_change *)record;
	const struct vpmc_sample s = sample_of(record);

	(void)size;
	if (s.tid)
		take_sample(&s, 1);
	else if (change_type(c) == VPMC_CHANGE_SAMPLES)
		take_samples(c);
	else
		take_map(c);
}

static void forget(void)
{
	nr_threads = 0;
	nr_maps = 0;
	nr_unplaced = 0;
	late = 0;
}

/* Return the number of samples outside of all mappings in the records. */
static unsigned int outside(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < nr_unplaced; i++) {
		if (is_code(unplaced[i].pid, sample_address(&unplaced[i])))
			continue;
		if (nr++ < 5)
			check(false, "%#llx in %u is code of the program",
			      (unsigned long long)unplaced[i].where,
			      unplaced[i].pid);
	}
	return nr;
}

/*
 * Compare the samples of all threads with their records, and the records with @cost. Only the sum
 * of all samples is compared if some were lost, or if @changes_ids is set.
 */
static void compare(struct rings *r, struct cost cost, const char *what)
{
	unsigned int i, k, bad = 0;
	struct vpmc_record record;
	uint64_t all = 0, found = 0, sum[EVENTS] = {};
	struct thread *t;

	rings_read(r, take);
	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		if (request(r->fd, VPMC_RECORD, &record))
			break;
		t = thread_of(record.pid, record.tid);
		for (k = 0; k < nr_events; k++) {
			t->count[k] += record.count[k];
			sum[k] += record.count[k];
		}
	}
	for (i = 0; i < nr_threads; i++) {
		for (k = 0; k < nr_events; k++) {
			uint64_t want =
				period[k] ? threads[i].count[k] / period[k] : 0;

			all += want;
			found += threads[i].samples[k];
			if (threads[i].samples[k] == want || r->lost ||
			    changes_ids)
				continue;
			if (bad++ < 5)
				check(false,
				      "%s: thread %d of %d event %u: %llu samples of %llu",
				      what, threads[i].tid, threads[i].pid, k,
				      (unsigned long long)threads[i].samples[k],
				      (unsigned long long)threads[i].count[k]);
		}
	}
	check(!bad && found + r->lost == all && !r->hidden &&
		      !r->lost_changes && !outside() && !(no_late && late) &&
		      !(few_late && !ticks && late > found / 4) &&
		      !(ticks && late != found),
	      "%s: %u threads leave %llu of %llu samples, %llu lost, %llu hidden, %llu late",
	      what, nr_threads, (unsigned long long)found,
	      (unsigned long long)all, (unsigned long long)r->lost,
	      (unsigned long long)r->hidden, (unsigned long long)late);
	check(sum[0] == cost.instructions && sum[1] == cost.branches,
	      "%s: %llu %llu want %llu %llu", what, (unsigned long long)sum[0],
	      (unsigned long long)sum[1], (unsigned long long)cost.instructions,
	      (unsigned long long)cost.branches);
	forget();
}

static struct vpmc_start *sampled(unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, flags);
	unsigned int i;

	start->nr_events = nr_events;
	for (i = 0; i < nr_events; i++) {
		start->event[i] = (struct vpmc_event)EVENT(
			code_here(i % 2 ? BRANCHES : INSTRUCTIONS), counter[i],
			VPMC_MODE_USER);
		start->event[i].period = period[i];
	}
	return start;
}

#define COLLECT (VPMC_START_COLLECT | VPMC_START_RECORDS)

/* These are the costs of all scripts of a test that have ended. */
static struct cost total;

static void end(struct script *s)
{
	script_exit(s, 0);
	total = cost_add(total, s->cost);
}

/* Run a script in a child, and compare the samples that it leaves with the expected samples. */
static void run_script(struct rings *r, const struct script *s,
		       const char *what)
{
	struct script copy = *s;

	if (!child_fork())
		script_run(&copy);
	until_gone(r);
	compare(r, total, what);
	total = NOTHING;
}

/* The process that starts is a child of the process that has the rings. */
static struct script script_sampled(const struct rings *r)
{
	struct script s = script_new();

	script_start(&s, r->fd, sampled(COLLECT));
	return s;
}

#define PAIR (2 * sizeof(uint32_t))

/*
 * Write the script of a process that executes some loops, with or without children and threads
 * between the loops.
 */
/* NOLINTNEXTLINE(misc-no-recursion): it grows a tree */
static void grow(struct script *s, unsigned int depth)
{
	unsigned int i, nr = 1 + below(3);
	struct script child;
	uint32_t *pair;

	for (i = 0; i < nr; i++) {
		child = script_new();
		script_rounds(s, 1 + below(20000));
		if (!depth)
			continue;
		switch (below(4)) {
		case 0:
			pair = shared(PAIR);
			script_thread(s, &child, pair);
			grow(&child, 0);
			end(&child);
			script_rounds(s, 1 + below(3000));
			script_join(s, pair);
			break;
		case 1:
			script_fork(s, &child, SYS_vfork);
			grow(&child, 0);
			end(&child);
			script_wait(s);
			break;
		default:
			script_fork(s, &child, SYS_fork);
			grow(&child, depth - 1);
			end(&child);
			if (below(2))
				script_wait(s);
		}
	}
	script_rounds(s, 1 + below(5000));
}

static void test_tree(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);

	grow(&s, 3);
	end(&s);
	run_script(&r, &s, "a tree");
	rings_free(&r);
	shared_free();
}

/* Test several processes that switch to each other again and again. */
static void test_switches(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r), child;
	unsigned int i, k;

	for (i = 0; i < 4; i++) {
		child = script_new();
		script_fork(&s, &child, SYS_fork);
		for (k = 0; k < 60; k++) {
			script_rounds(&child, 1 + below(3000));
			script_call(&child, SYS_sched_yield);
		}
		end(&child);
	}
	for (i = 0; i < 4; i++)
		script_wait(&s);
	end(&s);
	run_script(&r, &s, "switches");
	rings_free(&r);
	shared_free();
}

/*
 * A thread begins on the processor of the thread that waits for it, and leaves the same samples.
 */
static void test_threads(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r), thread;
	unsigned int i;
	uint32_t *pair;

	script_stay_on(&s, 0);
	for (i = 0; i < 10; i++) {
		thread = script_new();
		pair = shared(PAIR);
		script_thread(&s, &thread, pair);
		script_rounds(&thread, 5000 + below(3000));
		end(&thread);
		script_join(&s, pair);
	}
	end(&s);
	few_late = true;
	run_script(&r, &s, "threads");
	few_late = false;
	rings_free(&r);
	shared_free();
}

static void test_signals(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);
	unsigned int i;

	script_handle(SIGUSR1);
	for (i = 0; i < 40; i++) {
		script_rounds(&s, 1 + below(900));
		script_raise_handled(&s, SIGUSR1);
	}
	end(&s);
	run_script(&r, &s, "signals");
	rings_free(&r);
	shared_free();
}

static void test_stop(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);
	unsigned int i;

	for (i = 0; i < 40; i++) {
		script_rounds(&s, 1 + below(900));
		script_stop(&s, r.fd, stop_arg());
		script_rounds(&s, 1 + below(900));
		script_start(&s, r.fd, sampled(VPMC_START_RESUME));
	}
	end(&s);
	run_script(&r, &s, "stops and resumes");
	rings_free(&r);
	shared_free();
}

static void test_exec(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r), child = script_new();

	script_rounds(&s, 1234);
	script_fork(&s, &child, SYS_fork);
	script_rounds(&child, 777);
	script_exec_exactly(&child, "./exactly-1000000", 1000000);
	total = cost_add(total, child.cost);
	script_wait(&s);
	script_exec_exactly(&s, "./exactly-1000", 1000);
	total = cost_add(total, s.cost);
	run_script(&r, &s, "programs");
	rings_free(&r);
	shared_free();
}

/* This is more bytes than fit into a pipe. */
#define PIPE_MORE (1 << 17)

/*
 * Test two threads. The second thread executes a program, and then has the ID of the first
 * thread. So its earlier samples belong to an ID without a record.
 */
static void test_exec_of_thread(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r), other = script_new();
	uint32_t *pair = shared(PAIR);
	struct gate ready = gate_new();

	script_thread(&s, &other, pair);
	script_rounds(&other, 3210);
	script_gate(&other, ready.in);
	script_exec_exactly(&other, "./exactly-1000000", 1000000);
	/*
	 * PIPE_MORE bytes do not fit into the pipe, so the thread is still in its last write(2)
	 * when this write opens the gate.
	 */
	script_last(&s, SYS_write, (uint32_t)ready.out, P(shared(PIPE_MORE)),
		    PIPE_MORE);
	total = cost_add(s.cost, other.cost);
	changes_ids = true;
	run_script(&r, &s, "a program that a thread executes");
	changes_ids = false;
	close(ready.in);
	close(ready.out);
	rings_free(&r);
	shared_free();
}

/* These are the time stamps of the records of a loop. */
static uint64_t stamps[64];
static unsigned int nr_stamps;

static void take_stamp(const uint64_t *record, uint32_t size)
{
	const struct vpmc_change *c = (const struct vpmc_change *)record;
	const bool several = *record & VPMC_WHERE_OTHER &&
			     change_type(c) == VPMC_CHANGE_SAMPLES;

	if (several && nr_stamps < sizeof(stamps) / sizeof(*stamps) &&
	    !(c->begin >> VPMC_WHERE_EVENT_SHIFT & VPMC_WHERE_EVENT_MASK))
		stamps[nr_stamps++] = c->tsc;
	take(record, size);
}

/* While a thread is in a loop, only ticks leave records: one record of each event. */
static void test_each_tick(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r), copy;
	uint64_t least = UINT64_MAX, most = 0, between;
	unsigned int i;

	script_rounds(&s, 20000000);
	end(&s);
	copy = s;
	if (!child_fork())
		script_run(&copy);
	until_gone(&r);
	rings_read(&r, take_stamp);
	/* The last record is of the exit. */
	for (i = 1; i + 1 < nr_stamps; i++) {
		between = stamps[i] - stamps[i - 1];
		least = between < least ? between : least;
		most = between > most ? between : most;
	}
	/* Two processors take turns of many instructions, which move the ticks. */
	check(nr_stamps > 5 && (get_nprocs() > 1 || most - least < least / 100),
	      "%u records of a loop, from %llu to %llu clocks apart", nr_stamps,
	      (unsigned long long)least, (unsigned long long)most);
	compare(&r, total, "a loop");
	total = NOTHING;
	rings_free(&r);
	shared_free();
}

#define HANDLES 3

/*
 * Test several handles that count processes at the same time. Each handle has a different period,
 * and one handle has no period.
 */
static void test_several(void)
{
	const uint32_t own[2] = { period[0], period[1] };
	const uint32_t each[HANDLES][2] = { { own[0], own[1] }, { 1777, 0 } };
	static const char *const what[HANDLES] = { "one handle",
						   "another handle",
						   "one without samples" };
	struct rings r[HANDLES];
	struct script s[HANDLES];
	unsigned int i, k;

	for (i = 0; i < HANDLES; i++) {
		memcpy(period, each[i], sizeof(own));
		r[i] = rings_new(RING_SIZE);
		s[i] = script_sampled(&r[i]);
		for (k = 0; k < 50; k++) {
			script_rounds(&s[i], 1 + below(3000));
			script_call(&s[i], SYS_sched_yield);
		}
		script_exit(&s[i], 0);
	}
	for (i = 0; i < HANDLES; i++) {
		struct script copy = s[i];

		if (!child_fork())
			script_run(&copy);
	}
	for (i = 0; i < HANDLES; i++) {
		memcpy(period, each[i], sizeof(own));
		until_gone(&r[i]);
		compare(&r[i], s[i].cost, what[i]);
		rings_free(&r[i]);
	}
	memcpy(period, own, sizeof(own));
	shared_free();
}

/*
 * A ring that is too small loses samples, and counts the lost samples, even if samples have
 * registers.
 */
static void test_overflow(unsigned int flags)
{
	struct rings r = rings_new_with((struct vpmc_samples){
		.ring_size = 4096, .flags = flags, .callers = flags });
	struct script s = script_sampled(&r);
	unsigned int i;

	for (i = 0; i < 20; i++) {
		script_rounds(&s, 20000);
		script_call(&s, SYS_sched_yield);
	}
	end(&s);
	run_script(&r, &s, "a small ring");
	check(r.lost, "%llu samples are lost", (unsigned long long)r.lost);
	rings_free(&r);
	shared_free();
}

/* A reader takes records out of a small ring while they are written. */
static void test_reader(void)
{
	struct rings r = rings_new(4096);
	struct script s = script_sampled(&r), copy;
	struct pollfd fd = { .fd = r.fd };
	unsigned int i;

	for (i = 0; i < 100; i++) {
		script_rounds(&s, 20000);
		script_call(&s, SYS_sched_yield);
	}
	end(&s);
	copy = s;
	if (!child_fork())
		script_run(&copy);
	do {
		for (i = 0; i < 20; i++) {
			rings_read(&r, take);
			sched_yield();
		}
	} while (poll(&fd, 1, 0) != 1 || !(fd.revents & POLLHUP));
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
	compare(&r, total, "a reader");
	total = NOTHING;
	rings_free(&r);
	shared_free();
}

/* A running process moves from one processor to the other again and again. */
static void test_migration(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);
	unsigned int i;

	for (i = 0; i < 60; i++) {
		script_stay_on(&s, i % r.nr);
		script_rounds(&s, 1 + below(900));
	}
	end(&s);
	run_script(&r, &s, "migration");
	rings_free(&r);
	shared_free();
}

/* Another process starts, stops and resumes the count, and starts it by force. */
static void test_held(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct target t = target_new();
	struct vpmc_start *again = sampled(COLLECT),
			  *resume = sampled(VPMC_START_RESUME);
	struct cost cost;
	int result;

	target_gate(&t, false);
	target_gate_start(&t);
	script_rounds(&t.script, 3333);
	target_gate(&t, false);
	script_rounds(&t.script, 4444);
	target_gate(&t, true);
	script_rounds(&t.script, 5555);
	script_exit(&t.script, 0);
	cost = t.script.cost;
	target_create(&t);
	result = request(
		r.fd, VPMC_ATTACH,
		&(struct vpmc_attach){ .size = sizeof(struct vpmc_attach),
				       .id = t.pid });
	check(!result, "attach: %d", result);
	target_pass(&t);
	result = request(r.fd, VPMC_START, again);
	check(!result, "start: %d %u", result, again->error);
	target_pass(&t);
	must_stop(r.fd);
	target_pass(&t);
	result = request(r.fd, VPMC_START, resume);
	check(!result, "resume: %d %u", result, resume->error);
	target_end(&t);
	target_reap(&t);
	compare(&r, cost, "a process that is held");
	rings_free(&r);
	shared_free();
}

/* Return whether the kernel's log has @text. */
static bool log_has(const char *text)
{
	enum { READ_ALL = 3, SIZE = 1 << 20 };
	char *log = calloc(1, SIZE + 1);
	bool found;

	if (!log || klogctl(READ_ALL, log, SIZE) < 0)
		err(2, "klogctl");
	found = strstr(log, text);
	free(log);
	return found;
}

/*
 * Run a thread on the first processor that begins with @start. If @left is set, the thread ends
 * this number of instructions before its sample. Returns whether it has counted.
 */
static bool run_short(struct vpmc_start *start, uint64_t left)
{
	struct rings r = rings_new(4096);
	uint32_t *result = shared(sizeof(*result));
	struct script s = script_new();

	start->nr_events = 1;
	script_stay_on(&s, 0);
	script_start(&s, r.fd, start);
	script_save(&s, result);
	script_rounds(&s, VPMC_MIN_PERIOD);
	script_exit(&s, 0);
	if (left)
		start->event[0].period = (uint32_t)(s.cost.instructions + left);
	if (!child_fork())
		script_run(&s);
	if (wait(NULL) < 0)
		err(2, "wait");
	rings_free(&r);
	return !*result;
}

/*
 * A thread that ends just before its sample leaves a counter that is about to overflow. The next
 * thread counts kernel mode. The counter must not overflow while the processor loads it, because no
 * sample belongs to this interrupt.
 */
static void test_left_behind(void)
{
	struct vpmc_start *start;
	unsigned int left;
	bool ok = true;

	for (left = LEFT_STEP; left < LEFT_BEHIND; left += LEFT_STEP) {
		ok &= run_short(start_arg(FIRST, VPMC_START_COLLECT), left);
		start = start_arg(FIRST, VPMC_START_COLLECT);
		start->event[0].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
		start->event[0].period = INT32_MAX;
		ok &= run_short(start, 0);
		shared_free();
	}
	check(ok, "threads count before and after a thread of kernel mode");
	check(!log_has("unknown reason"),
	      "counters that are about to overflow do not interrupt");
}

static unsigned int nr_any;

static void take_any(const uint64_t *record, uint32_t size)
{
	(void)record;
	(void)size;
	nr_any++;
}

/*
 * Two processes that sample kernel mode switch to each other again and again. The counter of one
 * process can overflow after it was read, until it is loaded for the other process.
 */
static void test_yields(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	struct rings r = rings_new(4096);
	unsigned int i;

	start->nr_events = 1;
	start->event[0].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	start->event[0].period = VPMC_MIN_PERIOD_KERNEL + 3;
	if (!child_fork()) {
		stay_on(0);
		if (request(r.fd, VPMC_START, start))
			_exit(1);
		fork();
		for (i = 0; i < YIELDS; i++)
			sched_yield();
		_exit(0);
	}
	until_gone(&r);
	while (wait(NULL) > 0)
		;
	rings_read(&r, take_any);
	check(nr_any, "processes that switch leave samples of kernel mode");
	check(!log_has("unknown reason"),
	      "each of their interrupts has its sample");
	rings_free(&r);
	shared_free();
}

/* Events on fixed counters leave samples like other events. */
static void test_fixed(void)
{
	struct rings r;
	struct script s;

	period[2] = 1250;
	nr_events = 3;
	counter[2] = (uint16_t)counters_here();
	r = rings_new(RING_SIZE);
	s = script_sampled(&r);
	grow(&s, 2);
	end(&s);
	run_script(&r, &s, "a fixed counter");
	rings_free(&r);
	nr_events = 2;
	shared_free();
}

/*
 * Test that the processor's interrupt is set up again when the machine wakes up, or when the
 * processor comes online.
 */
static void test_sleep(void)
{
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);
	int state = open("/sys/power/state", O_WRONLY | O_CLOEXEC);
	static const char text[] = "mem";

	script_rounds(&s, 20000);
	script_call(&s, SYS_write, (uint32_t)state, P(text), sizeof(text) - 1);
	script_rounds(&s, 20000);
	end(&s);
	no_late = true;
	run_script(&r, &s, "a machine that sleeps");
	no_late = false;
	close(state);
	rings_free(&r);
	shared_free();
}

/*
 * The processor goes offline and comes back, first before the thread runs on it, and then while
 * the thread runs on it.
 */
static void test_offline(void)
{
	static const char path[] = "/sys/devices/system/cpu/cpu1/online";
	static const char digits[] = "01";
	struct rings r = rings_new(RING_SIZE);
	struct script s = script_sampled(&r);
	int online = open(path, O_WRONLY | O_CLOEXEC);
	unsigned int i;

	set_file(path, "0");
	set_file(path, "1");
	script_stay_on(&s, 1);
	script_rounds(&s, 20000);
	for (i = 0; i < 2; i++) {
		script_call(&s, SYS_write, (uint32_t)online, P(&digits[i]), 1);
		script_rounds(&s, 20000);
	}
	script_stay_on(&s, 1);
	script_rounds(&s, 20000);
	end(&s);
	no_late = true;
	run_script(&r, &s, "a processor that was off line");
	no_late = false;
	close(online);
	rings_free(&r);
	shared_free();
}

/* Run all tests that do not need a special machine, with random trees of processes. */
static void test_all(unsigned int trees)
{
	while (trees--)
		test_tree();
	test_switches();
	test_threads();
	test_signals();
	test_stop();
	test_exec();
	test_exec_of_thread();
	test_several();
	if (ticks) {
		test_each_tick();
	} else {
		test_overflow(0);
		test_overflow(VPMC_SAMPLES_REGISTERS);
		test_left_behind();
		test_yields();
	}
	test_reader();
	test_migration();
	test_held();
	if (fixed_here())
		test_fixed();
}

/* Let samples be taken at ticks. */
static void choose_ticks(void)
{
	ticks = true;
	rings_flags = VPMC_SAMPLES_TICKS;
	period[1] = 1500;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "5";

	seed = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1;
	period[0] = 1000;
	period[1] = only_first_interrupts_here() ? 0 : 1500;
	counter[0] = counter_here(0);
	counter[1] = counter_here(1);
	if (!strcmp(what, "sleep")) {
		test_sleep();
	} else if (!strcmp(what, "offline")) {
		test_offline();
	} else if (!strcmp(what, "ticks")) {
		choose_ticks();
		test_all(5);
	} else {
		test_all((unsigned int)strtoul(what, NULL, 10));
	}
	return check_status();
}

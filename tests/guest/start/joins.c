// SPDX-License-Identifier: GPL-2.0-only
/*
 * joins: test that a thread that starts while other threads of its process count joins their
 * counts. The start must not change the counts of the other threads. If it would do so, it must be
 * refused.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "memory.h"

#define ROUNDS	100000
#define LOOP	(2ULL * ROUNDS) /* instructions */
#define ALL	VPMC_START_COLLECT
#define RECORDS (VPMC_START_COLLECT | VPMC_START_RECORDS)
#define FORCE	VPMC_START_FORCE
#define FOLD	VPMC_START_FOLD
#define NOBODY	65534

static void loop(void)
{
	unsigned int n = ROUNDS;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n));
}

/* This is the number of FIRST events. */
static unsigned int nr_first;

/*
 * Return a start of @nr events. If @nr is greater than the number of FIRST events, these are
 * repeated, and share counters.
 */
static struct vpmc_start many(unsigned int nr, unsigned int flags)
{
	struct vpmc_start arg = { .size = sizeof(arg),
				  .flags = flags,
				  .nr_events = nr };
	unsigned int i;

	if (nr > nr_first)
		arg.flags |= VPMC_START_MULTIPLEX;
	for (i = 0; i < nr; i++)
		arg.event[i] =
			(struct vpmc_event)EVENT(code_here(i % 2),
						 counter_here(i % nr_first),
						 VPMC_MODE_USER);
	return arg;
}

static int begin(int fd, unsigned int nr, unsigned int flags)
{
	struct vpmc_start arg = many(nr, flags);

	return request(fd, VPMC_START, &arg);
}

/**
 * struct other - another thread, which sleeps at a gate between its steps
 * @act: its action at each step
 * @nr, @flags: arguments of the start if @act starts a count
 * @result: result of the last request
 * @ends: true if the thread must exit now
 * @id: the thread
 * @gate: gate at which the thread sleeps
 * @ready: gate that the thread opens after each step
 * @tid: its ID
 */
struct other {
	void (*act)(struct other *o);
	unsigned int nr, flags;
	int result;
	bool ends;
	pthread_t id;
	struct gate gate;
	struct gate ready;
	volatile pid_t tid;
};

static void *be_other(void *argument)
{
	struct other *o = argument;

	o->tid = (pid_t)syscall(SYS_gettid);
	while (!o->ends) {
		o->act(o);
		gate_open(&o->ready);
		gate_wait(&o->gate);
	}
	return NULL;
}

/* Wait until the other thread sleeps at its gate. */
static void until_ready(const struct other *o)
{
	gate_wait(&o->ready);
	until_at_gate((uint32_t)o->tid, &o->gate);
}

static struct other *other_new(void (*act)(struct other *o), unsigned int nr,
			       unsigned int flags)
{
	struct other *o = calloc(1, sizeof(*o));

	if (!o)
		err(2, "calloc");
	o->act = act;
	o->nr = nr;
	o->flags = flags;
	o->gate = gate_new();
	o->ready = gate_new();
	if (pthread_create(&o->id, NULL, be_other, o))
		errx(2, "no thread");
	until_ready(o);
	return o;
}

static void other_act(struct other *o, void (*act)(struct other *o))
{
	o->act = act;
	gate_open(&o->gate);
	until_ready(o);
}

/* Let the other thread exit, and wait until the kernel has released it. */
static void other_end(struct other *o)
{
	o->ends = true;
	gate_open(&o->gate);
	pthread_join(o->id, NULL);
	while (state_of((uint32_t)o->tid))
		usleep(1000);
}

/* The following functions are actions of the other thread. This one does nothing. */
static void do_nothing(struct other *o)
{
	(void)o;
}

static void do_count(struct other *o)
{
	o->result = begin(open_device(), o->nr, o->flags);
	if (o->result)
		check(false, "start of another thread: errno %d", -o->result);
	loop();
}

static void do_stop(struct other *o)
{
	o->result = stop(open_device(), NULL);
}

static void do_loop(struct other *o)
{
	loop();
	o->result = try_read(open_device(), VPMC_SCOPE_THREAD);
}

static struct vpmc_read self_now(void)
{
	int fd = open_device();
	struct vpmc_read read = read_scope(fd, VPMC_SCOPE_SELF);

	close(fd);
	return read;
}

/*
 * Return the sum of all counts. If events share a counter, a single count may be zero, because the
 * event has not had a turn.
 */
static uint64_t sum_of(const struct vpmc_read *read)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < read->nr_counts; i++)
		sum += read->count[i];
	return sum;
}

static struct cost cost_of(const struct vpmc_read *read)
{
	return (struct cost){ read->count[0], read->count[1] };
}

/*
 * Check that SELF is the same as before, including the clocks. Threads that count have not run
 * since.
 */
static void check_unchanged(const struct vpmc_read *before, const char *what)
{
	struct vpmc_read now = self_now();

	check(!memcmp(&now, before, sizeof(now)),
	      "%s: SELF stays: state %u, %llu of start %llu want %u, %llu of %llu",
	      what, now.state, now.count[0], now.start, before->state,
	      before->count[0], before->start);
}

/*
 * This is the number of events that the other thread counts, and the number of events to
 * collect.
 */
static unsigned int nr_counting, nr_collected;

/* Start with VPMC_START_COLLECT, and check ALL. Returns the handle. */
static int check_collects(int fd, unsigned int flags, const char *what)
{
	struct vpmc_start arg = many(nr_collected, ALL | flags);
	int result = request(fd, VPMC_START, &arg);
	struct vpmc_read all;

	if (!check(!result, "%s: it collects: errno %d", what, -result))
		return fd;
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(all.nr_counts == nr_collected && sum_of(&all) < ROUNDS &&
		      all.start == arg.start && all.running == 1 &&
		      !all.other_events && !all.revoked,
	      "%s: ALL begins at zero: %u counts, %llu", what, all.nr_counts,
	      (unsigned long long)sum_of(&all));
	loop();
	all = read_scope(fd, VPMC_SCOPE_ALL);
	check(sum_of(&all) > LOOP, "%s: and goes on: %llu", what,
	      (unsigned long long)sum_of(&all));
	return fd;
}

static void test_collect(void)
{
	static const unsigned int flags[] = { ALL, ALL | FORCE, RECORDS,
					      RECORDS | FORCE | FOLD };
	struct other *other = other_new(do_count, nr_counting, 0);
	struct vpmc_read before = self_now(), now;
	int failing = open_device();
	unsigned int i, busy = 0;

	for (i = 0; i < 40; i++)
		busy += begin(failing, nr_collected, flags[i % 4]) == -EBUSY;
	check(busy == i, "%u events while %u are counted: %u of %u are EBUSY",
	      nr_collected, nr_counting, busy, i);
	check_unchanged(&before, "refused");
	check(try_read(failing, VPMC_SCOPE_ALL) == -ENODATA,
	      "the refused handle collects nothing");
	check(try_read(failing, VPMC_SCOPE_THREAD) == -ENODATA,
	      "the refused thread does not count");
	other_act(other, do_loop);
	now = self_now();
	check(sum_of(&now) >= sum_of(&before) + LOOP,
	      "the other one goes on counting");

	/* Start while the handle of the refused starts is still open. */
	other_act(other, do_stop);
	close(check_collects(open_device(), 0, "when nobody counts"));
	other_act(other, do_nothing);
	check(!stop(open_device(), NULL), "stop");
	close(check_collects(failing, 0, "the refused handle"));
	check_collects(hold(getpid(), 0), FORCE, "the whole process by force");
	other_end(other);
}

/* Be the last thread of the process, which exits and has never counted. */
static void *outlive(void *argument)
{
	(void)argument;
	while (state_of((uint32_t)getpid()) != 'Z')
		usleep(1000);
	syscall(SYS_exit, 0);
	return NULL;
}

static _Noreturn void leave_uncounted(int fd, unsigned int nr)
{
	pthread_t id;
	int result = begin(fd, nr, RECORDS);

	if (result)
		check(false, "start, %u events: errno %d", nr, -result);
	loop();
	must_stop(fd);
	if (pthread_create(&id, NULL, outlive, NULL))
		errx(2, "no thread");
	syscall(SYS_exit, 0);
	abort();
}

static bool is_zero(const __u64 *number)
{
	unsigned int i;

	for (i = 0; i < VPMC_MAX_EVENTS; i++)
		if (number[i])
			return false;
	return true;
}

/*
 * Run a process whose last thread has not counted. Returns the handle that has its records. @pid
 * receives its process ID.
 */
static int be_uncounted(unsigned int nr, pid_t *pid)
{
	int fd = open_device();

	*pid = child_fork();
	if (!*pid)
		leave_uncounted(fd, nr);
	if (waitpid(*pid, NULL, 0) != *pid)
		err(2, "waitpid");
	return fd;
}

static void check_uncounted(int fd, pid_t pid, unsigned int nr)
{
	struct vpmc_record one = { .size = sizeof(one) };
	struct vpmc_record last = { .size = sizeof(last) };

	if (request(fd, VPMC_RECORD, &one) || request(fd, VPMC_RECORD, &last))
		check(false, "there are two records");
	check(one.tid == pid && !one.what && one.nr_counts == nr &&
		      !is_zero(one.count),
	      "the first one counted %llu, what %#x", one.count[0], one.what);
	check(last.pid == pid && last.tid != pid && !last.lost &&
		      last.what == VPMC_RECORD_LAST,
	      "the last one is of another thread: what %#x", last.what);
	check(!last.tsc && is_zero(last.count) && is_zero(last.time),
	      "it has nothing in %u counts", last.nr_counts);
}

/*
 * Run several such processes before their records are read, so that the driver reuses memory that
 * is not zero.
 */
static void test_uncounted(void)
{
	enum { NR = 32 };
	int fd[NR];
	pid_t pid[NR];
	unsigned int i;

	for (i = 0; i < NR; i++)
		fd[i] = be_uncounted(i % 8 ? VPMC_MAX_EVENTS : nr_first,
				     &pid[i]);
	for (i = 0; i < NR; i++)
		check_uncounted(fd[i], pid[i],
				i % 8 ? VPMC_MAX_EVENTS : nr_first);
}

static void check_no_resume(int whole, enum events events, const char *what)
{
	struct vpmc_read before = self_now();
	struct vpmc_start *arg = start_arg(events, VPMC_START_RESUME);
	struct vpmc_read thread = read_scope(open_device(), VPMC_SCOPE_THREAD);
	struct vpmc_read now;
	int result = request(whole, VPMC_START, arg);

	check(result == -EINVAL && arg->error == VPMC_REASON_RESUME,
	      "%s: EINVAL: errno %d, reason %u", what, -result, arg->error);
	check_unchanged(&before, what);
	now = read_scope(open_device(), VPMC_SCOPE_THREAD);
	check(!memcmp(&now, &thread, sizeof(now)), "%s: THREAD stays", what);
}

/* Test a resume in which only the thread is left that joined with other events, and has stopped. */
static void test_resume(void)
{
	struct other *idle = other_new(do_nothing, 0, 0);
	struct other *first = other_new(do_count, nr_first, 0);
	int fd = open_device(), whole;

	must_start(fd, OTHER, 0);
	loop();
	must_stop(fd);
	other_end(first);
	whole = hold(getpid(), 0);
	check_no_resume(whole, OTHER, "the thread's events, not the process's");
	check_no_resume(whole, FIRST, "the process's, not the thread's");
	other_act(idle, do_loop);
	check(idle->result == -ENODATA, "the idle thread stays idle: errno %d",
	      -idle->result);
	must_start(fd, OTHER, VPMC_START_RESUME);
	must_stop(fd);
	other_end(idle);
}

/* Let another process start all threads of this process. */
static void start_from_outside(void)
{
	int status;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		must_start(hold(getppid(), 0), FIRST, 0);
		_exit(check_status());
	}
	check(waitpid(pid, &status, 0) == pid && !status,
	      "a start of all threads from outside");
}

/* These are starts of a thread that has created another thread while it was stopped. */
static const struct again {
	const char *what;
	enum events events;
	unsigned int flags;
	int result;
} agains[] = {
	{ "start that folds", FIRST, FOLD, 0 },
	{ "start that folds, by force", FIRST, FOLD | FORCE, 0 },
	{ "start", FIRST, FORCE, 0 },
	{ "resume", FIRST, VPMC_START_RESUME, 0 },
	{ "start that fails", FIRST, ALL, -EBUSY },
	{ "start that fails to fold", FIRST, ALL | FOLD | FORCE, -EBUSY },
	{ "resume that fails", OTHER, VPMC_START_RESUME, -EINVAL },
};
static const struct again *again;

static void test_created_stopped(void)
{
	struct other *counts = other_new(do_nothing, 0, 0), *new;
	struct vpmc_read before, now;
	int fd = open_device(), result;

	start_from_outside();
	/*
	 * The start has woken the thread. Let it fall asleep again, so that its count does not
	 * change below.
	 */
	other_act(counts, do_nothing);
	must_stop(fd);
	new = other_new(do_nothing, 0, 0);
	before = self_now();
	result = start(fd, again->events, again->flags, NULL);
	check(result == again->result, "%s: errno %d", again->what, -result);
	if (result)
		check_unchanged(&before, again->what);
	else
		must_stop(fd);
	before = self_now();
	check(before.state == VPMC_STATE_RUNNING, "another one still counts");
	other_act(new, do_loop);
	check(new->result == -ENODATA, "%s: THREAD of the new one: errno %d",
	      again->what, -new->result);
	check_unchanged(&before, again->what);
	other_act(counts, do_loop);
	now = self_now();
	check(now.count[0] > before.count[0] && !counts->result,
	      "%s: the other one goes on", again->what);
	other_end(new);
	other_end(counts);
}

/*
 * Run a child for which no process waits. @first and @joins are the flags of the starts of its two
 * threads, of which one can be VPMC_START_FOLD.
 */
static struct cost fold_unwaited(unsigned int first, unsigned int joins)
{
	struct cost *cost = shared(sizeof(*cost));
	int fd = open_device();
	struct vpmc_read self;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		other_new(do_count, nr_first, first);
		must_start(fd, FIRST, joins);
		loop();
		must_stop(fd);
		self = self_now();
		*cost = cost_of(&self);
		/* The other thread is killed while it sleeps. */
		_exit(0);
	}
	check(waitpid(pid, NULL, 0) < 0 && errno == ECHILD,
	      "nobody to wait for");
	check(cost->instructions > 2 * LOOP, "two threads counted");
	return *cost;
}

static void test_fold(void)
{
	struct cost sum;

	signal(SIGCHLD, SIG_IGN);
	sum = fold_unwaited(0, FOLD);
	check_children(sum, 0, "who joins folds");
	sum = cost_add(sum, fold_unwaited(FOLD, 0));
	check_children(sum, 0, "who joins leaves it");
	fold_unwaited(0, 0);
	check_children(sum, 0, "nobody folds");
}

/* Return the record of thread @tid that has @nr counts. */
static struct vpmc_record find_record(int fd, pid_t tid, unsigned int nr)
{
	struct vpmc_record record, found = {};

	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		if (request(fd, VPMC_RECORD, &record))
			return found;
		if (record.lost)
			check(false, "%u records are lost", record.lost);
		if (record.tid == tid && record.nr_counts == nr)
			found = record;
	}
}

static void check_record(bool whole, unsigned int nr, const char *what)
{
	int fd = open_device(), restart = whole ? hold(getpid(), 0) : fd;
	struct vpmc_record record;
	struct other *joins;

	must_start(fd, FIRST, RECORDS);
	joins = other_new(do_count, nr, FORCE);
	if (!whole)
		other_act(joins, do_stop);
	must_start(whole ? restart : open_device(), FIRST, FORCE);
	record = find_record(fd, joins->tid, nr);
	check(record.what == (VPMC_RECORD_RESTARTED | VPMC_RECORD_OTHER) &&
		      record.count[0] + record.count[nr_first] >= LOOP,
	      "%s: %u counts are kept: %llu %llu, what %#x", what, nr,
	      record.count[0], record.count[nr_first], record.what);
	must_stop(open_device());
	other_end(joins);
	close(fd);
}

/* Test a thread whose events share counters, in a process whose events do not. */
static void test_record_whole(void)
{
	check_record(true, 2 * nr_first, "all by force");
}

static void test_record_alone(void)
{
	check_record(false, 2 * nr_first,
		     "one by force, the other one stopped");
}

/*
 * Create a second thread, count, and write the ID of the second thread to @tid. When the test has
 * started that thread, return the result of a read of SELF.
 */
static int read_beside(uint32_t *tid, const struct gate *told,
		       const struct gate *started)
{
	int fd = open_device();
	struct other *other;

	memory_become_nobody();
	other = other_new(do_nothing, 0, 0);
	must_start(fd, FIRST, 0);
	*tid = (uint32_t)other->tid;
	gate_open(told);
	gate_wait(started);
	return try_read(fd, VPMC_SCOPE_SELF);
}

/*
 * Test a process that may not count kernel mode. It may not read SELF while another process counts
 * the kernel mode of one of its threads.
 */
static void test_kernel(void)
{
	struct gate told = gate_new(), started = gate_new();
	uint32_t *tid = shared(sizeof(*tid));
	struct vpmc_start kernel = many(nr_first, 0);
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(-read_beside(tid, &told, &started));
	gate_wait(&told);
	kernel.nr_events = modes_here();
	kernel.event[0].modes = VPMC_MODE_KERNEL;
	check(!request(hold((int)*tid, VPMC_ATTACH_THREAD), VPMC_START,
		       &kernel),
	      "kernel mode of a thread beside one that counts");
	gate_open(&started);
	check(waitpid(pid, &status, 0) == pid && status == EPERM << 8,
	      "its process may not read SELF: status %#x want %#x", status,
	      EPERM << 8);
}

/* These are the modes that the thread of root counts in be_mixed(). */
static unsigned short mixed_modes;

static void do_count_mixed(struct other *o)
{
	struct vpmc_start arg = many(nr_first, 0);

	arg.nr_events = modes_here();
	arg.event[0].modes = mixed_modes;
	o->result = request(open_device(), VPMC_START, &arg);
}

/*
 * Be a process with threads of two users. The first thread becomes user "nobody" and counts. The
 * other thread stays root and joins the count.
 */
static void be_mixed(const struct gate *told, const struct gate *join)
{
	struct other *root = other_new(do_nothing, 0, 0);

	if (syscall(SETRESGID, NOBODY, NOBODY, NOBODY) ||
	    syscall(SETRESUID, NOBODY, NOBODY, NOBODY) ||
	    prctl(PR_SET_DUMPABLE, 1))
		err(2, "nobody");
	must_start(open_device(), FIRST, 0);
	gate_open(told);
	gate_wait(join);
	root->act = do_count_mixed;
	gate_open(&root->gate);
	gate_wait(&root->ready);
	check(!root->result && !try_read(open_device(), VPMC_SCOPE_SELF),
	      "root's thread joins, and the process reads both: errno %d",
	      -root->result);
	gate_open(told);
	gate_wait(join);
	_exit(check_status());
}

/*
 * Read the process as another process of user "nobody": before root's thread joins, and after it
 * has joined.
 */
static void read_mixed(pid_t pid, const struct gate *told,
		       const struct gate *join)
{
	int fd, result;

	memory_become_nobody();
	gate_wait(told);
	fd = hold(pid, 0);
	result = try_read(fd, VPMC_SCOPE_SELF);
	check(!result, "nobody reads nobody's thread: errno %d", -result);
	gate_open(join);
	gate_wait(told);
	result = try_read(fd, VPMC_SCOPE_SELF);
	check(result == -EPERM, "not with one of root's, modes %u: errno %d",
	      mixed_modes, -result);
	gate_open(join);
}

/* Test that a reader may not read SELF if it may not watch a thread that has joined. */
static void mix(unsigned short modes)
{
	struct gate told = gate_new(), join = gate_new();
	int status;
	pid_t pid;

	mixed_modes = modes;
	pid = child_fork();
	if (!pid)
		be_mixed(&told, &join);
	read_mixed(pid, &told, &join);
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(!status, "the process of both ends: status %#x", status);
}

static void test_mixed_user(void)
{
	mix(VPMC_MODE_USER);
}

static void test_mixed_kernel(void)
{
	mix(VPMC_MODE_KERNEL);
}

int main(void)
{
	const unsigned int few = counters_here(), more = few + 1;
	const unsigned int nr[][2] = {
		{ few, few }, { 32, more }, { more, 32 }, { 32, 1 }, { few, 32 }
	};
	unsigned int i;

	nr_first = few;
	for (i = 0; i < sizeof(nr) / sizeof(nr[0]); i++) {
		nr_counting = nr[i][0];
		nr_collected = nr[i][1];
		run(test_collect);
	}
	run(test_uncounted);
	run(test_resume);
	for (i = 0; i < sizeof(agains) / sizeof(agains[0]); i++) {
		again = &agains[i];
		run(test_created_stopped);
	}
	run(test_fold);
	run(test_record_whole);
	run(test_record_alone);
	run(test_kernel);
	run(test_mixed_user);
	run(test_mixed_kernel);
	return check_status();
}

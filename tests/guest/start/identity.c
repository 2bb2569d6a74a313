// SPDX-License-Identifier: GPL-2.0-only
/*
 * identity: test that each start from zero has its own number. All answers about the counts of a
 * start must have its number, and no other answers may have it. This must also hold if the
 * generation stays the same, because another thread of the process counts.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

/* An answer identifies its counts by these two numbers. */
struct identity {
	uint64_t generation, start;
};

static bool same(struct identity a, struct identity b)
{
	return a.generation == b.generation && a.start == b.start;
}

static void check_same(struct identity got, struct identity want,
		       const char *what)
{
	check(same(got, want),
	      "%s: generation %llu, start %llu want %llu, %llu", what,
	      (unsigned long long)got.generation, (unsigned long long)got.start,
	      (unsigned long long)want.generation,
	      (unsigned long long)want.start);
}

static uint64_t both(const __u32 half[2])
{
	return (uint64_t)half[1] << 32 | half[0];
}

/* Begin a count. @self receives the identity of SELF if it is not NULL. */
static struct identity begin(int fd, enum events events, unsigned int flags,
			     struct identity *self)
{
	struct vpmc_start *arg = start_arg(events, flags);
	int result = request(fd, VPMC_START, arg);

	if (result)
		check(false, "start, flags %#x: errno %d", flags, -result);
	if (self)
		*self = (struct identity){ arg->generation, arg->self_start };
	return (struct identity){ arg->generation, arg->start };
}

static struct identity end(int fd)
{
	struct vpmc_stop arg = { .size = sizeof(arg) };

	if (request(fd, VPMC_STOP, &arg))
		check(false, "stop");
	return (struct identity){ arg.generation, arg.start };
}

static struct identity of_scope(int fd, unsigned int scope)
{
	struct vpmc_read read = read_scope(fd, scope);

	return (struct identity){ read.generation, read.start };
}

static struct vpmc_siginfo message;

static void note(int signo, siginfo_t *info, void *context)
{
	(void)signo;
	(void)context;
	memcpy(&message, &info->si_addr, sizeof(message));
}

/*
 * Return the identity in the answer of VPMC_SIGNAL. If the thread counts, also check the identity
 * in a signal.
 */
static struct identity of_signal(int fd, bool counts)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };
	struct vpmc_signal arg = { .size = sizeof(arg),
				   .signo = SIGUSR1,
				   .period = 100 };
	struct identity asked, told;
	unsigned int i;

	action.sa_sigaction = note;
	sigaction(SIGUSR1, &action, NULL);
	message = (struct vpmc_siginfo){};
	if (request(fd, VPMC_SIGNAL, &arg))
		check(false, "VPMC_SIGNAL");
	asked = (struct identity){ arg.generation, arg.start };
	/* Each read executes at least one instruction and one branch. */
	for (i = 0; i < arg.period; i++)
		read_scope(fd, VPMC_SCOPE_THREAD);
	/* A signal does not contain the generation. */
	told = (struct identity){ asked.generation, both(message.start) };
	if (counts)
		check_same(told, asked, "signal");
	arg.signo = 0;
	request(fd, VPMC_SIGNAL, &arg);
	return asked;
}

/* Check the answer of VPMC_MAP, and the page. Where RDPMC is not allowed, there is no page. */
static void check_page(int fd, struct identity want)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	const struct vpmc_page *page;

	if (request(fd, VPMC_MAP, &arg))
		return;
	check_same((struct identity){ arg.generation, arg.start }, want, "map");
	page = pointer_to(arg.address);
	check_same((struct identity){ page->generation, page->start }, want,
		   "page");
}

static void check_attached(int id, unsigned int flags, struct identity want,
			   const char *what)
{
	struct vpmc_attach arg = { .size = sizeof(arg),
				   .flags = flags,
				   .id = id };
	int fd = open_device();

	if (request(fd, VPMC_ATTACH, &arg))
		check(false, "attach");
	check_same((struct identity){ arg.generation, arg.start }, want, what);
	check_same(of_scope(fd, flags & VPMC_ATTACH_THREAD ? VPMC_SCOPE_THREAD
							   : VPMC_SCOPE_SELF),
		   want, "read by who is attached");
	close(fd);
}

static bool has_events(const struct vpmc_query *query,
		       const struct vpmc_start *start)
{
	return query->nr_events == start->nr_events &&
	       !memcmp(query->event, start->event,
		       query->nr_events * sizeof(query->event[0]));
}

static void check_query(int fd, unsigned int scope, enum events events,
			struct identity want, const char *what)
{
	struct vpmc_query arg = { .size = sizeof(arg), .scope = scope };
	struct vpmc_start *wanted = start_arg(events, 0);
	int result = request(fd, VPMC_QUERY, &arg);

	check(!result && has_events(&arg, wanted),
	      "query, %s: result %d, %u events", what, result, arg.nr_events);
	check_same((struct identity){ arg.generation, arg.start }, want, what);
}

/* Check all answers about the calling thread. */
static void check_thread(int fd, enum events events, struct identity want,
			 bool counts)
{
	check_same(of_scope(fd, VPMC_SCOPE_THREAD), want, "read of the thread");
	check_query(fd, VPMC_SCOPE_THREAD, events, want, "the thread");
	check_same(of_signal(fd, counts), want, "VPMC_SIGNAL");
	check_page(fd, want);
	check_attached((int)syscall(SYS_gettid), VPMC_ATTACH_THREAD, want,
		       "attach to the thread");
}

/* Check all answers about the process of the calling thread. */
static void check_self(int fd, enum events events, struct identity want)
{
	struct vpmc_info info = { .size = sizeof(info) };

	check_same(of_scope(fd, VPMC_SCOPE_SELF), want, "read of SELF");
	check_same(of_scope(fd, VPMC_SCOPE_CHILDREN), want, "read of CHILDREN");
	check_query(fd, VPMC_SCOPE_SELF, events, want, "SELF");
	check_query(fd, VPMC_SCOPE_CHILDREN, events, want, "CHILDREN");
	if (request(fd, VPMC_INFO, &info))
		check(false, "info");
	check_same((struct identity){ info.generation, info.start }, want,
		   "info");
	check_attached(getpid(), 0, want, "attach to the process");
}

/* This is another thread, which counts all the time, with the events that it has inherited. */
struct other {
	pthread_t id;
	struct gate ready, go;
	volatile pid_t tid;
	struct identity inherited;
};

static void *be_other(void *argument)
{
	struct other *o = argument;

	o->tid = (pid_t)syscall(SYS_gettid);
	o->inherited = of_scope(open_device(), VPMC_SCOPE_THREAD);
	gate_open(&o->ready);
	gate_wait(&o->go);
	return NULL;
}

static struct other *other_new(void)
{
	struct other *o = calloc(1, sizeof(*o));

	if (!o)
		err(2, "calloc");
	o->ready = gate_new();
	o->go = gate_new();
	if (pthread_create(&o->id, NULL, be_other, o))
		errx(2, "no thread");
	gate_wait(&o->ready);
	return o;
}

static void other_end(struct other *o)
{
	gate_open(&o->go);
	pthread_join(o->id, NULL);
	free(o);
}

static void test_alone(void)
{
	int fd = open_device();
	struct identity first, second, self;

	first = begin(fd, FIRST, 0, &self);
	check(first.start != 0, "a start has a number");
	check_same(self, first, "the only start is that of SELF");
	check_thread(fd, FIRST, first, true);
	check_self(fd, FIRST, first);
	check_same(end(fd), first, "stop");
	check_thread(fd, FIRST, first, false);
	check_same(begin(fd, FIRST, VPMC_START_RESUME, &self), first, "resume");
	check_same(self, first, "resume: SELF");
	end(fd);
	second = begin(fd, FIRST, 0, &self);
	check(second.start != first.start &&
		      second.generation != first.generation,
	      "another start has another number");
	check_same(self, second, "and is that of SELF");
	check_thread(fd, FIRST, second, true);
	check_self(fd, FIRST, second);
}

/* Test a thread that starts other events, while a second thread goes on with the first events. */
static void test_second_thread(void)
{
	int fd = open_device(), again = open_device();
	struct identity first, second, self;
	struct other *other;

	first = begin(fd, FIRST, 0, NULL);
	other = other_new();
	check_same(other->inherited, first, "a thread inherits the identity");
	check_same(end(fd), first, "stop");
	second = begin(again, OTHER, 0, &self);
	check(second.generation == first.generation &&
		      second.start != first.start && second.start,
	      "within the generation the start is another one");
	check_same(self, first, "SELF is that of the first start");
	check_thread(again, OTHER, second, true);
	check_self(again, FIRST, first);
	check_attached(other->tid, VPMC_ATTACH_THREAD, first,
		       "attach to the second thread");
	check_same(end(again), second, "stop");
	check_same(begin(fd, OTHER, VPMC_START_RESUME, NULL), second, "resume");
	end(fd);
	/* A start of the events of SELF is a new start too. */
	check(begin(fd, FIRST, 0, NULL).start > second.start,
	      "the first events again: another start");
	other_end(other);
}

/* Test a start by force of one thread from outside. */
static void test_forced(void)
{
	int fd = open_device(), outside = open_device(), whole = open_device();
	struct identity first, second, third;
	struct other *other;

	first = begin(fd, FIRST, 0, NULL);
	other = other_new();
	if (attach(outside, other->tid, VPMC_ATTACH_THREAD, NULL) ||
	    attach(whole, getpid(), 0, NULL))
		check(false, "attach");
	second = begin(outside, OTHER, VPMC_START_FORCE, NULL);
	check(second.generation == first.generation &&
		      second.start != first.start && second.start,
	      "a thread started by force has another start");
	check_same(of_scope(outside, VPMC_SCOPE_THREAD), second,
		   "read of that thread");
	check_query(outside, VPMC_SCOPE_THREAD, OTHER, second, "that thread");
	check_thread(fd, FIRST, first, true);
	check_self(fd, FIRST, first);
	third = begin(whole, OTHER, VPMC_START_FORCE, NULL);
	check(third.generation != first.generation &&
		      third.start != second.start,
	      "all by force: another generation and start");
	check_thread(fd, OTHER, third, true);
	check_self(fd, OTHER, third);
	check_same(of_scope(outside, VPMC_SCOPE_THREAD), third,
		   "read of the other thread");
	check_same(end(whole), third, "stop of the process");
	other_end(other);
}

/*
 * Fork a child, and return the identity that the child reads. Check also that a handle attached to
 * the child returns it.
 */
static struct identity of_child(void)
{
	struct identity *answer = shared(sizeof(*answer));
	struct gate go = gate_new(), done = gate_new();
	struct vpmc_attach arg = { .size = sizeof(arg) };
	int fd = open_device();
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		*answer = of_scope(open_device(), VPMC_SCOPE_THREAD);
		gate_open(&done);
		gate_wait(&go);
		_exit(0);
	}
	gate_wait(&done);
	arg.id = pid;
	if (request(fd, VPMC_ATTACH, &arg))
		check(false, "attach to the child");
	check(arg.start == answer->start, "the child's start by attach");
	gate_open(&go);
	waitpid(pid, NULL, 0);
	check(of_scope(fd, VPMC_SCOPE_SELF).start == answer->start,
	      "the child's start when it is gone");
	return *answer;
}

static void test_children(void)
{
	int fd = open_device();
	struct identity first =
		begin(fd, FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS, NULL);
	struct vpmc_record record = { .size = sizeof(record) };
	struct identity child = of_child();

	check(child.start == first.start && child.generation,
	      "a child has its creator's start: %llu want %llu",
	      (unsigned long long)child.start, (unsigned long long)first.start);
	check_same(of_scope(fd, VPMC_SCOPE_CHILDREN), first, "CHILDREN");
	check_same(of_scope(fd, VPMC_SCOPE_ALL), first, "ALL");
	check_query(fd, VPMC_SCOPE_ALL, FIRST, first, "ALL");
	check(!request(fd, VPMC_RECORD, &record), "record");
	check_same((struct identity){ record.generation, record.start }, first,
		   "record");
}

/* Test that a parent that has never started gets the events of its first child. */
static void test_collector(void)
{
	int fd = open_device();
	struct vpmc_query arg = { .size = sizeof(arg),
				  .scope = VPMC_SCOPE_CHILDREN };
	struct vpmc_start *wanted = start_arg(OTHER, 0);
	pid_t pid;

	check(request(fd, VPMC_QUERY, &arg) == -ENODATA, "nobody ever started");
	pid = fork();
	if (!pid) {
		must_start(open_device(), OTHER, 0);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check(!request(fd, VPMC_QUERY, &arg) && has_events(&arg, wanted),
	      "who collects only can ask for the events");
}

static void test_query_refused(void)
{
	struct vpmc_query arg = { .size = sizeof(arg) };
	int fd = open_device();

	arg.scope = 4;
	check(request(fd, VPMC_QUERY, &arg) == -EINVAL, "no such scope");
	arg.scope = VPMC_SCOPE_THREAD;
	arg.flags = 1;
	check(request(fd, VPMC_QUERY, &arg) == -EINVAL, "no such flag");
	arg.flags = 0;
	check(request(fd, VPMC_QUERY, &arg) == -ENODATA, "never started");
}

/* Test that a new start of the same events does not contain the children of the previous start. */
static void test_children_again(void)
{
	int fd = open_device();
	pid_t pid;

	must_start(fd, FIRST, 0);
	pid = fork();
	if (!pid)
		_exit(0);
	check(waitpid(pid, NULL, 0) == pid &&
		      read_scope(fd, VPMC_SCOPE_CHILDREN).count[0],
	      "a child is counted");
	check(!request(fd, VPMC_STOP, stop_arg()), "it stops");
	must_start(fd, FIRST, 0);
	check(!read_scope(fd, VPMC_SCOPE_CHILDREN).count[0],
	      "there is no child of this start");
}

/* Test that the counts of a child from before its second start are also added to its parent. */
static void test_kept_again(void)
{
	int fd = open_device(), own;
	volatile int i;
	pid_t pid;

	must_start(fd, FIRST, 0);
	pid = fork();
	if (!pid) {
		own = open_device();
		must_start(own, FIRST, VPMC_START_FORCE);
		for (i = 0; i < 100000; i++)
			;
		request(own, VPMC_STOP, stop_arg());
		must_start(own, FIRST, 0);
		_exit(0);
	}
	check(waitpid(pid, NULL, 0) == pid &&
		      read_scope(fd, VPMC_SCOPE_CHILDREN).count[0] > 100000,
	      "all starts of a child are counted");
}

int main(void)
{
	run(test_alone);
	run(test_second_thread);
	run(test_forced);
	run(test_children);
	run(test_collector);
	run(test_query_refused);
	run(test_children_again);
	run(test_kept_again);
	return check_status();
}

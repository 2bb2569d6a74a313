// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll: test that poll(2), select(2) and epoll(7) report when a handle has a record, and when the
 * handle will not get any more records.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

/* A task waits this many milliseconds only if it is never woken up. */
#define LONG 60000

#define RECORDS (VPMC_START_COLLECT | VPMC_START_RECORDS)

/* This is a process that counts on a handle until the test lets it exit. */
struct counted {
	pid_t pid;
	struct gate end;
};

static void must_start(int fd, unsigned int flags)
{
	if (request(fd, VPMC_START, start_arg(FIRST, flags)))
		err(2, "VPMC_START");
}

/* Fork a process, and wait until it counts. */
static struct counted counted_new(int fd, unsigned int flags)
{
	struct counted c = { .end = gate_new() };
	struct gate begun = gate_new();

	c.pid = fork();
	if (!c.pid) {
		must_start(fd, flags);
		gate_open(&begun);
		gate_wait(&c.end);
		_exit(0);
	}
	gate_wait(&begun);
	return c;
}

static void counted_end(const struct counted *c)
{
	gate_open(&c->end);
	if (waitpid(c->pid, NULL, 0) != c->pid)
		err(2, "waitpid");
}

/* Return the events that poll(2) reports without waiting. */
static unsigned int polled(int fd)
{
	struct pollfd p = { .fd = fd,
			    .events = POLLIN | POLLPRI | POLLOUT | POLLRDNORM };

	if (poll(&p, 1, 0) < 0)
		err(2, "poll");
	return (unsigned short)p.revents;
}

static void check_polled(int fd, unsigned int want, const char *what)
{
	unsigned int ready = polled(fd);

	check(ready == want, "%s: ready for %#x, want %#x", what, ready, want);
}

#define READABLE (POLLIN | POLLRDNORM)

static void check_no_more(int fd, const char *what)
{
	struct vpmc_record record = { .size = sizeof(record) };

	check(request(fd, VPMC_RECORD, &record) == -ENODATA,
	      "%s: no record, and nobody waits for one", what);
}

/* A handle that does not keep records is never readable. */
static void test_never(void)
{
	int fd = open_device(), other = open_device();
	struct counted c;

	check_polled(fd, 0, "a new handle");
	c = counted_new(fd, 0);
	check_polled(fd, 0, "a handle that collects nothing");
	counted_end(&c);
	check_polled(fd, 0, "whose process has exited");

	c = counted_new(other, VPMC_START_COLLECT);
	check_polled(other, 0, "a handle without records");
	counted_end(&c);
	check_polled(other, POLLHUP, "whose processes have exited");
}

/* Test that the handle is readable as long as it has a record, here that of a child. */
static void test_levels(void)
{
	int fd = open_device();
	struct vpmc_record record;
	pid_t child;

	must_start(fd, RECORDS);
	check_polled(fd, 0, "a process counts");
	child = fork();
	if (!child)
		_exit(0);
	if (waitpid(child, NULL, 0) != child)
		err(2, "waitpid");
	check_polled(fd, READABLE, "its child has exited");
	check_polled(fd, READABLE, "nobody has taken the record");
	record = next_record(fd);
	check(record.pid == child, "it is the child's");
	check_polled(fd, 0, "the record is taken");
	check_no_more(fd, "then");

	/* The calling thread also leaves a record when it starts again. */
	must_start(fd, VPMC_START_FORCE);
	check_polled(fd, READABLE, "a thread has started again");
	must_start(fd, RECORDS | VPMC_START_FORCE);
	check_polled(fd, 0, "a start that collects drops what there was");
}

/* Return the result of select(2) for reading. */
static bool selected(int fd)
{
	struct timeval now = { 0 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, &set, NULL, NULL, &now) == 1;
}

static void test_end(void)
{
	int fd = open_device();
	struct counted c = counted_new(fd, RECORDS);

	check(!selected(fd), "select: a process counts");
	counted_end(&c);
	check_polled(fd, READABLE | POLLHUP, "the last process has exited");
	check(selected(fd), "select: a record");
	next_record(fd);
	check_polled(fd, POLLHUP, "the last record is taken");
	check(selected(fd), "select: the end");
	check_no_more(fd, "at the end");
}

/* Make an epoll instance that waits for records of a handle. */
static int watch(int fd, uint32_t how)
{
	struct epoll_event event = { .events = EPOLLIN | how };
	int set = epoll_create1(EPOLL_CLOEXEC);

	if (set < 0 || epoll_ctl(set, EPOLL_CTL_ADD, fd, &event))
		err(2, "epoll");
	return set;
}

static unsigned int waited(int set, int milliseconds)
{
	struct epoll_event event = { 0 };

	if (epoll_wait(set, &event, 1, milliseconds) < 0)
		err(2, "epoll_wait");
	return event.events;
}

/*
 * Fork a process that calls epoll_wait(2), and wait until it sleeps there. Its exit status has the
 * events.
 */
static pid_t waiter(int set)
{
	pid_t pid = fork();

	if (!pid)
		_exit((int)(waited(set, LONG) & 0xff));
	until_asleep((uint32_t)pid);
	return pid;
}

static void check_waiter(pid_t pid, unsigned int want, const char *what)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		errx(2, "a process has failed");
	check(((unsigned int)WEXITSTATUS(status) & want) == want,
	      "%s: woken up with %#x, want %#x", what,
	      (unsigned int)WEXITSTATUS(status), want);
}

/* Processes can wait on one handle independently of each other, and can begin before the start. */
static void test_waiters(void)
{
	int fd = open_device(), sets[2] = { watch(fd, 0), watch(fd, 0) };
	pid_t pid[2] = { waiter(sets[0]), waiter(sets[1]) };
	struct counted c = counted_new(fd, RECORDS);

	counted_end(&c);
	check_waiter(pid[0], EPOLLIN, "the first of two");
	check_waiter(pid[1], EPOLLIN, "the second");
}

/* The exit of the processes wakes the waiting task even if there are no records. */
static void test_waits_for_end(void)
{
	int fd = open_device(), set = watch(fd, 0);
	struct counted c = counted_new(fd, VPMC_START_COLLECT);
	pid_t pid = waiter(set);

	counted_end(&c);
	check_waiter(pid, EPOLLHUP, "the end without records");
}

/* An edge-triggered poll wakes up once for each record. */
static void test_edges(void)
{
	int fd = open_device(), set = watch(fd, EPOLLET);
	struct counted c = counted_new(fd, RECORDS);
	unsigned int i;
	pid_t child;

	check(!waited(set, 0), "no edge before a record");
	counted_end(&c);
	check(waited(set, 0) & EPOLLIN, "an edge");
	check(!waited(set, 0), "there is one edge");
	close(fd);

	fd = open_device();
	must_start(fd, RECORDS);
	set = watch(fd, EPOLLET);
	for (i = 0; i < 2; i++) {
		child = fork();
		if (!child)
			_exit(0);
		if (waitpid(child, NULL, 0) != child)
			err(2, "waitpid");
		check(waited(set, 0) == EPOLLIN, "an edge for record %u", i);
		check(!waited(set, 0), "and no other one");
	}
}

/* Closing a handle while another task polls it does not leak anything. */
static void test_closed(void)
{
	int fd = open_device(), set = watch(fd, 0);
	struct gate begun = gate_new(), end = gate_new();
	pid_t pid = fork();

	if (!pid) {
		must_start(fd, RECORDS);
		close(fd);
		gate_open(&begun);
		gate_wait(&end);
		_exit(0);
	}
	gate_wait(&begun);
	close(fd);
	gate_open(&end);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
	check(!waited(set, 0), "a closed handle is watched no more");
}

int main(void)
{
	run(test_never);
	run(test_levels);
	run(test_end);
	run(test_waiters);
	run(test_waits_for_end);
	run(test_edges);
	run(test_closed);
	return check_status();
}

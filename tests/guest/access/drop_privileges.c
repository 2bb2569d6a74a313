// SPDX-License-Identifier: GPL-2.0-only
/*
 * drop_privileges [namespaces]: test the access of a program that counts and collects as root,
 * and then gives up rights in one of several ways. One of its children still has the rights. The
 * program must see the exact counts of this child if it may still watch the child, and otherwise
 * no counts. This must hold for each way to read the counts, and also after the child has exited.
 * It must hold too for the program's later children, and for the program that it executes next.
 */
#include <err.h>
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "privileged_programs.h"

#define ROUNDS	 1000
#define ALL_CAPS (~0ULL)
#define BIT(cap) (1ULL << (cap))

/* This is the path of this program. */
static const char path[] = "/proc/self/exe";

static void become_nobody_with(uint64_t capabilities)
{
	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		err(2, "setresuid");
	keep_capabilities(capabilities, capabilities);
}

static void be_nobody(void)
{
	become_nobody_with(0);
}

static void be_tracer(void)
{
	become_nobody_with(BIT(CAP_SYS_PTRACE));
}

static void be_counter(void)
{
	become_nobody_with(BIT(CAP_PERFMON));
}

static void be_nobody_for_now(void)
{
	if (seteuid(NOBODY))
		err(2, "seteuid");
}

static void drop_capabilities(void)
{
	keep_capabilities(0, 0);
}

/*
 * Give up all effective capabilities, and the permitted capabilities that allow watching. A
 * program may not watch a child with just one more capability.
 */
static void drop_one(void)
{
	const uint64_t watching =
		BIT(CAP_SYS_PTRACE) | BIT(CAP_SYS_ADMIN) | BIT(CAP_PERFMON);

	keep_capabilities(ALL_CAPS & ~watching, ALL_CAPS);
}

static void drop_effective(void)
{
	keep_capabilities(ALL_CAPS, 0);
}

static void enter_namespace(void)
{
	if (unshare(CLONE_NEWUSER))
		err(2, "unshare");
}

/**
 * struct way - how to give up rights
 * @name: name of the way in messages
 * @give_up: function that gives up the rights
 * @shown: whether the program still sees the counts of a child with all rights
 * @attaches: whether the program may attach to such a child
 * @self_after, @all_after: whether the program that is executed next sees SELF and ALL
 */
struct way {
	const char *name;
	void (*give_up)(void);
	bool shown, attaches, self_after, all_after;
};

static const struct way ways[] = {
	{ "another user", be_nobody, false, false, false, false },
	{ "CAP_SYS_PTRACE", be_tracer, true, true, false, false },
	{ "CAP_PERFMON", be_counter, true, false, false, false },
	{ "effective user", be_nobody_for_now, true, true, true, false },
	{ "no capabilities", drop_capabilities, false, false, true, true },
	{ "fewer capabilities", drop_one, false, false, true, true },
	{ "none effective", drop_effective, true, true, true, true },
	/* This must be the last way, because not all kernels have user namespaces. */
	{ "namespace", enter_namespace, false, false, false, false },
};
#define NR_WAYS (sizeof(ways) / sizeof(ways[0]))

static const struct way *way;
static unsigned int fold;

/**
 * struct child - a process that counts the same events as its parent
 * @end: gate at which it waits before it exits
 * @pid: its process ID
 * @fd: handle that is attached to it
 * @counts: its count while it waits at the gate
 * @end_cost: its cost from the gate to its exit
 */
struct child {
	struct gate end;
	pid_t pid;
	int fd;
	uint64_t counts, end_cost;
};

/*
 * Fork a child, and wait until it waits at its gate. All children have the same counts, so a
 * child to which the program may not attach has the counts of any other child.
 */
static struct child child_new(void)
{
	struct child c = { .end = gate_new() };
	struct gate done = gate_new();
	struct script s = script_new();
	struct cost waiting;

	s.counts = true;
	script_rounds(&s, ROUNDS);
	script_call(&s, SYS_write, (script_word)done.out, P("!"), 1);
	waiting = script_gate_then(&s, c.end.in, true);
	script_exit(&s, 0);
	c.end_cost = s.cost.instructions - waiting.instructions;
	c.pid = child_fork();
	if (!c.pid)
		script_run(&s);
	gate_wait(&done);
	until_asleep((uint32_t)c.pid);
	return c;
}

static void child_hold(struct child *c)
{
	c->fd = hold(c->pid, 0);
	c->counts = read_scope(c->fd, VPMC_SCOPE_SELF).count[0];
	check(c->counts > ROUNDS, "%s: a child works: %llu", way->name,
	      (unsigned long long)c->counts);
}

/* Let the child exit, and wait until it is a zombie. */
static void child_end(struct child *c)
{
	siginfo_t info;

	gate_open(&c->end);
	if (waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
	c->counts += c->end_cost;
}

static void child_reap(const struct child *c)
{
	int status;

	check(waitpid(c->pid, &status, 0) == c->pid && !status, "%s: its end",
	      way->name);
}

static void check_counts(int fd, unsigned int scope, uint64_t count,
			 unsigned int revoked, const char *what)
{
	struct vpmc_read read = read_scope(fd, scope);

	check(read.count[0] == count && read.revoked == revoked &&
		      !read.other_events,
	      "%s, %s: %llu want %llu, %u revoked want %u", way->name, what,
	      read.count[0], (unsigned long long)count, read.revoked, revoked);
}

/* Check the next record. Records come in the order of the exits. */
static void check_record(int fd, pid_t pid, uint64_t count, bool shown)
{
	struct vpmc_record record = next_record(fd);
	bool revoked = record.what & VPMC_RECORD_REVOKED;
	uint64_t want = shown ? count : 0;

	check(record.pid == pid && record.count[0] == want &&
		      revoked == !shown && !record.tsc == revoked,
	      "%s: a record: %llu want %llu, flags %#x", way->name,
	      record.count[0], (unsigned long long)want, record.what);
}

/*
 * Check handles of @c, which still has all rights. Its parent had them too when it attached the
 * first handle.
 */
static void check_watches(const struct child *c)
{
	int again = attach(open_device(), c->pid, 0, NULL);
	int self = try_read(c->fd, VPMC_SCOPE_SELF);

	check(self == (way->shown ? 0 : -EPERM),
	      "%s: the handle of the child: errno %d", way->name, -self);
	check(again == (way->attaches ? 0 : -EPERM),
	      "%s: another one: errno %d", way->name, -again);
}

/**
 * struct viewer - a collected child of the process that has given up rights
 * @go: gate at which it waits before it reads ALL and exits
 * @pid: its process ID
 * @self: its own count
 * @all: the count that it reads in ALL
 * @revoked: the number of counts that are missing in @all
 */
struct viewer {
	struct gate go;
	pid_t pid;
	uint64_t self, all;
	unsigned int revoked;
};

static _Noreturn void view(int fd, struct viewer *v, const struct gate *ready)
{
	int own = open_device();
	struct vpmc_read all;

	check(!request(own, VPMC_STOP, stop_arg()), "%s: stop of a child",
	      way->name);
	v->self = read_scope(own, VPMC_SCOPE_SELF).count[0];
	gate_open(ready);
	gate_wait(&v->go);
	all = read_scope(fd, VPMC_SCOPE_ALL);
	v->all = all.count[0];
	v->revoked = all.revoked;
	_exit(0);
}

/* Fork a viewer, and wait until it has stopped its count. */
static struct viewer *viewer_new(int fd)
{
	struct viewer *v = shared(sizeof(*v));
	struct gate ready = gate_new();
	pid_t pid;

	v->go = gate_new();
	pid = child_fork();
	if (!pid)
		view(fd, v, &ready);
	v->pid = pid;
	gate_wait(&ready);
	return v;
}

/*
 * Let the viewer exit, and check its reading. It may see less than its parent, because the viewer
 * never had the rights that its parent had at the start.
 */
static void viewer_end(const struct viewer *v, uint64_t count,
		       unsigned int revoked)
{
	int status;

	gate_open(&v->go);
	if (waitpid(v->pid, &status, 0) != v->pid)
		err(2, "waitpid");
	check(!status && v->all == count && v->revoked == revoked,
	      "%s, ALL of the viewer: %llu want %llu, %u revoked want %u",
	      way->name, (unsigned long long)v->all, (unsigned long long)count,
	      v->revoked, revoked);
}

/*
 * Check that a child that is not collected can read ALL only if its parent may see everything in
 * it.
 */
static void check_outside(int fd)
{
	int *result = shared(sizeof(*result));
	pid_t pid = fork();

	if (!pid) {
		*result = try_read(fd, VPMC_SCOPE_ALL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	check(*result == (way->shown ? 0 : -EPERM),
	      "%s: ALL, by who is not collected: errno %d", way->name,
	      -*result);
}

static _Noreturn void execute(int fd)
{
	char number[16], handle[16];

	snprintf(number, sizeof(number), "%d", (int)(way - ways));
	snprintf(handle, sizeof(handle), "%d", fd);
	execl(path, "drop_privileges", "after", number, handle, (char *)NULL);
	err(2, "%s", path);
}

static void check_after(int fd, unsigned int scope, bool may, const char *what)
{
	struct vpmc_query query = { .size = sizeof(query), .scope = scope };
	int read = try_read(fd, scope), want = may ? 0 : -EPERM;
	int events = request(fd, VPMC_QUERY, &query);

	check(read == want && events == want,
	      "%s, after an exec: %s: errno %d and %d want %d", way->name, what,
	      -read, -events, -want);
}

/* Check the handle in the program that was executed after rights had been given up. */
static int be_program(int fd)
{
	check_after(fd, VPMC_SCOPE_SELF, way->self_after, "SELF");
	check_after(fd, VPMC_SCOPE_CHILDREN, way->self_after, "CHILDREN");
	check_after(fd, VPMC_SCOPE_ALL, way->all_after, "ALL");
	return check_status();
}

static void give_up(void)
{
	way->give_up();
	/* After this the process may attach to its children. */
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "PR_SET_DUMPABLE");
}

/*
 * End @c and check the counts. With @fold, @c is added to its parent at its exit, otherwise when
 * the parent waits for it.
 */
static void end_and_check(int fd, struct child *c, uint64_t others, bool shown)
{
	unsigned int hidden = !way->shown;
	uint64_t count;

	child_end(c);
	count = others + (shown ? c->counts : 0);
	if (fold)
		check_counts(fd, VPMC_SCOPE_CHILDREN, count, hidden,
			     "CHILDREN at the exit");
	child_reap(c);
	check_counts(fd, VPMC_SCOPE_CHILDREN, count, hidden, "CHILDREN");
	check_record(fd, c->pid, c->counts, way->shown);
}

static void test_way(void)
{
	struct vpmc_start *arg = start_arg(
		FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS | fold);
	int fd = dup(open_device());
	unsigned int hidden = !way->shown;
	struct child before, later;
	uint64_t self, seen;
	struct viewer *v;

	check(!request(fd, VPMC_START, arg), "%s: start", way->name);
	before = child_new();
	child_hold(&before);
	give_up();
	later = child_new();
	later.counts = before.counts;
	v = viewer_new(fd);
	check(!request(fd, VPMC_STOP, stop_arg()), "%s: stop", way->name);
	self = read_scope(fd, VPMC_SCOPE_SELF).count[0];

	check_watches(&before);
	check_outside(fd);
	seen = self + v->self + later.counts;
	if (way->shown)
		seen += before.counts;
	check_counts(fd, VPMC_SCOPE_ALL, seen, hidden, "ALL of the living");
	viewer_end(v, way->shown ? seen : v->self + later.counts, 2 * hidden);
	check_counts(fd, VPMC_SCOPE_ALL, seen, hidden, "ALL, one has exited");
	check_record(fd, v->pid, v->self, true);

	/*
	 * The counts of exited threads are one sum. From here on, the whole sum is hidden, because
	 * it contains counts that the process may not see.
	 */
	end_and_check(fd, &before, v->self, way->shown);
	seen = self + later.counts;
	if (way->shown)
		seen += v->self + before.counts;
	check_counts(fd, VPMC_SCOPE_ALL, seen, 2 * hidden, "ALL, two have");
	end_and_check(fd, &later, v->self + (way->shown ? before.counts : 0),
		      true);
	if (way->shown)
		seen += later.end_cost;
	else
		seen = self;
	check_counts(fd, VPMC_SCOPE_ALL, seen, 3 * hidden, "ALL, all have");
	execute(fd);
}

int main(int argc, char **argv)
{
	bool namespaces = argc > 1;
	unsigned int i;

	if (argc > 3) {
		way = &ways[strtol(argv[2], NULL, 10)];
		return be_program((int)strtol(argv[3], NULL, 10));
	}
	for (i = 0; i < NR_WAYS - !namespaces; i++) {
		way = &ways[i];
		fold = 0;
		run(test_way);
		fold = VPMC_START_FOLD;
		run(test_way);
	}
	return check_status();
}

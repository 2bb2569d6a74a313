// SPDX-License-Identifier: GPL-2.0-only
/*
 * inherit: test that a new process or thread counts exactly if its creator counts. It must count
 * the same events, from zero. Test each way to create a process or thread, with a creator that
 * counts, one that has stopped, one that waits for exec and one that has never started.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS 1000

/* These are the states of the creator. */
enum state { NEVER, ARMED, STOPPED, RUNNING, NR_STATES };

static const char *const state_names[] = { "never started", "waits for exec",
					   "stopped", "counts" };

/*
 * struct form - a way to create a process or a thread
 * @name: its name in messages
 * @call: function that appends the call to the creator's script
 * @flags: flags of the call, or the number of the system call for call_fork()
 */
struct form {
	const char *name;
	void (*call)(struct script *s, struct script *child, uint32_t flags,
		     uint32_t *tid);
	uint32_t flags;
};

static void call_fork(struct script *s, struct script *child, uint32_t flags,
		      uint32_t *tid)
{
	*tid = 0;
	script_fork(s, child, flags);
}

static void call_thread(struct script *s, struct script *child, uint32_t flags,
			uint32_t *tid)
{
	(void)flags;
	script_thread(s, child, tid);
}

static void call_clone3_thread(struct script *s, struct script *child,
			       uint32_t flags, uint32_t *tid)
{
	script_clone3(s, child, flags, &tid[0]);
	script_save(s, &tid[1]);
}

#define THREAD                                                              \
	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | \
	 CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)

static const struct form processes[] = {
	{ "fork", call_fork, SYS_fork },
	{ "vfork", call_fork, SYS_vfork },
	{ "clone as fork", script_clone, SIGCHLD },
	{ "clone without a signal", script_clone, 0 },
	{ "clone with another signal", script_clone, SIGURG },
	{ "clone VM", script_clone, CLONE_VM | SIGCHLD },
	{ "clone VM VFORK", script_clone, CLONE_VM | CLONE_VFORK | SIGCHLD },
	{ "clone VM SIGHAND", script_clone,
	  CLONE_VM | CLONE_SIGHAND | SIGCHLD },
	{ "clone VM FS FILES SIGHAND SYSVSEM", script_clone,
	  CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_SYSVSEM |
		  SIGCHLD },
	{ "clone FILES", script_clone, CLONE_FILES | SIGCHLD },
	{ "clone FS", script_clone, CLONE_FS | SIGCHLD },
	{ "clone UNTRACED", script_clone, CLONE_UNTRACED | SIGCHLD },
	{ "clone SETTID CLEARTID", script_clone,
	  CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID |
		  SIGCHLD },
	{ "clone PIDFD", script_clone, CLONE_PIDFD | SIGCHLD },
	{ "clone3", script_clone3, SIGCHLD },
	{ "clone3 VM VFORK", script_clone3, CLONE_VM | CLONE_VFORK | SIGCHLD },
	{ "clone3 VM FILES", script_clone3, CLONE_VM | CLONE_FILES | SIGCHLD },
};

static const struct form threads[] = {
	{ "clone THREAD", call_thread, 0 },
	{ "clone3 THREAD", call_clone3_thread, THREAD },
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* These are the current form, and the current state of the creator. */
static const struct form *form;
static enum state state;

/*
 * struct creation - a creator and its child, which is a process or a thread
 * @fd: the creator's handle
 * @other: a handle that is not bound to any process
 * @start, @stop: the arguments of the creator
 * @creator, @child: their scripts
 * @read: the counts that the child reads of itself
 * @result: the result of that read
 * @at_read: the counts that @read must have
 */
struct creation {
	int fd, other;
	struct vpmc_start *start;
	struct vpmc_stop *stop;
	struct script creator, child;
	struct vpmc_read *read;
	uint32_t *result;
	struct cost at_read;
};

static void begin_creator(struct creation *c)
{
	struct script *s = &c->creator;

	c->fd = open_device();
	c->other = open_device();
	c->creator = script_new();
	c->child = script_new();
	c->start = start_arg(FIRST, state == ARMED ? VPMC_START_AT_EXEC : 0);
	c->stop = stop_arg();
	if (state != NEVER)
		script_start(s, c->fd, c->start);
	if (state == STOPPED)
		script_stop(s, c->fd, c->stop);
	script_rounds(s, ROUNDS / 10);
}

static void end_creator(struct creation *c)
{
	if (state == RUNNING)
		script_stop(&c->creator, c->fd, c->stop);
	script_back(&c->creator);
	script_run(&c->creator);
}

/* Complete the child's script. Call this after the creator's script has created the child. */
static void make_child(struct creation *c, unsigned int scope)
{
	c->read = read_arg(scope);
	c->result = shared(sizeof(*c->result));
	script_rounds(&c->child, ROUNDS);
	c->at_read = script_read(&c->child, c->other, c->read);
	script_save(&c->child, c->result);
	script_rounds(&c->child, ROUNDS);
	script_exit(&c->child, 0);
}

static void check_child(const struct creation *c)
{
	if (state != RUNNING) {
		check((int)*c->result == -ENODATA, "%s, %s: does not count",
		      form->name, state_names[state]);
		return;
	}
	check(!*c->result, "%s: the new one counts", form->name);
	check_read(c->read, c->at_read, 0, "from its own zero");
	check(c->read->state == VPMC_STATE_RUNNING && c->read->tsc,
	      "it reads that it runs");
}

/* Check SELF of the creator. */
static void check_creator(const struct creation *c, struct cost want)
{
	struct vpmc_read self;

	if (state == NEVER)
		return;
	self = read_scope(c->fd, VPMC_SCOPE_SELF);
	check_read(&self, want, 0, "SELF of the creator");
	check(self.generation == c->start->generation,
	      "its generation is the start's");
}

static void test_process(void)
{
	struct vpmc_read children;
	struct creation c = {};
	uint32_t *tid = shared(2 * sizeof(*tid));

	begin_creator(&c);
	form->call(&c.creator, &c.child, form->flags, tid);
	make_child(&c, VPMC_SCOPE_SELF);
	script_wait(&c.creator);
	end_creator(&c);

	check_child(&c);
	check_creator(&c, c.creator.cost);
	if (state == NEVER)
		return;
	children = read_scope(c.fd, VPMC_SCOPE_CHILDREN);
	check_read(&children, c.child.cost, 0, "CHILDREN of the creator");
	if (state == RUNNING)
		check(c.read->generation &&
			      c.read->generation != children.generation,
		      "the new process has its own generation");
}

static void test_thread(void)
{
	struct creation c = {};
	uint32_t *tid = shared(2 * sizeof(*tid));

	begin_creator(&c);
	form->call(&c.creator, &c.child, form->flags, tid);
	make_child(&c, VPMC_SCOPE_THREAD);
	script_join(&c.creator, tid);
	end_creator(&c);

	check_child(&c);
	check_creator(&c, cost_add(c.creator.cost, c.child.cost));
	if (state == NEVER)
		return;
	check_scope(c.fd, VPMC_SCOPE_THREAD, c.creator.cost, 0,
		    "THREAD of the creator");
	check_scope(c.fd, VPMC_SCOPE_CHILDREN, (struct cost){}, 0,
		    "a thread is no child");
	if (state == RUNNING)
		check(c.read->generation == c.start->generation,
		      "the new thread has its process's generation");
}

/* Test a thread that is created by another thread than the leader. */
static void test_thread_of_thread(void)
{
	struct script inner = script_new();
	struct creation c = {};
	uint32_t *tid = shared(4 * sizeof(*tid));
	struct cost self;

	begin_creator(&c);
	script_thread(&c.creator, &inner, tid);
	script_rounds(&inner, ROUNDS);
	call_thread(&inner, &c.child, 0, tid + 2);
	make_child(&c, VPMC_SCOPE_THREAD);
	script_join(&inner, tid + 2);
	script_exit(&inner, 0);
	script_join(&c.creator, tid);
	end_creator(&c);

	check_child(&c);
	self = cost_add(c.creator.cost, inner.cost);
	check_creator(&c, cost_add(self, c.child.cost));
}

/* Test a process that is forked by another thread than the leader. */
static void test_fork_of_thread(void)
{
	struct script inner = script_new();
	struct creation c = {};
	uint32_t *tid = shared(2 * sizeof(*tid));

	begin_creator(&c);
	script_thread(&c.creator, &inner, tid);
	script_fork(&inner, &c.child, SYS_fork);
	make_child(&c, VPMC_SCOPE_SELF);
	script_exit(&inner, 0);
	script_join(&c.creator, tid);
	script_wait(&c.creator);
	end_creator(&c);

	check_child(&c);
	check_creator(&c, cost_add(c.creator.cost, inner.cost));
	if (state != NEVER)
		check_scope(c.fd, VPMC_SCOPE_CHILDREN, c.child.cost, 0,
			    "a thread's child is the process's");
}

/*
 * Test a process of two threads that both fork. One of them counts, and the other one has stopped.
 */
static void test_half_stopped(void)
{
	struct script thread = script_new(), of_thread = script_new();
	struct creation c = {};
	uint32_t *tid = shared(2 * sizeof(*tid));

	begin_creator(&c);
	script_thread(&c.creator, &thread, tid);
	script_stop(&thread, c.fd, stop_arg());
	script_fork(&thread, &of_thread, SYS_fork);
	script_rounds(&of_thread, ROUNDS);
	script_exit(&of_thread, 0);
	script_exit(&thread, 0);
	script_join(&c.creator, tid);
	script_fork(&c.creator, &c.child, SYS_fork);
	make_child(&c, VPMC_SCOPE_SELF);
	script_wait(&c.creator);
	script_wait(&c.creator);
	end_creator(&c);

	check_child(&c);
	check_creator(&c, cost_add(c.creator.cost, thread.cost));
	check_scope(c.fd, VPMC_SCOPE_CHILDREN, c.child.cost, 0,
		    "only the counting thread's child counts");
}

/* Test CLONE_PARENT, with which the creator's parent reaps the child. */
static void test_clone_parent(void)
{
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct creation c = {};
	unsigned int n = 0;
	pid_t pid = child_fork();

	begin_creator(&c);
	script_clone(&c.creator, &c.child, CLONE_PARENT | SIGCHLD, tid);
	make_child(&c, VPMC_SCOPE_SELF);
	if (!pid) {
		end_creator(&c);
		check_scope(c.fd, VPMC_SCOPE_CHILDREN, (struct cost){}, 0,
			    "CLONE_PARENT: a sibling is no child");
		exit(check_status());
	}
	/*
	 * The script runs in the other process. Complete it here too, because its cost is needed.
	 */
	script_stop(&c.creator, c.fd, c.stop);
	while (waitpid(-1, NULL, 0) > 0)
		n++;
	check(n == 2, "CLONE_PARENT: two children");
	check_scope(c.other, VPMC_SCOPE_CHILDREN,
		    cost_add(c.creator.cost, c.child.cost), 0,
		    "both are the parent's");
}

/* Test twenty generations of children. Each parent waits for its child. */
static void test_generations(void)
{
	enum { DEPTH = 20 };
	static struct script scripts[DEPTH];
	struct cost sum = {};
	struct creation c = {};
	int i;

	begin_creator(&c);
	for (i = 0; i < DEPTH; i++)
		scripts[i] = script_new();
	script_fork(&c.creator, &scripts[0], SYS_fork);
	script_wait(&c.creator);
	for (i = 0; i < DEPTH; i++) {
		script_rounds(&scripts[i], ROUNDS + (unsigned int)i);
		if (i + 1 < DEPTH) {
			script_fork(&scripts[i], &scripts[i + 1], SYS_fork);
			script_wait(&scripts[i]);
		}
		script_exit(&scripts[i], 0);
		sum = cost_add(sum, scripts[i].cost);
	}
	end_creator(&c);
	check_creator(&c, c.creator.cost);
	check_scope(c.fd, VPMC_SCOPE_CHILDREN, sum, 0,
		    "CHILDREN has twenty generations");
}

/*
 * Return the error for a thread with CLONE_PIDFD. Linux before 6.9 does not allow pidfds of
 * threads, and does not begin to create such a thread.
 */
static int thread_error(void)
{
	unsigned long major, minor;
	struct utsname kernel;
	char *end;

	if (uname(&kernel))
		err(2, "uname");
	major = strtoul(kernel.release, &end, 10);
	minor = strtoul(end + 1, NULL, 10);
	return major > 6 || (major == 6 && minor >= 9) ? -EFAULT : -EINVAL;
}

/*
 * Test a creation that fails because the address of the pidfd is invalid. The creator goes on
 * counting, and no other process is collected.
 */
static void test_failed(void)
{
	static const uint32_t flags[] = { SIGCHLD, THREAD };
	uint32_t *result = shared(2 * sizeof(*result));
	struct family f = family_new();
	struct script child = script_new();
	struct vpmc_record record = { .size = sizeof(record) };
	struct vpmc_read all;
	int i;

	f.start->flags = VPMC_START_COLLECT | VPMC_START_RECORDS;
	script_exit(&child, 0);
	for (i = 0; i < 2; i++) {
		script_call(&f.parent, SYS_clone,
			    CLONE_PIDFD |
				    (flags[i] & ~(uint32_t)CLONE_PARENT_SETTID),
			    P(child.start), 4);
		script_save(&f.parent, &result[i]);
	}
	family_run(&f);
	check((int)result[0] == -EFAULT && (int)result[1] == thread_error(),
	      "neither process nor thread: %d %d", (int)result[0],
	      (int)result[1]);
	family_check(&f, (struct cost){}, 0, "there is no child");
	all = read_scope(f.fd, VPMC_SCOPE_ALL);
	check_read(&all, f.parent.cost, 0, "there is nobody else");
	check(all.running == 1, "one process runs");
	check(request(f.fd, VPMC_RECORD, &record) == -ENODATA,
	      "there is no record");
}

/* Test that a stop of a child does not stop its parent. */
static void test_independent(void)
{
	struct creation c = {};

	begin_creator(&c);
	script_fork(&c.creator, &c.child, SYS_fork);
	script_rounds(&c.child, ROUNDS);
	script_stop(&c.child, c.other, c.stop);
	script_rounds(&c.child, ROUNDS);
	script_exit(&c.child, 0);
	script_wait(&c.creator);
	script_rounds(&c.creator, ROUNDS);
	end_creator(&c);
	check_creator(&c, c.creator.cost);
	check_scope(c.fd, VPMC_SCOPE_CHILDREN, c.child.cost, 0,
		    "a child's stop is its own");
}

int main(void)
{
	size_t i;

	for (state = 0; state < NR_STATES; state++) {
		for (i = 0; i < NR(processes); i++) {
			form = &processes[i];
			run(test_process);
		}
		for (i = 0; i < NR(threads); i++) {
			form = &threads[i];
			run(test_thread);
		}
		form = &(struct form){ "thread of a thread", NULL, 0 };
		run(test_thread_of_thread);
		form = &(struct form){ "fork of a thread", NULL, 0 };
		run(test_fork_of_thread);
	}
	state = RUNNING;
	form = &(struct form){ "fork beside a stopped thread", NULL, 0 };
	run(test_half_stopped);
	run(test_clone_parent);
	run(test_generations);
	run(test_failed);
	run(test_independent);
	return check_status();
}

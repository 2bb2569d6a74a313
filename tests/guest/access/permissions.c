// SPDX-License-Identifier: GPL-2.0-only
/*
 * permissions: test each row of the table of permissions in vpmc(7), in a task that has the right
 * and in a task that lacks it. In the second case the call must change nothing.
 * The test "raise" covers programs that gain rights.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define NOBODY	   65534
#define OTHER_USER 1000
#define ROOT	   0
#define NEITHER	   "=ep cap_perfmon,cap_sys_admin-ep"

/**
 * struct caller - a process that makes the calls
 * @name: name of the caller in messages
 * @has: its capabilities, as cap_from_text(3) has them
 * @user: its user and group
 * @watches: whether it may count more than its own user mode
 */
struct caller {
	const char *name;
	const char *has;
	uid_t user;
	bool watches;
};

static const struct caller callers[] = {
	{ "nobody", "=", NOBODY, false },
	{ "nobody with CAP_PERFMON", "cap_perfmon=ep", NOBODY, true },
	{ "nobody with CAP_SYS_ADMIN", "cap_sys_admin=ep", NOBODY, true },
	{ "nobody with all the others", NEITHER, NOBODY, false },
	{ "nobody with both, not effective", "cap_perfmon,cap_sys_admin=p",
	  NOBODY, false },
	{ "nobody with both to inherit", "cap_perfmon,cap_sys_admin=i", NOBODY,
	  false },
	{ "root", "=ep", ROOT, true },
	{ "root with CAP_PERFMON alone", "cap_perfmon=ep", ROOT, true },
	{ "root with all the others", NEITHER, ROOT, false },
	{ "root with nothing", "=", ROOT, false },
};

/**
 * struct attempt - a start of the caller's own counts
 * @name: name of the start
 * @flags: flags of the start
 * @modes: modes of its two events
 */
struct attempt {
	const char *name;
	unsigned int flags;
	unsigned short modes[2];
};

#define U VPMC_MODE_USER
#define K VPMC_MODE_KERNEL

static const struct attempt attempts[] = {
	{ "user mode", 0, { U, U } },
	{ "user mode at exec", VPMC_START_AT_EXEC, { U, U } },
	{ "user mode, collected", VPMC_START_COLLECT, { U, U } },
	{ "kernel mode", 0, { K, K } },
	{ "kernel mode too", 0, { U | K, U | K } },
	{ "kernel mode of one event", 0, { U, K } },
	{ "kernel mode at exec", VPMC_START_AT_EXEC, { U | K, U | K } },
	{ "kernel mode, collected", VPMC_START_COLLECT, { K, U } },
};

/* The caller and the start of the current test. */
static const struct caller *caller;
static const struct attempt *attempt;
static int parameter;
static bool restricted;

static void become(uid_t user, const char *has)
{
	cap_t own, wanted = cap_from_text(has);

	if (!wanted)
		err(2, "%s", has);
	if (user != ROOT && (cap_setgroups(user, 0, NULL) || cap_setuid(user)))
		err(2, "user %u", (unsigned int)user);
	if (cap_set_proc(wanted))
		err(2, "%s", has);
	own = cap_get_proc();
	if (!own || cap_compare(own, wanted))
		err(2, "%s was not set", has);
	cap_free(own);
	cap_free(wanted);
}

/*
 * Write to the driver's parameter "restricted", which was opened before the process gave up its
 * rights.
 */
static void restrict_to_capable(bool on)
{
	if (pwrite(parameter, on ? "1" : "0", 1, 0) != 1)
		err(2, "restricted");
	restricted = on;
}

static int start_own(int fd, const struct attempt *a)
{
	struct vpmc_start *start = start_arg(FIRST, a->flags);

	start->nr_events = modes_here();
	start->event[0].modes = a->modes[0];
	start->event[1].modes = a->modes[1];
	return request(fd, VPMC_START, start);
}

static struct vpmc_read state_of(int fd)
{
	return read_scope(fd, VPMC_SCOPE_SELF);
}

/* Check that the calling process has never counted, and that the handle is not bound. */
static void check_untouched(int fd)
{
	struct vpmc_info info = { .size = sizeof(info) };

	check(!request(fd, VPMC_INFO, &info) && !info.generation &&
		      !info.system &&
		      request(fd, VPMC_READ, read_arg(0)) == -ENODATA &&
		      request(fd, VPMC_STOP, stop_arg()) == -ENODATA,
	      "nothing has started");
}

static void test_start(void)
{
	bool kernel = (attempt->modes[0] | attempt->modes[1]) & K;
	int want = (kernel || restricted) && !caller->watches ? -EPERM : 0;
	int fd = open_device(), result;

	become(caller->user, caller->has);
	result = start_own(fd, attempt);
	check(result == want, "%s%s, %s: errno %d want %d",
	      restricted ? "restricted, " : "", caller->name, attempt->name,
	      -result, -want);
	if (want)
		check_untouched(fd);
	else
		check(!request(fd, VPMC_STOP, stop_arg()), "stop");
}

/* Test that the parameter affects only starts. Existing counts can still be stopped and read. */
static void test_restricted_meanwhile(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_RESUME);
	int fd = open_device();
	struct vpmc_read before, after;

	become(ROOT, "=");
	check(!request(fd, VPMC_START, start_arg(FIRST, 0)), "start");
	restrict_to_capable(true);
	check(!request(fd, VPMC_STOP, stop_arg()), "restricted, stop");
	before = state_of(fd);
	check(request(fd, VPMC_START, start) == -EPERM, "restricted, resume");
	after = state_of(fd);
	check(!memcmp(&before, &after, sizeof(before)) &&
		      after.state == VPMC_STATE_STOPPED,
	      "it has changed nothing");
	restrict_to_capable(false);
	check(!request(fd, VPMC_START, start), "resume");
}

/*
 * Test a start of system mode while a count is running, which loses its counters if the start
 * succeeds.
 */
static void test_system_start(void)
{
	int fd = open_device(), own = open_device(), result, want;
	struct vpmc_read before, after;

	become(caller->user, caller->has);
	check(!request(own, VPMC_START, start_arg(FIRST, 0)), "start");
	before = state_of(own);
	result = request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0));
	want = caller->watches ? -EBUSY : -EPERM;
	check(result == want, "%s, system mode: errno %d want %d", caller->name,
	      -result, -want);
	result = request(fd, VPMC_SYSTEM_START,
			 start_arg(FIRST, VPMC_START_FORCE));
	want = caller->watches ? 0 : -EPERM;
	check(result == want, "%s, by force: errno %d want %d", caller->name,
	      -result, -want);
	check(in_system_mode() == caller->watches, "system mode");
	after = state_of(own);
	if (caller->watches)
		check(after.state == VPMC_STATE_REVOKED &&
			      after.generation != before.generation,
		      "the thread has lost the counters");
	else
		check(after.state == VPMC_STATE_RUNNING &&
			      after.generation == before.generation,
		      "the thread counts on");
}

/* Test that calls for system mode need a capability even with the handle that owns system mode. */
static void test_system_owner(void)
{
	int fd = open_device(), want = caller->watches ? 0 : -EPERM, result;

	check(!request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)), "start");
	become(caller->user, caller->has);
	result = request(fd, VPMC_SYSTEM_READ, system_read_arg(VPMC_ALL_CPUS));
	check(result == want, "%s, read of system mode: errno %d want %d",
	      caller->name, -result, -want);
	result = request(fd, VPMC_SYSTEM_START, start_arg(OTHER, 0));
	check(result == want, "%s, start again: errno %d want %d", caller->name,
	      -result, -want);
	result = request(fd, VPMC_SYSTEM_STOP, stop_arg());
	check(result == want, "%s, stop of system mode: errno %d want %d",
	      caller->name, -result, -want);
	check(in_system_mode() == !caller->watches, "system mode");
}

/**
 * struct pair - a process that attaches to another process
 * @name: name of the pair in messages
 * @has: capabilities of the process that attaches
 * @target_has: capabilities of the target
 * @user: user of the process that attaches
 * @target_user: user of the target
 * @dumpable: true if the target may be watched (PR_SET_DUMPABLE)
 * @may: whether the first process may trace the target: see "Ptrace access mode checking" in
 *	ptrace(2)
 * @watches: as in struct caller
 */
struct pair {
	const char *name, *has, *target_has;
	uid_t user, target_user;
	bool dumpable, may, watches;
};

#define SOME "cap_net_raw=ep"

static const struct pair pairs[] = {
	{ "same user", "=", "=", NOBODY, NOBODY, true, true, false },
	{ "other user", "=", "=", OTHER_USER, NOBODY, true, false, false },
	{ "to root", "=", "=", NOBODY, ROOT, true, false, false },
	{ "root without capabilities", "=", "=", ROOT, NOBODY, true, false,
	  false },
	{ "root to root without capabilities", "=", "=", ROOT, ROOT, true, true,
	  false },
	{ "root", "=ep", "=", ROOT, NOBODY, true, true, true },
	{ "other user with CAP_SYS_PTRACE", "cap_sys_ptrace=ep", "=",
	  OTHER_USER, NOBODY, true, true, false },
	{ "other user with CAP_PERFMON", "cap_perfmon=ep", "=", OTHER_USER,
	  NOBODY, true, false, true },
	{ "other user with CAP_SYS_ADMIN", "cap_sys_admin=ep", "=", OTHER_USER,
	  NOBODY, true, false, true },
	{ "other user with all but CAP_SYS_PTRACE", "=ep cap_sys_ptrace-ep",
	  "=", OTHER_USER, NOBODY, true, false, true },
	{ "same user with CAP_PERFMON", "cap_perfmon=ep", "=", NOBODY, NOBODY,
	  true, true, true },
	{ "to one that may not be looked at", "=", "=", NOBODY, NOBODY, false,
	  false, false },
	{ "to such a one with CAP_PERFMON", "cap_perfmon=ep", "=", NOBODY,
	  NOBODY, false, false, true },
	{ "to such a one with CAP_SYS_PTRACE", "cap_sys_ptrace=ep", "=", NOBODY,
	  NOBODY, false, true, false },
	{ "to one with more capabilities", "=", SOME, NOBODY, NOBODY, true,
	  false, false },
	{ "to one with CAP_PERFMON", "=", "cap_perfmon=ep", NOBODY, NOBODY,
	  true, false, false },
	{ "to one with the same capabilities", SOME, SOME, NOBODY, NOBODY, true,
	  true, false },
};

/* This is the pair of the current test. */
static const struct pair *pair;

/**
 * struct target - a process that waits to be attached to
 * @pid: its process ID
 * @ask: pipe for requests to the target
 * @done: pipe for its answers: it is ready, or has executed a request
 */
struct target {
	pid_t pid;
	struct gate ask, done;
};

/* The requests to a target. The target exits when their pipe is closed. */
enum wish { BE_SECRET, BE_OPEN };

static void set_dumpable(bool on)
{
	if (prctl(PR_SET_DUMPABLE, on))
		err(2, "PR_SET_DUMPABLE");
}

static _Noreturn void be_target(const struct target *t, uid_t user,
				const char *has, bool dumpable)
{
	unsigned char wish;

	close(t->ask.out);
	become(user, has);
	set_dumpable(dumpable);
	gate_open(&t->done);
	while (read(t->ask.in, &wish, 1) == 1) {
		set_dumpable(wish == BE_OPEN);
		gate_open(&t->done);
	}
	_exit(0);
}

static void until_done(const struct target *t)
{
	gate_wait(&t->done);
}

static struct target target_new(uid_t user, const char *has, bool dumpable)
{
	struct target t = { .ask = gate_new(), .done = gate_new() };

	t.pid = child_fork();
	if (!t.pid)
		be_target(&t, user, has, dumpable);
	until_done(&t);
	return t;
}

static void target_ask(const struct target *t, enum wish wish)
{
	unsigned char byte = wish;

	if (write(t->ask.out, &byte, 1) != 1)
		err(2, "target");
	until_done(t);
}

static void target_end(const struct target *t)
{
	int status;

	close(t->ask.out);
	if (waitpid(t->pid, &status, 0) != t->pid || status)
		err(2, "target's end");
}

static int attach(int fd, int id, unsigned int flags)
{
	struct vpmc_attach attach = { .size = sizeof(attach),
				      .flags = flags,
				      .id = id };

	return request(fd, VPMC_ATTACH, &attach);
}

/* Return the generation, which is zero if the caller may not read the counts. */
static uint64_t generation_of(int fd)
{
	struct vpmc_info info = { .size = sizeof(info) };

	check(!request(fd, VPMC_INFO, &info), "info");
	return info.generation;
}

/*
 * Return whether the caller sees counts from the time before the target changes whether it can be
 * watched.
 */
static bool pair_sees(void)
{
	return pair->watches || (pair->may && pair->dumpable);
}

static void check_state(int fd, bool sees, enum vpmc_state state,
			const char *who)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_SELF);
	int want = sees ? 0 : -EPERM;
	int result = request(fd, VPMC_READ, read);

	check(result == want && (!sees || read->state == state),
	      "%s, read: errno %d want %d, state %u want %u", who, -result,
	      -want, read->state, state);
}

/* Check a start of kernel mode, with a count of user mode in state @state. */
static void check_kernel_start(int fd, unsigned int flags,
			       enum vpmc_state state)
{
	struct vpmc_start *start = start_arg(FIRST, flags);
	int want = pair->watches ? 0 : -EPERM, result;
	uint64_t before = generation_of(fd);

	start->nr_events = modes_here();
	start->event[1].modes = K;
	result = request(fd, VPMC_START, start);
	check(result == want, "%s, kernel mode of it: errno %d want %d",
	      pair->name, -result, -want);
	check((generation_of(fd) == before) == !pair->watches,
	      "the generation");
	if (!pair->watches)
		check_state(fd, pair_sees(), state, pair->name);
}

static void check_control(int fd)
{
	int want = pair->watches ? 0 : -EPERM, result;

	check(!request(fd, VPMC_START, start_arg(FIRST, 0)), "%s, start",
	      pair->name);
	check_state(fd, pair_sees(), VPMC_STATE_RUNNING, pair->name);
	check_kernel_start(fd, VPMC_START_FORCE, VPMC_STATE_RUNNING);
	check(!request(fd, VPMC_STOP, stop_arg()), "%s, stop", pair->name);
	check_state(fd, pair_sees(), VPMC_STATE_STOPPED, pair->name);
	check_kernel_start(fd, 0, VPMC_STATE_STOPPED);
	request(fd, VPMC_STOP, stop_arg());

	restrict_to_capable(true);
	result = request(fd, VPMC_START, start_arg(FIRST, 0));
	check(result == want, "restricted, %s, start: errno %d want %d",
	      pair->name, -result, -want);
	restrict_to_capable(false);
}

/* Test that the same rule holds for attaching to a process ID, a thread and a pidfd. */
static void test_attach(void)
{
	struct target t =
		target_new(pair->target_user, pair->target_has, pair->dumpable);
	int pidfd = (int)syscall(SYS_pidfd_open, t.pid, 0);
	int want = pair->may ? 0 : -EPERM;
	int by_pid = open_device(), thread = open_device(), fd = open_device();
	int result;

	become(pair->user, pair->has);
	result = attach(by_pid, t.pid, 0);
	check(result == want, "%s: errno %d want %d", pair->name, -result,
	      -want);
	result = attach(thread, t.pid, VPMC_ATTACH_THREAD);
	check(result == want, "%s, thread: errno %d want %d", pair->name,
	      -result, -want);
	result = attach(fd, pidfd, VPMC_ATTACH_PIDFD);
	check(result == want, "%s, pidfd: errno %d want %d", pair->name,
	      -result, -want);
	if (pair->may)
		check_control(fd);
	else
		check_untouched(by_pid);
	close(t.ask.out);
}

/*
 * Check that a caller that may not read stopped counts does not learn their generation. It must not
 * learn their events by attempts to resume either.
 */
static void check_stopped(int fd, const struct vpmc_stop *stop, const char *who,
			  bool sees)
{
	int wrong, right;

	check(!!stop->generation == sees && !!stop->start == sees,
	      "%s, stop: generation %llu", who, stop->generation);
	wrong = request(fd, VPMC_START, start_arg(OTHER, VPMC_START_RESUME));
	right = request(fd, VPMC_START, start_arg(FIRST, VPMC_START_RESUME));
	check(wrong == (sees ? -EINVAL : -EPERM) &&
		      right == (sees ? 0 : -EPERM),
	      "%s, resume: errno %d and %d", who, -wrong, -right);
}

/*
 * Stop and start a target that is counting. If @may is false, both calls must fail and the target
 * must continue. @sees is true if the caller may read the counts.
 */
static void check_stop_and_start(int fd, const char *who, bool may, bool sees)
{
	struct vpmc_start *force = start_arg(OTHER, VPMC_START_FORCE);
	struct vpmc_stop *stop = stop_arg();
	uint64_t before = generation_of(fd), after;
	int want = may ? 0 : -EPERM, result;

	result = request(fd, VPMC_STOP, stop);
	check(result == want, "%s, stop: errno %d want %d", who, -result,
	      -want);
	if (may)
		check_stopped(fd, stop, who, sees);
	result = request(fd, VPMC_START, force);
	check(result == want, "%s, start by force: errno %d want %d", who,
	      -result, -want);
	after = generation_of(fd);
	check(sees ? (after == before) == !may : !after, "it counts%s: %llu",
	      may ? " again" : " on", (unsigned long long)after);
	check(!may || (force->generation > before &&
		       (!sees || force->generation == after)),
	      "the start tells its generation");
	check_state(fd, sees, VPMC_STATE_RUNNING, who);
}

/*
 * Test that the right to control depends on the caller, and not on the process that has attached.
 */
static void test_handed_over(void)
{
	struct target t =
		target_new(pair->target_user, pair->target_has, pair->dumpable);
	int fd = open_device();

	check(!attach(fd, t.pid, 0) &&
		      !request(fd, VPMC_START, start_arg(FIRST, 0)),
	      "root attaches and starts");
	become(pair->user, pair->has);
	check_stop_and_start(fd, pair->name, pair->may, pair_sees());
	close(t.ask.out);
}

/* Test that the right is checked at each call. */
static void test_rights_lost(void)
{
	struct target t = target_new(NOBODY, "=", true);
	int fd = open_device();

	become(NOBODY, "=");
	check(!attach(fd, t.pid, 0) &&
		      !request(fd, VPMC_START, start_arg(FIRST, 0)),
	      "attach and start");
	target_ask(&t, BE_SECRET);
	check_stop_and_start(fd, "it must not be looked at any more", false,
			     true);
	target_ask(&t, BE_OPEN);
	check_stop_and_start(fd, "it may be looked at again", true, true);
	target_end(&t);
	check(request(fd, VPMC_START, start_arg(FIRST, 0)) == -ESRCH,
	      "it is gone");
}

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static void try_attempts(void)
{
	size_t i;

	for (i = 0; i < LENGTH(attempts); i++) {
		attempt = &attempts[i];
		run(test_start);
	}
}

static void try_callers(void)
{
	size_t i;

	for (i = 0; i < LENGTH(callers); i++) {
		caller = &callers[i];
		try_attempts();
		restrict_to_capable(true);
		try_attempts();
		restrict_to_capable(false);
		run(test_system_start);
		run(test_system_owner);
	}
}

static void try_pairs(void)
{
	size_t i;

	for (i = 0; i < LENGTH(pairs); i++) {
		pair = &pairs[i];
		run(test_attach);
		run(test_handed_over);
	}
}

int main(void)
{
	parameter = open("/sys/module/vpmc/parameters/restricted",
			 O_WRONLY | O_CLOEXEC);
	if (parameter < 0)
		err(2, "restricted");
	try_callers();
	run(test_restricted_meanwhile);
	try_pairs();
	run(test_rights_lost);
	return check_status();
}

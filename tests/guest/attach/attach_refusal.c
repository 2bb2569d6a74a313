// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_refusal: test that impossible attachments and starts are refused with the right error, and
 * that a refusal changes nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000

static int pidfd_of(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static void refuse(int id, unsigned int flags, int want, const char *what)
{
	int fd = open_device();
	int result = attach(fd, id, flags, NULL);

	check(result == want, "%s: errno %d want %d", what, -result, -want);
	/* The handle must still be unbound. */
	check(try_read(fd, VPMC_SCOPE_SELF) == -ENODATA &&
		      !attach(fd, getpid(), 0, NULL),
	      "%s: the handle is unbound as before", what);
	close(fd);
}

/* Return the process ID of a process that has exited. */
static pid_t nobody(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static void test_ids(void)
{
	static const int none[] = { 0, -1, INT_MIN, INT_MAX };
	pid_t gone = nobody();
	unsigned int flags;
	size_t i;

	for (flags = 0; flags <= VPMC_ATTACH_THREAD; flags++) {
		for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
			refuse(none[i], flags, -ESRCH, "no process");
		refuse(-getpid(), flags, -ESRCH, "a process group");
		refuse(gone, flags, -ESRCH, "a process that is gone");
	}
}

/* Test that the ID of a thread that is not the first one is not accepted as a process ID. */
static void test_thread_number(void)
{
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct target t = target_new();
	struct script thread = script_new();

	script_thread(&t.script, &thread, tid);
	target_gate(&t, false);
	script_exit(&t.script, 0);
	script_last(&thread, SYS_pause);
	target_create(&t);
	refuse((int)tid[1], 0, -ESRCH, "a thread's number");
	close(hold((int)tid[1], VPMC_ATTACH_THREAD));
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

static void test_descriptors(void)
{
	int file = open("/", O_RDONLY | O_CLOEXEC), pidfd;
	unsigned int thread;
	pid_t pid;

	for (thread = 0; thread <= VPMC_ATTACH_THREAD; thread++) {
		unsigned int flags = VPMC_ATTACH_PIDFD | thread;

		refuse(-1, flags, -EBADF, "no descriptor");
		refuse(1000, flags, -EBADF, "no open descriptor");
		refuse(INT_MAX, flags, -EBADF, "no possible descriptor");
		refuse(file, flags, -EBADF, "a descriptor of a directory");
		refuse(open_device(), flags, -EBADF,
		       "a descriptor of a handle");
		pid = fork();
		if (!pid)
			_exit(0);
		pidfd = pidfd_of(pid);
		waitpid(pid, NULL, 0);
		refuse(pidfd, flags, -ESRCH, "a descriptor of who is gone");
	}
}

static void test_flags(void)
{
	unsigned int bit;

	for (bit = 2; bit < 32; bit++)
		refuse(getpid(), 1U << bit, -EINVAL, "an unknown flag");
}

/* Test sizes of the structure. */
static void test_sizes(void)
{
	struct {
		struct vpmc_attach arg;
		uint32_t more;
	} longer = { .arg = { .size = sizeof(longer), .id = getpid() } };
	struct vpmc_attach arg = { .size = sizeof(arg) - 1, .id = getpid() };
	int fd = open_device();

	check(request(fd, VPMC_ATTACH, &arg) == -EINVAL, "too short: EINVAL");
	arg = (struct vpmc_attach){ .size = sizeof(arg),
				    .id = getpid(),
				    .pad = 1 };
	check(request(fd, VPMC_ATTACH, &arg) == -EINVAL, "pad: EINVAL");
	check(request(fd, VPMC_ATTACH, NULL) == -EFAULT, "nowhere: EFAULT");
	longer.more = 1;
	check(request(fd, VPMC_ATTACH, &longer) == -E2BIG, "longer: E2BIG");
	longer.more = 0;
	check(!request(fd, VPMC_ATTACH, &longer), "longer by zeroes");
}

/* Check that calls for the calling thread are refused on an attached handle. */
static void check_not_own(int fd, const char *what)
{
	struct vpmc_signal signal = { .size = sizeof(signal) };
	struct vpmc_map map = { .size = sizeof(map) };
	int result = request(fd, VPMC_MAP, &map);

	check(result == -EXDEV, "map on %s: %d want %d", what, result, -EXDEV);
	result = request(fd, VPMC_SIGNAL, &signal);
	check(result == -EXDEV, "signals on %s: %d want %d", what, result,
	      -EXDEV);
}

static void test_not_own(void)
{
	must_start(open_device(), FIRST, 0);
	check_not_own(hold(getpid(), 0), "a handle attached to the process");
	check_not_own(hold(getpid(), VPMC_ATTACH_THREAD),
		      "a handle attached to the thread");
	check_not_own(hold(getppid(), 0), "a handle attached to another");
	must_stop(open_device());
}

/* Test that a handle can be bound only once. */
static void test_bound(void)
{
	struct script s = script_new();
	int own = open_device(), fd = hold(getpid(), 0);
	uint64_t generation;

	check(attach(fd, getpid(), 0, NULL) == -EXDEV &&
		      attach(fd, 1, 0, NULL) == -EXDEV &&
		      attach(fd, getpid(), VPMC_ATTACH_THREAD, NULL) == -EXDEV,
	      "a handle that is attached: EXDEV");
	script_start(&s, own, start_arg(FIRST, 0));
	script_stop(&s, own, stop_arg());
	script_back(&s);
	script_run(&s);
	generation = read_scope(own, VPMC_SCOPE_SELF).generation;
	check(attach(own, getppid(), 0, NULL) == -EXDEV &&
		      attach(own, getpid(), 0, NULL) == -EXDEV,
	      "a handle that a start has bound: EXDEV");
	check_held(own, VPMC_SCOPE_SELF, s.cost, VPMC_STATE_STOPPED, generation,
		   "it is bound as before");
}

/* Test a handle that the start of another process has bound. It cannot be attached. */
static void test_foreign(void)
{
	int fd = open_device();
	struct target t = target_new();

	script_start(&t.script, fd, start_arg(FIRST, 0));
	target_gate(&t, true);
	script_exit(&t.script, 0);
	target_create(&t);
	check(start(fd, FIRST, 0, NULL) == -EXDEV &&
		      start(fd, FIRST, VPMC_START_FORCE, NULL) == -EXDEV &&
		      stop(fd, NULL) == -EXDEV,
	      "a handle bound by the target's start: EXDEV");
	check(attach(fd, t.pid, 0, NULL) == -EXDEV, "nor attached later");
	target_end(&t);
	check_scope(fd, VPMC_SCOPE_SELF, t.script.cost, 0, "it counts on");
	target_reap(&t);
}

/* Test that kernel threads are refused. */
static void test_kernel_thread(void)
{
	enum { KTHREADD = 2 };
	unsigned int flags;

	for (flags = 0; flags <= VPMC_ATTACH_THREAD; flags++) {
		int result = attach(open_device(), KTHREADD, flags, NULL);

		check(result == -EPERM || result == -ESRCH,
		      "a kernel thread: errno %d", -result);
	}
}

/* Test that invalid starts are also refused through an attached handle. */
static void test_start(void)
{
	const struct refused *refused = refused_here();
	struct target t = target_new();
	struct vpmc_start arg;
	int fd;

	target_gate(&t, false);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	arg = *start_arg(FIRST, 0);
	arg.event[1].code = refused->code;
	check(request(fd, VPMC_START, &arg) == -EINVAL &&
		      arg.error == refused->reason && arg.error_event == 1,
	      "an unknown event: EINVAL");
	check(start(fd, FIRST, 1U << 31, NULL) == -EINVAL, "flags: EINVAL");
	check(start(fd, FIRST, VPMC_START_RECORDS, NULL) == -EINVAL,
	      "RECORDS without COLLECT: EINVAL");
	check(start(fd, FIRST, VPMC_START_RESUME | VPMC_START_FORCE, NULL) ==
		      -EINVAL,
	      "RESUME and FORCE: EINVAL");
	check(try_read(fd, VPMC_SCOPE_SELF) == -ENODATA, "nothing counts");
	target_end(&t);
	target_reap(&t);
}

/* Test a zombie. Its counts can be read, but it cannot be started. */
static void test_zombie(void)
{
	struct target counted = target_new(), other = target_new();
	int own = open_device(), fd;

	script_start(&counted.script, own, start_arg(FIRST, 0));
	target_gate(&counted, true);
	script_exit(&counted.script, 0);
	target_create(&counted);
	target_end(&counted);
	fd = hold(counted.pid, 0);
	check_scope(fd, VPMC_SCOPE_SELF, counted.script.cost, 0,
		    "the counts of a zombie");
	check(read_scope(fd, VPMC_SCOPE_SELF).state == VPMC_STATE_EXITED,
	      "its state");
	check(start(fd, FIRST, 0, NULL) == -ESRCH &&
		      start(fd, FIRST, VPMC_START_FORCE, NULL) == -ESRCH &&
		      stop(fd, NULL) == -ESRCH,
	      "start and stop of a zombie: ESRCH");
	target_reap(&counted);
	check_scope(fd, VPMC_SCOPE_SELF, counted.script.cost, 0,
		    "and when it is reaped");

	target_gate(&other, false);
	script_exit(&other.script, 0);
	target_create(&other);
	target_end(&other);
	fd = hold(other.pid, 0);
	check(start(fd, FIRST, 0, NULL) == -ESRCH,
	      "start of a zombie that never counted: ESRCH");
	check(try_read(fd, VPMC_SCOPE_SELF) == -ENODATA, "its counts: ENODATA");
	/*
	 * A handle cannot be attached to this zombie's thread, because another thread can get the
	 * same ID.
	 */
	fd = open_device();
	check(attach(fd, other.pid, VPMC_ATTACH_THREAD, NULL) == -ESRCH,
	      "a thread that has exited and never counted");
	check(!attach(fd, getpid(), 0, NULL),
	      "the handle is unbound as before");
	target_reap(&other);
	check_children(counted.script.cost, 0, "nothing else is added");
}

/* Test starts in system mode, which fail. System mode also revokes the counts of the target. */
static void test_system_mode(void)
{
	struct target t = target_new();
	int system = open_device(), fd, thread;
	struct vpmc_read read;
	uint64_t first, second;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, false);
	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	thread = hold(t.pid, VPMC_ATTACH_THREAD);
	first = must_start(fd, FIRST, 0);
	check(!request(system, VPMC_SYSTEM_START,
		       start_arg(FIRST, VPMC_START_FORCE)),
	      "system mode by force");
	check(start(fd, FIRST, 0, NULL) == -EBUSY &&
		      start(fd, FIRST, VPMC_START_FORCE, NULL) == -EBUSY &&
		      start(thread, FIRST, 0, NULL) == -EBUSY,
	      "a start in system mode: EBUSY");
	target_pass(&t);
	check(!request(system, VPMC_SYSTEM_STOP, stop_arg()), "it ends");
	read = read_scope(fd, VPMC_SCOPE_SELF);
	check_read(&read, NOTHING, REVOKED, "the target's counts are revoked");
	check(read.state == VPMC_STATE_REVOKED && read.generation != first,
	      "state %u, another generation", read.state);
	check(read_scope(thread, VPMC_SCOPE_THREAD).revoked == 1,
	      "the thread's are revoked");
	target_pass(&t);
	second = must_start(fd, FIRST, 0);
	check(second != first && second != read.generation,
	      "a third generation");
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   second, "started again, exact");
	target_reap(&t);
	check_children(t.script.cost, REVOKED, "CHILDREN numbers the revoked");
}

int main(void)
{
	run(test_ids);
	run(test_thread_number);
	run(test_descriptors);
	run(test_flags);
	run(test_sizes);
	run(test_not_own);
	run(test_bound);
	run(test_foreign);
	run(test_kernel_thread);
	run(test_start);
	run(test_zombie);
	run(test_system_mode);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * extra_counts [more | suspend | uprobes]: test which disturbances make a count differ from the
 * text of the program, and by how many instructions. See ACCURACY in vpmc(7).
 *
 * A process counts itself and sleeps in a system call. The test disturbs it several times in this
 * call. The count must be the cost of the script plus an addition for each disturbance. Test in the
 * same way a process that runs into breakpoints, and one that executes instructions that the kernel
 * emulates.
 *
 * "more" needs a kernel with the freezer cgroup and io_uring. With "suspend", the machine sleeps
 * (machine --wake). "uprobes" needs a kernel with uprobes.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hold.h"
#include "ring.h"

/* System calls whose name or arguments are different on 32 bits. */
#ifdef __x86_64__
enum {
	SELECT = SYS_select,
	CLOCK_SLEEP = SYS_clock_nanosleep,
	FCNTL = SYS_fcntl
};
#define PC(registers) ((registers)->rip)
#else
enum {
	SELECT = SYS__newselect,
	CLOCK_SLEEP = SYS_clock_nanosleep_time32,
	FCNTL = SYS_fcntl64
};
#define PC(registers) ((registers)->eip)
#endif

/* This is the number of times that each disturbance happens to one process. */
#define TIMES 3

/* This is the size of a set of signals in the kernel. */
#define SIGSET 8

/* All operations of this test are shorter than this. */
#define LONGEST 100000 /* seconds */

#define FIFO	"/tmp/fifo"
#define FLOCKED "/tmp/flocked"
#define LOCKED	"/tmp/locked"
#define CGROUPS "/tmp/cgroup"
#define FROZEN	CGROUPS "/frozen"
#define TRACING "/tmp/tracing"

/* Signals, grouped by how the processes handle them. */
#define HANDLED SIGUSR1
#define RESTART SIGALRM /* handled, with SA_RESTART */
#define IGNORED SIGHUP
#define BLOCKED SIGUSR2

/* This is the cost of a repeated system call: one instruction, which is a branch. */
static const struct cost again = { 1, 1 };

/* This is the cost of a handler of script_handle(). */
static const struct cost handler = { 3, 1 };

/* These are the effects of an interruption on a system call, according to signal(7). */
enum interrupted {
	RESTARTED, /* unless a handler without SA_RESTART runs */
	RESTARTED_WITHOUT_HANDLER, /* unless any handler runs */
	FAILED,			   /* with EINTR */
};

struct call;

/**
 * struct trial - a process that waits in a system call
 * @call: the call
 * @word: a word with the value zero, for use by the call
 * @result: the result of the call
 * @read: the counts that the process reads after the call
 * @cost: the cost of its script up to that read
 * @script: its script
 * @gate: a pipe of this process
 * @device: the handle with which it counts
 * @fd, @other_fd: the files of the call, or -1
 * @pid: its process ID
 */
struct trial {
	const struct call *call;
	uint32_t *word, *result;
	struct vpmc_read *read;
	struct cost cost;
	struct script script;
	struct gate gate;
	int device, fd, other_fd;
	pid_t pid;
};

/**
 * struct call - a system call in which a process waits
 * @name: name of the call in messages
 * @number: number of the system call
 * @interrupted: the effect of an interruption
 * @frozen_asleep: true if the process goes on sleeping in the call when the machine is suspended
 * @put: function that appends the call to the script
 * @end: function that lets the call return
 */
struct call {
	const char *name;
	unsigned int number;
	enum interrupted interrupted;
	bool frozen_asleep;
	void (*put)(struct trial *t);
	void (*end)(struct trial *t);
};

static void end_by_gate(struct trial *t)
{
	gate_open(&t->gate);
}

static void end_by_handler(struct trial *t)
{
	kill(t->pid, HANDLED);
	t->cost = cost_add(t->cost, handler);
}

static void end_by_signal(struct trial *t)
{
	kill(t->pid, BLOCKED);
}

static void put_read(struct trial *t)
{
	script_gate(&t->script, t->gate.in);
}

static void put_write(struct trial *t)
{
	static const char page[4096];

	fcntl(t->gate.out, F_SETFL, O_NONBLOCK);
	while (write(t->gate.out, page, sizeof(page)) > 0)
		;
	fcntl(t->gate.out, F_SETFL, 0);
	script_call(&t->script, SYS_write, (uint32_t)t->gate.out, P(shared(1)),
		    1);
}

static void end_write(struct trial *t)
{
	char page[4096];

	if (read(t->gate.in, page, sizeof(page)) != sizeof(page))
		err(2, "pipe");
}

static void put_open(struct trial *t)
{
	static const char path[] = FIFO;

	unlink(path);
	if (mkfifo(path, 0600))
		err(2, "%s", path);
	script_call(&t->script, SYS_open, P(path), O_RDONLY);
}

static void end_open(struct trial *t)
{
	t->fd = open(FIFO, O_WRONLY | O_CLOEXEC);
}

static struct pollfd *poll_of(const struct trial *t)
{
	struct pollfd *poll = shared(sizeof(*poll));

	*poll = (struct pollfd){ .fd = t->gate.in, .events = POLLIN };
	return poll;
}

static void put_poll(struct trial *t)
{
	script_call(&t->script, SYS_poll, P(poll_of(t)), 1, (uint32_t)-1);
}

static void put_ppoll(struct trial *t)
{
	script_call(&t->script, SYS_ppoll, P(poll_of(t)), 1);
}

static void put_select_by(struct trial *t, unsigned int number)
{
	fd_set *set = shared(sizeof(*set));

	FD_ZERO(set);
	FD_SET(t->gate.in, set);
	script_call(&t->script, number, (uint32_t)t->gate.in + 1, P(set));
}

static void put_select(struct trial *t)
{
	put_select_by(t, SELECT);
}

static void put_pselect(struct trial *t)
{
	put_select_by(t, SYS_pselect6);
}

static void put_epoll_by(struct trial *t, unsigned int number)
{
	struct epoll_event event = { .events = EPOLLIN };

	t->fd = epoll_create1(EPOLL_CLOEXEC);
	if (epoll_ctl(t->fd, EPOLL_CTL_ADD, t->gate.in, &event))
		err(2, "epoll_ctl");
	script_call(&t->script, number, (uint32_t)t->fd,
		    P(shared(sizeof(event))), 1, (uint32_t)-1);
}

static void put_epoll_wait(struct trial *t)
{
	put_epoll_by(t, SYS_epoll_wait);
}

static void put_epoll_pwait(struct trial *t)
{
	put_epoll_by(t, SYS_epoll_pwait);
}

/* Return a long time, as the kernel's struct timespec. */
static long *longest(void)
{
	long *time = shared(2 * sizeof(*time));

	*time = LONGEST;
	return time;
}

static void put_nanosleep(struct trial *t)
{
	script_call(&t->script, SYS_nanosleep, P(longest()));
}

static void put_clock_nanosleep(struct trial *t)
{
	script_call(&t->script, CLOCK_SLEEP, CLOCK_MONOTONIC, 0, P(longest()));
}

static void put_sleep_until(struct trial *t)
{
	script_call(&t->script, CLOCK_SLEEP, CLOCK_MONOTONIC, TIMER_ABSTIME,
		    P(longest()));
}

static void put_futex(struct trial *t)
{
	script_call(&t->script, SYS_futex, P(t->word), FUTEX_WAIT);
}

static void put_futex_timeout(struct trial *t)
{
	script_call(&t->script, SYS_futex, P(t->word), FUTEX_WAIT, 0,
		    P(longest()));
}

static void end_futex(struct trial *t)
{
	if (syscall(SYS_futex, t->word, FUTEX_WAKE, 1) != 1)
		err(2, "futex");
}

static void put_child(struct trial *t)
{
	struct script child = script_new();

	script_fork(&t->script, &child, SYS_fork);
	script_gate(&child, t->gate.in);
	script_exit(&child, 0);
}

static void put_wait4(struct trial *t)
{
	put_child(t);
	script_wait(&t->script);
}

static void put_waitid(struct trial *t)
{
	put_child(t);
	script_call(&t->script, SYS_waitid, P_ALL, 0, 0, WEXITED);
}

static void put_pause(struct trial *t)
{
	script_call(&t->script, SYS_pause);
}

static void put_sigsuspend(struct trial *t)
{
	script_call(&t->script, SYS_rt_sigsuspend, P(shared(SIGSET)), SIGSET);
}

static sigset_t *set_of(int signal)
{
	sigset_t *set = shared(sizeof(*set));

	sigemptyset(set);
	sigaddset(set, signal);
	return set;
}

static void put_sigtimedwait(struct trial *t)
{
	script_call(&t->script, SYS_rt_sigtimedwait, P(set_of(BLOCKED)), 0, 0,
		    SIGSET);
}

static int open_new(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

static void put_flock(struct trial *t)
{
	t->fd = open_new(FLOCKED);
	t->other_fd = open_new(FLOCKED);
	if (flock(t->other_fd, LOCK_EX))
		err(2, "flock");
	script_call(&t->script, SYS_flock, (uint32_t)t->fd, LOCK_EX);
}

static void end_flock(struct trial *t)
{
	flock(t->other_fd, LOCK_UN);
}

static void put_setlkw(struct trial *t)
{
	struct flock *lock = shared(sizeof(*lock));

	*lock = (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
	/* Closing any descriptor of this file would unlock it, so open a new file. */
	t->fd = open_new(LOCKED);
	if (fcntl(t->fd, F_SETLK, lock))
		err(2, "fcntl");
	script_call(&t->script, FCNTL, (uint32_t)t->fd, F_SETLKW, P(lock));
}

static void end_setlkw(struct trial *t)
{
	struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	fcntl(t->fd, F_SETLK, &lock);
}

/* Append a read(2) of @fd. */
static void put_read_of(struct trial *t, int fd, size_t size)
{
	t->fd = fd;
	script_call(&t->script, SYS_read, (uint32_t)fd, P(shared(size)), size);
}

static void put_eventfd(struct trial *t)
{
	put_read_of(t, eventfd(0, EFD_CLOEXEC), sizeof(uint64_t));
}

static void end_eventfd(struct trial *t)
{
	if (eventfd_write(t->fd, 1))
		err(2, "eventfd");
}

static void put_timerfd(struct trial *t)
{
	put_read_of(t, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC),
		    sizeof(uint64_t));
}

static void end_timerfd(struct trial *t)
{
	const struct itimerspec now = { .it_value.tv_nsec = 1 };

	if (timerfd_settime(t->fd, 0, &now, NULL))
		err(2, "timerfd");
}

static void put_signalfd(struct trial *t)
{
	put_read_of(t, signalfd(-1, set_of(BLOCKED), SFD_CLOEXEC),
		    sizeof(struct signalfd_siginfo));
}

static const struct call calls[] = {
	{ "read of a pipe", SYS_read, RESTARTED, false, put_read, end_by_gate },
	{ "write to a full pipe", SYS_write, RESTARTED, false, put_write,
	  end_write },
	{ "open of a FIFO", SYS_open, RESTARTED, false, put_open, end_open },
	{ "read of an eventfd", SYS_read, RESTARTED, false, put_eventfd,
	  end_eventfd },
	{ "read of a timerfd", SYS_read, RESTARTED, false, put_timerfd,
	  end_timerfd },
	{ "read of a signalfd", SYS_read, RESTARTED, false, put_signalfd,
	  end_by_signal },
	{ "flock", SYS_flock, RESTARTED, false, put_flock, end_flock },
	{ "F_SETLKW", FCNTL, RESTARTED, false, put_setlkw, end_setlkw },
	{ "wait4", SYS_wait4, RESTARTED, true, put_wait4, end_by_gate },
	{ "waitid", SYS_waitid, RESTARTED, true, put_waitid, end_by_gate },
	{ "futex", SYS_futex, RESTARTED, true, put_futex, end_futex },
	{ "futex with a timeout", SYS_futex, RESTARTED_WITHOUT_HANDLER, true,
	  put_futex_timeout, end_futex },
	{ "nanosleep", SYS_nanosleep, RESTARTED_WITHOUT_HANDLER, true,
	  put_nanosleep, end_by_handler },
	{ "clock_nanosleep", CLOCK_SLEEP, RESTARTED_WITHOUT_HANDLER, true,
	  put_clock_nanosleep, end_by_handler },
	{ "clock_nanosleep to a time", CLOCK_SLEEP, RESTARTED_WITHOUT_HANDLER,
	  true, put_sleep_until, end_by_handler },
	{ "poll", SYS_poll, RESTARTED_WITHOUT_HANDLER, false, put_poll,
	  end_by_gate },
	{ "ppoll", SYS_ppoll, RESTARTED_WITHOUT_HANDLER, false, put_ppoll,
	  end_by_gate },
	{ "select", SELECT, RESTARTED_WITHOUT_HANDLER, false, put_select,
	  end_by_gate },
	{ "pselect", SYS_pselect6, RESTARTED_WITHOUT_HANDLER, false,
	  put_pselect, end_by_gate },
	{ "pause", SYS_pause, RESTARTED_WITHOUT_HANDLER, false, put_pause,
	  end_by_handler },
	{ "sigsuspend", SYS_rt_sigsuspend, RESTARTED_WITHOUT_HANDLER, false,
	  put_sigsuspend, end_by_handler },
	{ "epoll_wait", SYS_epoll_wait, FAILED, false, put_epoll_wait,
	  end_by_gate },
	{ "epoll_pwait", SYS_epoll_pwait, FAILED, false, put_epoll_pwait,
	  end_by_gate },
	{ "sigtimedwait", SYS_rt_sigtimedwait, FAILED, true, put_sigtimedwait,
	  end_by_signal },
};

#define NR_CALLS (sizeof(calls) / sizeof(calls[0]))

/*
 * Return whether the process is in its call, or in restart_syscall(2), with which the kernel
 * restarts it.
 */
static bool is_in_call(const struct trial *t)
{
	char path[32], line[64], *end = line;
	unsigned long number = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", t->pid);
	file = fopen(path, "re");
	if (!file)
		err(2, "%s", path);
	if (fgets(line, sizeof(line), file))
		number = strtoul(line, &end, 10);
	fclose(file);
	return end != line &&
	       (number == t->call->number || number == SYS_restart_syscall);
}

static void until_blocked(const struct trial *t)
{
	do {
		until_asleep((uint32_t)t->pid);
	} while (!is_in_call(t));
}

/*
 * Create a trial, and wait until its process sleeps in the call. The process calls @prepare first
 * if it is not NULL.
 */
static struct trial trial_new(const struct call *call, void (*prepare)(void))
{
	struct trial t = {
		.call = call,
		.script = script_new(),
		.gate = gate_new(),
		.device = open_device(),
		.fd = -1,
		.other_fd = -1,
		.word = shared(sizeof(*t.word)),
		.result = shared(sizeof(*t.result)),
		.read = read_arg(VPMC_SCOPE_THREAD),
	};

	script_start(&t.script, t.device, start_arg(FIRST, 0));
	call->put(&t);
	script_save(&t.script, t.result);
	t.cost = script_read(&t.script, t.device, t.read);
	script_exit(&t.script, 0);
	t.pid = child_fork();
	if (!t.pid) {
		if (prepare)
			prepare();
		script_run(&t.script);
	}
	until_blocked(&t);
	return t;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Let the call return if it has not failed, and check its result and the counts. */
static void trial_end(struct trial *t, bool failed, const char *what)
{
	int result, status;

	if (!failed)
		t->call->end(t);
	if (waitpid(t->pid, &status, 0) != t->pid || status)
		check(false, "%s, %s: status %#x", t->call->name, what,
		      (unsigned int)status);
	result = (int)*t->result;
	if (failed || t->call->end == end_by_handler)
		failed = result != -EINTR;
	else
		failed = result < 0;
	if (failed)
		check(false, "%s, %s: returns %d", t->call->name, what, result);
	check_read(t->read, t->cost, 0, what);
	close(t->gate.in);
	close(t->gate.out);
	close(t->device);
	close_if_open(t->fd);
	close_if_open(t->other_fd);
}

static void await_stop(pid_t pid, int signal)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    WSTOPSIG(status) != signal)
		errx(2, "process %d has not stopped by signal %d", pid, signal);
}

static void trace(int request, pid_t pid, uintptr_t address, uintptr_t data)
{
	if (syscall(SYS_ptrace, request, pid, address, data))
		err(2, "ptrace request %#x", (unsigned int)request);
}

static void do_nothing(pid_t pid)
{
	(void)pid;
}

static void do_stop(pid_t pid)
{
	kill(pid, SIGSTOP);
	until_stopped((uint32_t)pid);
	kill(pid, SIGCONT);
}

static void do_attach(pid_t pid)
{
	trace(PTRACE_ATTACH, pid, 0, 0);
	await_stop(pid, SIGSTOP);
	trace(PTRACE_DETACH, pid, 0, 0);
}

static void do_interrupt(pid_t pid)
{
	trace(PTRACE_SEIZE, pid, 0, 0);
	trace(PTRACE_INTERRUPT, pid, 0, 0);
	await_stop(pid, SIGTRAP);
	trace(PTRACE_DETACH, pid, 0, 0);
}

/* Send an ignored signal to a traced process. The tracer sees the signal. */
static void do_traced_signal(pid_t pid)
{
	trace(PTRACE_SEIZE, pid, 0, 0);
	kill(pid, IGNORED);
	await_stop(pid, IGNORED);
	trace(PTRACE_DETACH, pid, 0, IGNORED);
}

static void do_ignored(pid_t pid)
{
	kill(pid, IGNORED);
}

static void do_default(pid_t pid)
{
	kill(pid, SIGURG);
}

static void do_handled(pid_t pid)
{
	kill(pid, HANDLED);
}

static void do_restart(pid_t pid)
{
	kill(pid, RESTART);
}

static void do_move(pid_t pid)
{
	static unsigned int last;
	cpu_set_t set;

	last ^= 1;
	CPU_ZERO(&set);
	CPU_SET(last, &set);
	if (sched_setaffinity(pid, sizeof(set), &set) && errno != EINVAL)
		err(2, "sched_setaffinity");
}

static void do_hold(pid_t pid)
{
	int fd = hold(pid, 0);

	read_scope(fd, VPMC_SCOPE_SELF);
	must_stop(fd);
	must_start(fd, FIRST, VPMC_START_RESUME);
	close(fd);
}

static void freezer_new(void)
{
	mkdir(CGROUPS, 0700);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL) || mkdir(FROZEN, 0700))
		err(2, "cgroup2");
}

static void do_freeze(pid_t pid)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", pid);
	set_file(FROZEN "/cgroup.procs", number);
	set_file(FROZEN "/cgroup.freeze", "1");
	while (!number_in(FROZEN "/cgroup.events", "frozen "))
		usleep(1000);
	set_file(FROZEN "/cgroup.freeze", "0");
}

/* This is the file that a process polls by io_uring while it waits in its call. */
static int polled;

/* Create an io_uring that polls the file until the process exits. */
static void prepare_ring(void)
{
	const struct io_uring_sqe sqe = {
		.opcode = IORING_OP_POLL_ADD,
		.fd = polled,
		.len = IORING_POLL_ADD_MULTI,
		.poll32_events = POLLIN,
	};
	struct ring r = ring_new(0);

	ring_put(&r, &sqe);
	if (ring_enter(&r, 1, 0) != 1)
		err(2, "io_uring_enter");
}

static void do_complete(pid_t pid)
{
	(void)pid;
	if (eventfd_write(polled, 1))
		err(2, "eventfd");
}

/**
 * struct disturbance - a disturbance of a process that waits in a call
 * @what: its name in messages
 * @act: function that disturbs the process. The process sleeps again afterwards, unless its call
 *	has failed.
 * @interrupts: true if the process leaves the call
 * @handles: true if the process also executes a handler
 * @fails_from: calls of this and later kinds in enum interrupted fail with EINTR
 * @prepare: function that the process calls at its beginning, or NULL
 */
struct disturbance {
	const char *what;
	void (*act)(pid_t pid);
	bool interrupts, handles;
	enum interrupted fails_from;
	void (*prepare)(void);
};

static const struct disturbance disturbances[] = {
	{ "nothing", do_nothing, false, false, FAILED, NULL },
	{ "an ignored signal", do_ignored, false, false, FAILED, NULL },
	{ "a signal that does nothing by default", do_default, false, false,
	  FAILED, NULL },
	{ "another processor", do_move, false, false, FAILED, NULL },
	{ "a stop and a resume of the count", do_hold, false, false, FAILED,
	  NULL },
	{ "SIGSTOP and SIGCONT", do_stop, true, false, FAILED, NULL },
	{ "PTRACE_ATTACH", do_attach, true, false, FAILED, NULL },
	{ "PTRACE_INTERRUPT", do_interrupt, true, false, FAILED, NULL },
	{ "an ignored signal, traced", do_traced_signal, true, false, FAILED,
	  NULL },
	{ "a handler with SA_RESTART", do_restart, true, true,
	  RESTARTED_WITHOUT_HANDLER, NULL },
	{ "a handler", do_handled, true, true, RESTARTED, NULL },
};

/* Disturbances that need options of the kernel. */
static const struct disturbance more_disturbances[] = {
	{ "the freezer of a cgroup", do_freeze, true, false, FAILED, NULL },
	{ "a completion of io_uring", do_complete, true, false, FAILED,
	  prepare_ring },
};

#define NR_DISTURBANCES (sizeof(disturbances) / sizeof(disturbances[0]))
#define NR_MORE		(sizeof(more_disturbances) / sizeof(more_disturbances[0]))

static void try_call(const struct call *call, const struct disturbance *d)
{
	bool failed = d->interrupts && call->interrupted >= d->fails_from;
	struct trial t = trial_new(call, d->prepare);
	char what[128];
	unsigned int i;

	snprintf(what, sizeof(what), "%s, %s", call->name, d->what);
	for (i = 0; i < (failed ? 1 : TIMES); i++) {
		d->act(t.pid);
		if (d->handles)
			t.cost = cost_add(t.cost, handler);
		if (d->interrupts && !failed)
			t.cost = cost_add(t.cost, again);
		if (!failed)
			until_blocked(&t);
	}
	trial_end(&t, failed, what);
}

static void try_calls(const struct disturbance *d, size_t nr)
{
	const struct disturbance *end = d + nr;
	unsigned int i;

	for (; d < end; d++) {
		for (i = 0; i < NR_CALLS; i++)
			try_call(&calls[i], d);
	}
}

/* Suspend the machine while a process waits in each of the calls. */
static void try_suspend(void)
{
	struct trial trials[NR_CALLS];
	unsigned int i;
	bool awake;

	for (i = 0; i < NR_CALLS; i++)
		trials[i] = trial_new(&calls[i], NULL);
	set_file("/sys/power/state", "mem");
	for (i = 0; i < NR_CALLS; i++) {
		awake = !calls[i].frozen_asleep;
		if (awake && calls[i].interrupted != FAILED) {
			trials[i].cost = cost_add(trials[i].cost, again);
			until_blocked(&trials[i]);
		}
		trial_end(&trials[i], awake && calls[i].interrupted == FAILED,
			  calls[i].name);
	}
}

/**
 * struct stumble - a program whose instructions are not executed exactly as its text says
 * @what: its name in messages
 * @put: function that appends the instructions; it is called TIMES times
 * @follow: function of the tracer until the program exits
 * @more, @less: additional and missing counts for each call of @put
 */
struct stumble {
	const char *what;
	void (*put)(struct script *s);
	void (*follow)(pid_t pid);
	struct cost more, less;
};

extern const char script_piece_rounds[], piece_cli[];

__asm__(".globl piece_cli\n"
	"piece_cli:\n"
	"	cli\n"
	"	sti\n"
	"	ret");

static void put_rounds(struct script *s)
{
	script_rounds(s, 1);
}

/* Append CLI, STI and RET. */
static void put_cli(struct script *s)
{
	script_piece(s, piece_cli, (struct cost){ 3, 1 });
}

static void follow_none(pid_t pid)
{
	trace(PTRACE_DETACH, pid, 0, 0);
}

static void follow_steps(pid_t pid)
{
	int status;

	for (;;) {
		trace(PTRACE_SINGLESTEP, pid, 0, 0);
		if (waitid(P_PID, (id_t)pid, NULL,
			   WSTOPPED | WEXITED | WNOWAIT))
			err(2, "waitid");
		if (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid &&
		    !WIFSTOPPED(status))
			return;
	}
}

/*
 * Act as a debugger at breakpoints: put the original instruction back, let the process execute it,
 * and set the breakpoint again.
 */
static void follow_int3(pid_t pid)
{
	uintptr_t address = (uintptr_t)script_piece_rounds;
	struct user_regs_struct registers;
	long text = ptrace(PTRACE_PEEKTEXT, pid, address, NULL);
	uintptr_t with_int3 = ((uintptr_t)text & ~(uintptr_t)0xff) | 0xcc;
	unsigned int i;

	trace(PTRACE_POKETEXT, pid, address, with_int3);
	for (i = 0; i < TIMES; i++) {
		trace(PTRACE_CONT, pid, 0, 0);
		await_stop(pid, SIGTRAP);
		trace(PTRACE_GETREGS, pid, 0, (uintptr_t)&registers);
		if ((uintptr_t)PC(&registers) != address + 1)
			errx(2, "not at the breakpoint");
		PC(&registers)--;
		trace(PTRACE_SETREGS, pid, 0, (uintptr_t)&registers);
		trace(PTRACE_POKETEXT, pid, address, (uintptr_t)text);
		trace(PTRACE_SINGLESTEP, pid, 0, 0);
		await_stop(pid, SIGTRAP);
		trace(PTRACE_POKETEXT, pid, address, with_int3);
	}
	trace(PTRACE_DETACH, pid, 0, 0);
}

static void follow_debug_register(pid_t pid)
{
	unsigned int i;

	trace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[0]),
	      (uintptr_t)script_piece_rounds);
	/* Enable the breakpoint, for the execution of instructions. */
	trace(PTRACE_POKEUSER, pid, offsetof(struct user, u_debugreg[7]), 1);
	for (i = 0; i < TIMES; i++) {
		trace(PTRACE_CONT, pid, 0, 0);
		await_stop(pid, SIGTRAP);
	}
	trace(PTRACE_DETACH, pid, 0, 0);
}

/* Return the offset of @address in the program's file. See proc_pid_maps(5). */
static unsigned long file_offset(uintptr_t address)
{
	unsigned long begin, end, offset;
	char line[256], *rest;
	FILE *maps = fopen("/proc/self/maps", "re");

	if (!maps)
		err(2, "maps");
	while (fgets(line, sizeof(line), maps)) {
		begin = strtoul(line, &rest, 16);
		end = strtoul(rest + strlen("-"), &rest, 16);
		offset = strtoul(rest + strlen(" r-xp "), NULL, 16);
		if (address >= begin && address < end) {
			fclose(maps);
			return address - begin + offset;
		}
	}
	errx(2, "%#lx is not mapped", (unsigned long)address);
}

/* Set a uprobe at a POP, which the kernel does not emulate. */
static void follow_uprobe(pid_t pid)
{
	char event[128], path[64];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (length < 0)
		err(2, "exe");
	path[length] = '\0';
	snprintf(event, sizeof(event), "p:round %s:%#lx", path,
		 file_offset((uintptr_t)script_piece_rounds));
	mkdir(TRACING, 0700);
	if (mount("none", TRACING, "tracefs", 0, NULL))
		err(2, "tracefs");
	set_file(TRACING "/uprobe_events", event);
	set_file(TRACING "/events/uprobes/round/enable", "1");
	trace(PTRACE_DETACH, pid, 0, 0);
}

static const struct stumble uprobes = {
	"uprobes", put_rounds, follow_uprobe, { 1, 1 }, { 0, 0 }
};

static const struct stumble stumbles[] = {
	{ "nothing", put_rounds, follow_none, { 0, 0 }, { 0, 0 } },
	{ "single steps", put_rounds, follow_steps, { 0, 0 }, { 0, 0 } },
	{ "breakpoints by INT3", put_rounds, follow_int3, { 1, 1 }, { 0, 0 } },
	{ "breakpoints by a debug register",
	  put_rounds,
	  follow_debug_register,
	  { 0, 0 },
	  { 0, 0 } },
	{ "CLI and STI", put_cli, follow_none, { 0, 0 }, { 2, 0 } },
};

#define NR_STUMBLES (sizeof(stumbles) / sizeof(stumbles[0]))

static void try_stumble(const struct stumble *stumble)
{
	struct vpmc_read *read = read_arg(VPMC_SCOPE_THREAD);
	struct script s = script_new();
	int fd = open_device();
	struct cost cost;
	unsigned int i;
	pid_t pid;

	script_call(&s, SYS_iopl, 3);
	script_start(&s, fd, start_arg(FIRST, 0));
	for (i = 0; i < TIMES; i++)
		stumble->put(&s);
	cost = script_read(&s, fd, read);
	script_exit(&s, 0);
	pid = child_fork();
	if (!pid) {
		trace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		script_run(&s);
	}
	await_stop(pid, SIGSTOP);
	stumble->follow(pid);
	waitpid(pid, NULL, 0);
	for (i = 0; i < TIMES; i++) {
		cost = cost_add(cost, stumble->more);
		cost.instructions -= stumble->less.instructions;
		cost.branches -= stumble->less.branches;
	}
	check_read(read, cost, 0, stumble->what);
	close(fd);
}

static void prepare_signals(void)
{
	struct sigaction action;

	script_handle(HANDLED);
	script_handle(RESTART);
	if (sigaction(RESTART, NULL, &action))
		err(2, "sigaction");
	action.sa_flags |= SA_RESTART;
	if (sigaction(RESTART, &action, NULL) ||
	    sigprocmask(SIG_BLOCK, set_of(BLOCKED), NULL))
		err(2, "signals");
	signal(IGNORED, SIG_IGN);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	unsigned int i;

	prepare_signals();
	if (!strcmp(what, "suspend")) {
		try_suspend();
		return check_status();
	}
	if (!strcmp(what, "uprobes")) {
		try_stumble(&uprobes);
		return check_status();
	}
	try_calls(disturbances, NR_DISTURBANCES);
	if (!strcmp(what, "more")) {
		freezer_new();
		polled = eventfd(0, EFD_CLOEXEC);
		try_calls(more_disturbances, NR_MORE);
	}
	for (i = 0; i < NR_STUMBLES; i++)
		try_stumble(&stumbles[i]);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * attach_storm FILE CALLS: attach to short-lived processes and threads at any moment of their
 * lives, and start, stop and read them. System mode takes the counters now and then. Test that the
 * result of each call is one that the state of its target allows. FILE is the driver. Test that the
 * driver can be unloaded in the end, because nothing uses it any more.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define HOLDERS	 8
#define BREEDERS 4
#define SLOTS	 16

/*
 * struct storm - the state that all processes share
 * @slot: IDs of processes and threads that existed a moment ago
 * @done: number of calls of each holder
 * @started: number of its starts that succeeded
 * @read: number of its reads that succeeded
 * @counters: number of the processor's counters
 */
struct storm {
	volatile pid_t slot[SLOTS];
	unsigned long done[HOLDERS], started[HOLDERS], read[HOLDERS];
	unsigned int counters;
};

static struct storm *storm;
static uint64_t random_state;

/* Return a random number from 0 to @n - 1 (Marsaglia's xorshift). */
static unsigned int choose(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned int)(random_state >> 11) % n;
}

static void seed(unsigned int n)
{
	random_state = 0x9e3779b97f4a7c15 * (n + 1);
}

static void publish(void)
{
	storm->slot[choose(SLOTS)] = (pid_t)syscall(SYS_gettid);
}

static void work(void)
{
	unsigned int rounds = choose(20000);

	publish();
	while (rounds--)
		__asm__ volatile("");
	if (choose(2))
		usleep(choose(2000));
}

static void *thread_main(void *arg)
{
	(void)arg;
	work();
	return NULL;
}

/*
 * Be a process that works, perhaps creates threads and a child, and exits in one of several ways.
 */
static _Noreturn void live(void)
{
	static char *const argv[] = { "./exactly-1000", NULL };
	pthread_t thread;
	unsigned int i;

	seed((unsigned int)getpid());
	work();
	for (i = choose(3); i; i--)
		if (!pthread_create(&thread, NULL, thread_main, NULL) &&
		    choose(2))
			pthread_join(thread, NULL);
	if (!choose(3) && !fork()) {
		seed((unsigned int)getpid());
		work();
		_exit(0);
	}
	if (choose(2))
		wait(NULL);
	if (!choose(4))
		execve(argv[0], argv, NULL);
	if (!choose(4))
		kill(getpid(), SIGKILL);
	if (!choose(4))
		syscall(SYS_exit, 0);
	_exit(0);
}

static _Noreturn void breed(unsigned int n)
{
	if (n % 2)
		signal(SIGCHLD, SIG_IGN);
	for (;;) {
		pid_t pid = fork();

		if (!pid)
			live();
		waitpid(pid, NULL, 0);
	}
}

/* Check that the result of a call is one of @allowed. The list ends with 1. */
static void allow(const char *what, int result, const int *allowed)
{
	const int *a;

	for (a = allowed; *a <= 0; a++)
		if (result == *a)
			return;
	check(false, "%s: errno %d", what, -result);
}

#define ALLOW(what, result, ...) \
	allow(what, result, (const int[]){ __VA_ARGS__, 1 })

static int attach_somehow(int fd, pid_t pid, bool thread)
{
	unsigned int flags = thread ? VPMC_ATTACH_THREAD : 0;
	int result, pidfd;

	if (choose(2))
		return attach(fd, pid, flags, NULL);
	pidfd = (int)syscall(SYS_pidfd_open, pid, thread ? O_EXCL : 0);
	if (pidfd < 0)
		return -ESRCH;
	result = attach(fd, pidfd, flags | VPMC_ATTACH_PIDFD, NULL);
	close(pidfd);
	return result;
}

static void start_somehow(int fd, unsigned int n)
{
	static const unsigned int flags[] = {
		0,
		VPMC_START_FORCE,
		VPMC_START_FORCE | VPMC_START_FOLD,
		VPMC_START_FOLD,
		VPMC_START_AT_EXEC,
		VPMC_START_AT_EXEC | VPMC_START_FORCE,
		VPMC_START_RESUME,
		VPMC_START_COLLECT | VPMC_START_RECORDS,
		VPMC_START_COLLECT | VPMC_START_FORCE,
	};
	unsigned int f = flags[choose(sizeof(flags) / sizeof(flags[0]))];
	int result = start(fd, choose(4) ? FIRST : OTHER, f, NULL);

	if (f & VPMC_START_RESUME)
		ALLOW("resume", result, 0, -EBUSY, -ESRCH, -ENODATA, -EINVAL);
	else
		ALLOW("start", result, 0, -EBUSY, -ESRCH);
	storm->started[n] += !result;
}

static void read_somehow(int fd, bool thread, unsigned int n)
{
	struct vpmc_read read = { .size = sizeof(read) };
	int result;

	read.scope = thread ? VPMC_SCOPE_THREAD : VPMC_SCOPE_SELF + choose(3);
	result = request(fd, VPMC_READ, &read);
	ALLOW("read", result, 0, -ENODATA);
	if (result)
		return;
	storm->read[n]++;
	/* There must be a count for each counter. The counts of a short life are small. */
	if (read.nr_counts != storm->counters || !read.generation ||
	    read.state > VPMC_STATE_REVOKED || read.count[0] >> 40 ||
	    read.count[1] >> 40)
		check(false, "read: %u counts, state %u, %llu %llu",
		      read.nr_counts, read.state, read.count[0], read.count[1]);
}

static void take_records(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };
	int result;

	while (!(result = request(fd, VPMC_RECORD, &record)))
		record = (struct vpmc_record){ .size = sizeof(record) };
	ALLOW("record", result, -ENODATA);
}

/* Attach once, and then make some calls. Returns the number of calls. */
static unsigned int hold_somebody(unsigned int n)
{
	unsigned int calls = 1 + choose(8), i;
	pid_t pid = storm->slot[choose(SLOTS)];
	bool thread = choose(2);
	int fd = open_device();
	int result = attach_somehow(fd, pid, thread);

	ALLOW("attach", result, 0, -ESRCH);
	for (i = 0; !result && i < calls; i++) {
		unsigned int what = choose(8);

		if (what < 3)
			start_somehow(fd, n);
		else if (what < 4)
			ALLOW("stop", stop(fd, NULL), 0, -ESRCH, -ENODATA);
		else if (what < 7)
			read_somehow(fd, thread, n);
		else
			take_records(fd);
	}
	close(fd);
	return 1 + i;
}

static _Noreturn void holder(unsigned int n, unsigned long calls)
{
	check_failures = 0;
	seed(n + 1000);
	while (storm->done[n] < calls && check_failures < 10)
		storm->done[n] += hold_somebody(n);
	exit(check_status());
}

/*
 * These are the arguments of thief(), which takes the counters away and gives them back. They are
 * in shared memory that must be allocated before the processes are forked.
 */
static struct vpmc_start *taken;
static struct vpmc_stop *given_back;

static _Noreturn void thief(void)
{
	int fd = open_device();

	for (;;) {
		usleep(20000);
		if (!request(fd, VPMC_SYSTEM_START, taken))
			request(fd, VPMC_SYSTEM_STOP, given_back);
	}
}

static pid_t spawn(void (*go)(unsigned int), unsigned int n)
{
	pid_t pid = child_fork();

	if (!pid) {
		seed(n);
		go(n);
	}
	return pid;
}

static void run_thief(unsigned int n)
{
	(void)n;
	thief();
}

static unsigned long calls_each;

static void run_holder(unsigned int n)
{
	holder(n, calls_each);
}

static void run_breeder(unsigned int n)
{
	breed(n);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_storm(void)
{
	pid_t breeder[BREEDERS], holders[HOLDERS], taker;
	unsigned long done = 0, started = 0, reads = 0;
	unsigned int i;
	int status;

	storm = shared(sizeof(*storm));
	storm->counters = counters_here();
	taken = start_arg(FIRST, VPMC_START_FORCE);
	given_back = stop_arg();
	start_prepare();
	for (i = 0; i < BREEDERS; i++)
		breeder[i] = spawn(run_breeder, i);
	taker = spawn(run_thief, 0);
	for (i = 0; i < HOLDERS; i++)
		holders[i] = spawn(run_holder, i);
	for (i = 0; i < HOLDERS; i++) {
		if (waitpid(holders[i], &status, 0) != holders[i] || status)
			check(false, "holder %u: status %#x", i, status);
		done += storm->done[i];
		started += storm->started[i];
		reads += storm->read[i];
	}
	for (i = 0; i < BREEDERS; i++)
		end(breeder[i]);
	end(taker);
	check(started && reads, "%lu calls: %lu started, %lu read", done,
	      started, reads);
}

/* Test that a new target counts exactly after the storm. */
static void test_exact(void)
{
	struct target t = target_new();
	uint64_t generation;
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, 1000);
	script_exit(&t.script, 0);
	fd = target_hold(&t, 0);
	generation = must_start(fd, FIRST, 0);
	target_end(&t);
	check_held(fd, VPMC_SCOPE_SELF, t.script.cost, VPMC_STATE_EXITED,
		   generation, "exact");
	target_reap(&t);
}

/*
 * Unload the driver and load it again. Try the unloading several times, because an orphan may take
 * a moment to exit.
 */
static void reload(const char *name)
{
	int file = open(name, O_RDONLY | O_CLOEXEC), tries = 0, result;

	if (file < 0)
		err(2, "%s", name);
	do {
		usleep(10000);
		result = syscall(SYS_delete_module, "vpmc", O_NONBLOCK) ? -errno
									: 0;
	} while (result == -EAGAIN && ++tries < 500);
	check(!result, "unload: errno %d", -result);
	check(!syscall(SYS_finit_module, file, "", 0), "load again");
	close(file);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		errx(2, "usage: attach_storm FILE CALLS");
	calls_each = strtoul(argv[2], NULL, 10) / HOLDERS;
	run(test_storm);
	run(test_exact);
	reload(argv[1]);
	run(test_exact);
	return check_status();
}

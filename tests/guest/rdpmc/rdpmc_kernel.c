// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_kernel: test that RDPMC does not show counts of the kernel to a process that does not
 * count. The process has a page, and other processes count kernel mode, or have counted it.
 *
 * An unprivileged watcher executes RDPMC before and after system calls, on one processor after the
 * other. A neighbour's control register may still count the watcher's own user mode. So the
 * counters may grow by the watcher's own instructions in user mode, and not by more. RDPMC must be
 * refused only where kernel mode is counted at that moment.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "hold.h"

#define NOBODY 65534

/* A greater number than the instructions of user mode between two RDPMC of a counter. */
#define OWN 60

/* This is the number of repetitions of each system call, and of sleeps, on each processor. */
#define LOOKS 10
#define NAPS  2

/**
 * struct raw - values of RDPMC
 * @before, @after: both counters before and after a system call
 */
struct raw {
	uint64_t before[2], after[2];
};

/*
 * Read the counters, make a system call, and read the counters again. All code is in one block, so
 * that few instructions are between two RDPMC.
 */
static void look(struct raw *raw, script_word number, script_word a,
		 script_word b)
{
	const script_word call[] = { number, a, b };
	script_word unused;

#ifdef __x86_64__
	__asm__ volatile("movq	%1, %%r8\n\t"
			 "movq	%2, %%r9\n\t"
			 "movl	$0, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 0(%%r9)\n\t"
			 "movl	%%edx, 4(%%r9)\n\t"
			 "movl	$1, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 8(%%r9)\n\t"
			 "movl	%%edx, 12(%%r9)\n\t"
			 "movq	0(%%r8), %%rax\n\t"
			 "movq	8(%%r8), %%rdi\n\t"
			 "movq	16(%%r8), %%rsi\n\t"
			 "xorl	%%edx, %%edx\n\t"
			 "syscall\n\t"
			 "movl	$0, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 16(%%r9)\n\t"
			 "movl	%%edx, 20(%%r9)\n\t"
			 "movl	$1, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 24(%%r9)\n\t"
			 "movl	%%edx, 28(%%r9)"
			 : "=&a"(unused)
			 : "r"(call), "r"(raw)
			 : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r11",
			   "memory");
#else
	__asm__ volatile("movl	$0, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 0(%%edi)\n\t"
			 "movl	%%edx, 4(%%edi)\n\t"
			 "movl	$1, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 8(%%edi)\n\t"
			 "movl	%%edx, 12(%%edi)\n\t"
			 "movl	(%%esi), %%eax\n\t"
			 "pushl	%%ebx\n\t"
			 "movl	4(%%esi), %%ebx\n\t"
			 "movl	8(%%esi), %%ecx\n\t"
			 "xorl	%%edx, %%edx\n\t"
			 "int	$0x80\n\t"
			 "popl	%%ebx\n\t"
			 "movl	$0, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 16(%%edi)\n\t"
			 "movl	%%edx, 20(%%edi)\n\t"
			 "movl	$1, %%ecx\n\t"
			 "rdpmc\n\t"
			 "movl	%%eax, 24(%%edi)\n\t"
			 "movl	%%edx, 28(%%edi)"
			 : "=&a"(unused)
			 : "S"(call), "D"(raw)
			 : "ecx", "edx", "memory");
#endif
}

#ifdef __x86_64__
#define REG_IP REG_RIP
#else
#define REG_IP REG_EIP
#endif

static volatile bool has_trapped;

static void skip_rdpmc(int signo, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)signo;
	(void)info;
	has_trapped = true;
	/* The RDPMC of is_refused() has 3 bytes, because it has a prefix. */
	c->uc_mcontext.gregs[REG_IP] += 3;
}

static void catch_refused(void)
{
	struct sigaction action = { .sa_sigaction = skip_rdpmc,
				    .sa_flags = SA_SIGINFO };

	if (sigaction(SIGSEGV, &action, NULL))
		err(2, "sigaction");
}

/*
 * Return whether the hardware refuses RDPMC. The driver emulates a refused RDPMC, which then
 * returns zero. But it does not recognise an RDPMC with a prefix, so this one raises a signal. The
 * prefix has no other effect.
 */
static bool is_refused(void)
{
	unsigned int low, high;

	has_trapped = false;
	__asm__ volatile(".byte	0x3e\n\t"
			 "rdpmc"
			 : "=a"(low), "=d"(high)
			 : "c"(0)
			 : "memory");
	return has_trapped;
}

static uint64_t counter_mask;

/* Return the growth of a counter, or its growth since it was set to zero if that is less. */
static uint64_t gained(uint64_t before, uint64_t after)
{
	uint64_t more = (after - before) & counter_mask;

	return more < after ? more : after;
}

/**
 * struct seen - the most that a watcher has seen of the kernel
 * @worst: the largest growth of a counter in a system call
 * @call: the name of that system call
 * @values: whether any counter had another value than zero
 * @refused: the number of times that RDPMC was refused
 * @looks: the number of all looks
 */
struct seen {
	uint64_t worst;
	const char *call;
	bool values;
	unsigned int refused, looks;
};

static void note(struct seen *seen, const struct raw *raw, const char *call)
{
	uint64_t more;
	int i;

	for (i = 0; i < 2; i++) {
		more = gained(raw->before[i], raw->after[i]);
		if (more > seen->worst) {
			seen->worst = more;
			seen->call = call;
		}
		seen->values |= raw->before[i] || raw->after[i];
	}
	seen->refused += is_refused();
	seen->looks++;
}

static void look_here(struct seen *seen)
{
	static const struct timespec nap = { .tv_nsec = 50000000 };
	struct timespec copy = nap;
	struct raw raw = {};
	int i;

	for (i = 0; i < LOOKS; i++) {
		look(&raw, SYS_getppid, 0, 0);
		note(seen, &raw, "getppid()");
		look(&raw, SYS_open, P("/nowhere"), O_RDONLY);
		note(seen, &raw, "a failing open()");
		look(&raw, SYS_sched_yield, 0, 0);
		note(seen, &raw, "sched_yield()");
	}
	for (i = 0; i < NAPS; i++) {
		look(&raw, SYS_nanosleep, P(&copy), 0);
		note(seen, &raw, "50 ms of sleep");
	}
}

static unsigned int processors;

static struct seen look_everywhere(void)
{
	struct seen seen = { .call = "nothing" };
	unsigned int i;

	for (i = 0; i < processors; i++) {
		stay_on(i);
		look_here(&seen);
	}
	return seen;
}

/**
 * struct watcher - a process that looks at the counters when the test asks it
 * @pid: its process ID
 * @ask, @answer: gates for requests and answers
 * @seen: its last answer
 * @stop: whether the next request is to exit
 */
struct watcher {
	pid_t pid;
	struct gate ask, answer;
	struct seen *seen;
	bool *stop;
};

static const volatile struct vpmc_page *map(void)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	int result = request(open_device(), VPMC_MAP, &arg);

	if (result)
		check(false, "map: errno %d", -result);
	return pointer_to(arg.address);
}

/*
 * Become user "nobody", and allow other processes to attach to this one although it has changed its
 * user.
 */
static void become_nobody(void)
{
	if (setgid(NOBODY) || setuid(NOBODY) || prctl(PR_SET_DUMPABLE, 1))
		err(2, "setuid");
}

static _Noreturn void watch(const struct watcher *w, bool privileged)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!privileged)
		become_nobody();
	catch_refused();
	map();
	gate_open(&w->answer);
	for (;;) {
		gate_wait(&w->ask);
		if (*w->stop)
			_exit(0);
		*w->seen = look_everywhere();
		gate_open(&w->answer);
	}
}

static struct watcher watcher_new(bool privileged)
{
	struct watcher w = { .ask = gate_new(),
			     .answer = gate_new(),
			     .seen = shared(sizeof(*w.seen)),
			     .stop = shared(sizeof(*w.stop)) };

	*w.stop = false;
	w.pid = child_fork();
	if (!w.pid)
		watch(&w, privileged);
	gate_wait(&w.answer);
	return w;
}

static struct seen watcher_look(const struct watcher *w)
{
	gate_open(&w->ask);
	gate_wait(&w->answer);
	return *w->seen;
}

static void check_little(const struct watcher *w, const char *what)
{
	struct seen seen = watcher_look(w);

	check(seen.worst <= OWN, "%s: %llu at most, across %s", what,
	      (unsigned long long)seen.worst, seen.call);
}

/*
 * Check a watcher that does not count, while the counters do not count kernel mode. The hardware
 * must execute RDPMC.
 */
static void check_nobody(const struct watcher *w, const char *what)
{
	struct seen seen = watcher_look(w);

	check(seen.worst <= OWN && !seen.refused,
	      "%s: %llu at most, across %s, refused %u times of %u", what,
	      (unsigned long long)seen.worst, seen.call, seen.refused,
	      seen.looks);
}

static void check_refused(const struct watcher *w, const char *what)
{
	struct seen seen = watcher_look(w);

	check(!seen.values && seen.refused == seen.looks,
	      "%s: RDPMC shows nothing but zero, refused %u times of %u", what,
	      seen.refused, seen.looks);
}

static void watcher_end(const struct watcher *w)
{
	int status;

	*w->stop = true;
	gate_open(&w->ask);
	if (waitpid(w->pid, &status, 0) != w->pid || status)
		check(false, "the watcher ends with status %#x", status);
}

/*
 * These are the kinds of counts of other processes. They count instructions and branches, in turn
 * on each counter.
 */
struct what {
	const char *name;
	unsigned int modes, nr, flags;
};

#define KERNEL VPMC_MODE_KERNEL
#define BOTH   (VPMC_MODE_KERNEL | VPMC_MODE_USER)

static const struct what whats[] = {
	{ "user mode", VPMC_MODE_USER, 2, 0 },
	{ "kernel mode", KERNEL, 2, 0 },
	{ "one counter, kernel mode", KERNEL, 1, 0 },
	{ "both modes", BOTH, 2, 0 },
	{ "both modes in turns", BOTH, 4, VPMC_START_MULTIPLEX },
};

static struct vpmc_start *arg_of(const struct what *what)
{
	struct vpmc_start *start = shared(sizeof(*start));
	unsigned int i;

	*start = (struct vpmc_start){ .size = sizeof(*start),
				      .flags = what->flags,
				      .nr_events = what->nr };
	for (i = 0; i < what->nr; i++)
		start->event[i] = (struct vpmc_event){
			.code = code_here((i ^ i / 2) % 2),
			.counter = counter_here(i % 2),
			.modes = (uint16_t)what->modes,
		};
	return start;
}

/* Be a neighbour, which counts, and makes system calls all the time. */
static _Noreturn void be_neighbour(struct vpmc_start *start, unsigned int cpu,
				   const struct gate *ready)
{
	int fd = open_device();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(cpu);
	if (request(fd, VPMC_START, start))
		errx(2, "a neighbour cannot start");
	gate_open(ready);
	for (;;)
		getppid();
}

static pid_t neighbour_new(const struct what *what, unsigned int cpu)
{
	struct vpmc_start *start = arg_of(what);
	struct gate ready = gate_new();
	pid_t pid = fork();

	if (!pid)
		be_neighbour(start, cpu, &ready);
	gate_wait(&ready);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Test the watcher while neighbours run, while they are stopped, and after they have exited. */
static void test_neighbours(void)
{
	struct watcher w = watcher_new(false);
	pid_t pid[2] = {};
	unsigned int i, cpu;

	check_nobody(&w, "nobody counts");
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
		for (cpu = 0; cpu < processors; cpu++)
			pid[cpu] = neighbour_new(&whats[i], cpu);
		check_nobody(&w, whats[i].name);
		for (cpu = 0; cpu < processors; cpu++)
			kill(pid[cpu], SIGSTOP);
		check_nobody(&w, "asleep");
		for (cpu = 0; cpu < processors; cpu++)
			end(pid[cpu]);
		check_nobody(&w, "gone");
	}
	watcher_end(&w);
}

static int system_fd;

static void system_start(const struct what *what)
{
	struct vpmc_start *start = arg_of(what);
	int result = request(system_fd, VPMC_SYSTEM_START, start);

	if (result)
		check(false, "system mode: errno %d", -result);
}

static void system_stop(void)
{
	if (request(system_fd, VPMC_SYSTEM_STOP, stop_arg()))
		check(false, "system mode's end");
}

static void test_system(void)
{
	struct watcher w = watcher_new(false);
	unsigned int i;

	system_fd = open_device();
	for (i = 0; i < 4; i++) {
		system_start(&whats[i]);
		if (whats[i].modes & KERNEL)
			check_refused(&w, whats[i].name);
		else
			check_nobody(&w, whats[i].name);
		system_stop();
		check_nobody(&w, "after system mode");
	}
	/* Start system mode while it is on: from user mode to kernel mode, and back. */
	system_start(&whats[0]);
	system_start(&whats[1]);
	check_refused(&w, "kernel mode after user mode");
	system_start(&whats[0]);
	check_nobody(&w, "user mode after kernel mode");
	close(system_fd);
	check_nobody(&w, "after the close");
	watcher_end(&w);
}

/* Test a watcher that may see all counts. */
static void test_privileged(void)
{
	struct watcher w = watcher_new(true);

	system_fd = open_device();
	system_start(&whats[3]);
	watcher_look(&w);
	system_stop();
	check_little(&w, "who has the right, after system mode");
	watcher_end(&w);
}

static bool rdpmc_dies(bool with_page, bool privileged)
{
	struct raw raw;
	int status;
	pid_t pid;

	pid = child_fork();
	if (!pid) {
		if (!privileged)
			become_nobody();
		if (with_page)
			map();
		look(&raw, SYS_getppid, 0, 0);
		usleep(1000);
		look(&raw, SYS_getppid, 0, 0);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

/* Test a process that maps a page in system mode, and one without a page. */
static void test_refused(void)
{
	system_fd = open_device();
	system_start(&whats[1]);
	check(rdpmc_dies(false, false), "system mode: refused without a page");
	check(!rdpmc_dies(true, false), "and not with one");
	check(rdpmc_dies(false, true), "nor is it for root without one");
	check(!rdpmc_dies(true, true), "but with one");
	system_stop();
	check(rdpmc_dies(false, false), "after it: refused without a page");
	check(!rdpmc_dies(true, false), "and not with one");
}

/* Test a watcher that looks while system mode begins and ends. */
static void test_changes(void)
{
	struct watcher w = watcher_new(false);
	unsigned int i;

	system_fd = open_device();
	for (i = 0; i < 3; i++) {
		gate_open(&w.ask);
		usleep(1000 * (7 * i + 1));
		system_start(&whats[1]);
		usleep(20000);
		system_stop();
		gate_wait(&w.answer);
		check(w.seen->worst <= OWN,
		      "system mode comes and goes: %llu, across %s",
		      (unsigned long long)w.seen->worst, w.seen->call);
	}
	watcher_end(&w);
}

/* Test a watcher that root counts from outside. */
static void test_attached(void)
{
	struct watcher w = watcher_new(false);
	struct vpmc_start *start;
	unsigned int i;
	int fd;

	fd = hold(w.pid, 0);
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
		start = arg_of(&whats[i]);
		start->flags |= VPMC_START_FORCE;
		if (request(fd, VPMC_START, start))
			check(false, "start of the watcher");
		check_little(&w, whats[i].name);
		must_stop(fd);
		check_little(&w, "stopped");
	}
	close(fd);
	watcher_end(&w);
}

static void *call_the_kernel(void *tid)
{
	*(volatile pid_t *)tid = (pid_t)syscall(SYS_gettid);
	for (;;)
		getppid();
	return NULL;
}

/*
 * Test a watcher while root counts another thread of its process. The user-mode counts of that
 * thread are not secret, so check kernel mode only.
 */
static void test_threads(void)
{
	volatile pid_t *tid = shared(sizeof(*tid));
	struct gate go = gate_new(), done = gate_new();
	struct watcher w = { .ask = go,
			     .answer = done,
			     .seen = shared(sizeof(*w.seen)),
			     .stop = shared(sizeof(*w.stop)) };
	pthread_t id;
	unsigned int i;
	int fd;

	*tid = 0;
	*w.stop = false;
	w.pid = child_fork();
	if (!w.pid) {
		become_nobody();
		if (pthread_create(&id, NULL, call_the_kernel, (void *)tid))
			errx(2, "no thread");
		/* The process has given up its rights already, so watch() must not do it again. */
		watch(&w, true);
	}
	gate_wait(&w.answer);
	while (!*tid)
		usleep(1000);
	fd = hold(*tid, VPMC_ATTACH_THREAD);
	for (i = 0; i < sizeof(whats) / sizeof(whats[0]); i++) {
		struct vpmc_start *start = arg_of(&whats[i]);

		start->flags |= VPMC_START_FORCE;
		if (request(fd, VPMC_START, start))
			check(false, "start of a thread");
		if (whats[i].modes & KERNEL)
			check_little(&w, whats[i].name);
		must_stop(fd);
		if (whats[i].modes & KERNEL)
			check_little(&w, "stopped");
	}
	watcher_end(&w);
}

static volatile bool counts_beside;

/* Count kernel mode in this thread, and show the counts in its page. */
static void count_with_page(void)
{
	struct vpmc_start *start = arg_of(&whats[1]);

	start->flags = VPMC_START_FORCE;
	map();
	if (request(open_device(), VPMC_START, start))
		check(false, "a start with a page");
	counts_beside = true;
}

/* Count like count_with_page(), and sleep most of the time. */
static void *count_and_sleep(void *unused)
{
	(void)unused;
	usleep(20000);
	count_with_page();
	for (;;)
		usleep(3000);
	return NULL;
}

/*
 * Look in this thread while another thread of the process counts kernel mode, which that thread may
 * see. When this thread wakes up, the other one sleeps. The processor then switches to this thread
 * from a task without counters and without an mm.
 */
static void look_beside(const char *what)
{
	struct timespec nap = { .tv_nsec = 50000000 };
	struct seen seen = { .call = "nothing" };
	struct raw raw = {};
	pthread_t id;
	int i;

	catch_refused();
	if (pthread_create(&id, NULL, count_and_sleep, NULL))
		errx(2, "no thread");
	for (i = 0; i < 20; i++) {
		do
			nanosleep(&nap, NULL);
		while (!counts_beside);
		look(&raw, SYS_getppid, 0, 0);
		note(&seen, &raw, "getppid()");
		nap.tv_nsec = 7000000;
	}
	check(seen.worst <= OWN, "%s: %llu at most, across %s", what,
	      (unsigned long long)seen.worst, seen.call);
}

static void test_idle(void)
{
	stay_on(0);
	look_beside("another thread shows what it counts, and sleeps");
}

/* Like test_idle(), but this thread counts kernel mode too. It does not have a page. */
static void test_idle_counts(void)
{
	stay_on(0);
	if (request(open_device(), VPMC_START, arg_of(&whats[1])))
		check(false, "a start without a page");
	look_beside("beside one that counts the same, and has no page");
}

/* Count like count_with_page(), and let the first thread run. */
static void *count_and_yield(void *unused)
{
	(void)unused;
	count_with_page();
	for (;;)
		sched_yield();
	return NULL;
}

/*
 * Read the counter in this thread, which does not count. Another thread counts until the switch
 * to this thread. A kernel thread may run in between. RDPMC is refused then.
 */
static void look_next(const char *what)
{
	struct seen seen = { .call = "nothing" };
	struct raw raw = {};
	pthread_t id;
	unsigned int i;

	stay_on(0);
	catch_refused();
	if (pthread_create(&id, NULL, count_and_yield, NULL))
		errx(2, "no thread");
	while (!counts_beside)
		sched_yield();
	for (i = 0; i < LOOKS; i++) {
		look(&raw, SYS_sched_yield, 0, 0);
		note(&seen, &raw, "sched_yield()");
	}
	check(seen.worst <= OWN && seen.refused < seen.looks / 2,
	      "%s: %llu at most, across %s, refused %u times of %u", what,
	      (unsigned long long)seen.worst, seen.call, seen.refused,
	      seen.looks);
}

static void test_next(void)
{
	look_next("behind another thread that counts");
}

static void test_next_page(void)
{
	map();
	look_next("behind another thread that counts, and with a page");
}

/**
 * struct late - a thread that looks after its process has mapped a page
 * @mapped: gate that opens when the page is mapped
 * @done: gate that opens when the thread has looked
 * @tid: the thread's ID, which is set when the thread is about to sleep at @mapped
 * @seen: the findings of the thread
 */
struct late {
	struct gate mapped, done;
	volatile pid_t *tid;
	struct seen *seen;
};

static void *look_late(void *late)
{
	const struct late *l = late;
	struct raw raw = {};
	int i;

	*l->tid = (pid_t)syscall(SYS_gettid);
	gate_wait(&l->mapped);
	for (i = 0; i < LOOKS; i++) {
		look(&raw, SYS_getppid, 0, 0);
		note(l->seen, &raw, "getppid()");
	}
	gate_open(&l->done);
	pause_forever();
	return NULL;
}

static _Noreturn void map_late(struct late *l, const struct gate *started)
{
	pthread_t id;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	become_nobody();
	catch_refused();
	if (pthread_create(&id, NULL, look_late, l))
		errx(2, "no thread");
	gate_wait(started);
	map();
	gate_open(&l->mapped);
	gate_wait(&l->done);
	_exit(0);
}

/*
 * Test a thread that root counts while the thread sleeps. Another thread then maps the first page
 * of the process.
 */
static void test_late_page(void)
{
	struct late l = { .mapped = gate_new(),
			  .done = gate_new(),
			  .tid = shared(sizeof(*l.tid)),
			  .seen = shared(sizeof(*l.seen)) };
	struct gate started = gate_new();
	int status;
	pid_t pid;

	*l.tid = 0;
	*l.seen = (struct seen){ .call = "nothing" };
	stay_on(0);
	pid = child_fork();
	if (!pid)
		map_late(&l, &started);
	while (!*l.tid)
		usleep(1000);
	until_at_gate((uint32_t)*l.tid, &l.mapped);
	if (request(hold(*l.tid, VPMC_ATTACH_THREAD), VPMC_START,
		    arg_of(&whats[1])))
		check(false, "start of a thread without a page");
	gate_open(&started);
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "the watcher ends with status %#x", status);
	check(l.seen->worst <= OWN && l.seen->refused == l.seen->looks,
	      "a page mapped later: %llu at most, refused %u times of %u",
	      (unsigned long long)l.seen->worst, l.seen->refused,
	      l.seen->looks);
}

/* Check in a child that its counts are CLOSED to its reads and in its page. */
static void check_closed(const volatile struct vpmc_page *page)
{
	unsigned int i, shown = 0;
	struct raw raw = {};

	check(try_read(open_device(), VPMC_SCOPE_THREAD) == -EPERM,
	      "the child inherits what it may not read");
	for (i = 0; i < LOOKS; i++) {
		look(&raw, SYS_getppid, 0, 0);
		shown += raw.before[0] || raw.after[0] ||
			 (int64_t)page->count[0].high[0] >= 0 ||
			 (int64_t)page->count[0].high[1] >= 0;
	}
	check(!shown, "and its page shows it in %u of %u looks", shown, LOOKS);
}

/*
 * Test the child of a process that counts kernel mode as root, and gives up its rights before it
 * forks.
 */
static void test_child(void)
{
	const volatile struct vpmc_page *page = map();
	int status;
	pid_t pid;

	if (request(open_device(), VPMC_START, arg_of(&whats[1])))
		check(false, "a start with a page");
	become_nobody();
	pid = child_fork();
	if (!pid) {
		check_failures = 0;
		check_closed(page);
		_exit(check_status());
	}
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "the child ends with status %#x", status);
}

int main(void)
{
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	counter_mask = (UINT64_C(1) << counter_bits_here()) - 1;
	/*
	 * This test must come first, while RDPMC is not refused in this process. Later, threads are
	 * isolated from their beginning.
	 */
	run(test_late_page);
	run(test_neighbours);
	run(test_system);
	run(test_privileged);
	run(test_refused);
	run(test_changes);
	run(test_attached);
	run(test_threads);
	run(test_idle);
	run(test_idle_counts);
	run(test_next);
	run(test_next_page);
	run(test_child);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * restart SEED ROUNDS [meddle]: let several processes start, read, stop and start again, with the
 * same or other events, on fewer, more or other counters. Test that each start begins at zero, that
 * each count of user mode is exact, and that the parent's CHILDREN has the counts of all starts of
 * a child. With "meddle", another process reads these processes, starts and stops them, and takes
 * the counters away.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "seed.h"

#define PROCESSES 8
#define NR_EVENTS 2

/* All counts of this test are smaller than this, including those of kernel mode. */
#define MOST 4000000000ull

/* These are the counters that a start uses. */
enum { LEFT = 1, RIGHT = 2, BOTH = 3 };

/**
 * struct life - the state that a process shares with the other processes
 * @pid: its process ID
 * @total: the sum of the counts of all starts of its current child
 * @parts: the number of these starts
 */
struct life {
	pid_t pid;
	uint64_t total[NR_EVENTS];
	unsigned int parts;
};

static struct life *lives;

static bool meddle;

static volatile uint32_t word;

/* These are the arguments of the requests in run_span(). */
struct span {
	struct vpmc_start start;
	struct vpmc_read read;
	struct vpmc_stop stop;
};

/*
 * Run a span: a start, then several times a load, a store and a call of sched_yield(2), then a read
 * and a stop. Returns the OR of all results. @args has the handle, the number and the argument of
 * each of the three requests, the number of yields, and the address of the word to load and store.
 */
#ifdef __x86_64__
static int run_span(const script_word *args)
{
	int result;

	__asm__ volatile("movq	0(%1), %%rdi\n\t"
			 "movq	8(%1), %%rsi\n\t"
			 "movq	16(%1), %%rdx\n\t"
			 "movq	56(%1), %%rbx\n\t"
			 "movq	64(%1), %%r8\n\t"
			 "movl	$16, %%eax\n\t"
			 "syscall\n\t"
			 "movl	%%eax, %%r9d\n"
			 "1:\n\t"
			 "movl	(%%r8), %%eax\n\t"
			 "movl	%%eax, (%%r8)\n\t"
			 "movl	$24, %%eax\n\t"
			 "syscall\n\t"
			 "decl	%%ebx\n\t"
			 "jnz	1b\n\t"
			 "movq	24(%1), %%rsi\n\t"
			 "movq	32(%1), %%rdx\n\t"
			 "movl	$16, %%eax\n\t"
			 "syscall\n\t"
			 "orl	%%eax, %%r9d\n\t"
			 "movq	40(%1), %%rsi\n\t"
			 "movq	48(%1), %%rdx\n\t"
			 "movl	$16, %%eax\n\t"
			 "syscall\n\t"
			 "orl	%%r9d, %%eax"
			 : "=&a"(result)
			 : "r"(args)
			 : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r11",
			   "memory", "cc");
	return result;
}
#else
static int run_span(const script_word *args)
{
	int result;

	__asm__ volatile("pushl	%%ebx\n\t"
			 "pushl	%%ebp\n\t"
			 "movl	%%eax, %%ebp\n\t"
			 "movl	0(%%ebp), %%ebx\n\t"
			 "movl	4(%%ebp), %%ecx\n\t"
			 "movl	8(%%ebp), %%edx\n\t"
			 "movl	28(%%ebp), %%esi\n\t"
			 "movl	32(%%ebp), %%edi\n\t"
			 "movl	$54, %%eax\n\t"
			 "int	$0x80\n\t"
			 "pushl	%%eax\n"
			 "1:\n\t"
			 "movl	(%%edi), %%eax\n\t"
			 "movl	%%eax, (%%edi)\n\t"
			 "movl	$158, %%eax\n\t"
			 "int	$0x80\n\t"
			 "decl	%%esi\n\t"
			 "jnz	1b\n\t"
			 "movl	12(%%ebp), %%ecx\n\t"
			 "movl	16(%%ebp), %%edx\n\t"
			 "movl	$54, %%eax\n\t"
			 "int	$0x80\n\t"
			 "orl	%%eax, (%%esp)\n\t"
			 "movl	20(%%ebp), %%ecx\n\t"
			 "movl	24(%%ebp), %%edx\n\t"
			 "movl	$54, %%eax\n\t"
			 "int	$0x80\n\t"
			 "popl	%%edx\n\t"
			 "orl	%%edx, %%eax\n\t"
			 "popl	%%ebp\n\t"
			 "popl	%%ebx"
			 : "=a"(result)
			 : "0"(args)
			 : "ecx", "edx", "esi", "edi", "memory", "cc");
	return result;
}
#endif

static int go(int fd, struct span *s, uint32_t yields)
{
	const script_word args[] = { (script_word)fd, VPMC_START,  P(&s->start),
				     VPMC_READ,	      P(&s->read), VPMC_STOP,
				     P(&s->stop),     yields,	   P(&word) };

	return run_span(args);
}

/* Return the position of event @i among all events. */
static unsigned int place_of(uint32_t used, unsigned int i)
{
	return used == RIGHT || i ? 1 : 0;
}

static void prepare(struct span *s, uint32_t used, unsigned int modes,
		    unsigned int flags)
{
	unsigned int i, nr = used == BOTH ? 2 : 1;

	memset(s, 0, sizeof(*s));
	s->start.flags = flags;
	s->start.nr_events = nr;
	for (i = 0; i < nr; i++)
		s->start.event[i] = (struct vpmc_event)EVENT(
			code_here(place_of(used, i) ? BRANCHES : INSTRUCTIONS),
			counter_here(place_of(used, i)), (uint16_t)modes);
	s->start.size = sizeof(s->start);
	s->read.size = sizeof(s->read);
	s->stop.size = sizeof(s->stop);
}

/*
 * The counts of spans with one yield and with two: cost is the count at the read, end_cost at the
 * stop.
 */
static uint64_t cost[3][NR_EVENTS], end_cost[3][NR_EVENTS];

static void calibrate(void)
{
	struct vpmc_read last = { .size = sizeof(last) };
	int fd = open_device();
	unsigned int yields, k;
	struct span s;

	for (yields = 1; yields < 3; yields++) {
		for (k = 0; k < 2; k++) {
			prepare(&s, BOTH, 1, VPMC_START_FORCE);
			if (go(fd, &s, yields))
				errx(2, "span: %d", s.start.error);
			request(fd, VPMC_READ, &last);
		}
		for (k = 0; k < NR_EVENTS; k++) {
			cost[yields][k] = s.read.count[k];
			end_cost[yields][k] = last.count[k];
		}
	}
	check(cost[1][0] && cost[1][0] < 100, "a span: %llu %llu, %llu %llu",
	      (unsigned long long)cost[1][0], (unsigned long long)cost[1][1],
	      (unsigned long long)cost[2][0], (unsigned long long)cost[2][1]);
	close(fd);
}

static uint64_t expect(uint64_t which[3][NR_EVENTS], unsigned int k,
		       uint32_t yields)
{
	return which[1][k] + (yields - 1) * (which[2][k] - which[1][k]);
}

/*
 * Return whether no other process has interfered with the span. Another process may have stopped
 * it.
 */
static bool is_mine(const struct span *s, const struct vpmc_read *last)
{
	return s->read.start == s->start.start &&
	       s->read.generation == s->start.generation &&
	       s->stop.start == s->start.start &&
	       last->start == s->start.start &&
	       s->read.state == VPMC_STATE_RUNNING &&
	       last->state == VPMC_STATE_STOPPED;
}

/*
 * Return whether the last count is right. It can be smaller than @want if another process has
 * stopped the span before its own stop.
 */
static bool is_end(uint64_t read, uint64_t last, uint64_t want)
{
	return last == want || (meddle && last >= read && last < want);
}

static unsigned int nr_mine;

/* Run a span on the counters @used through one of two handles, and check its counts. */
static void check_span(const int *fds, uint32_t used, struct life *own,
		       bool kernel)
{
	struct vpmc_read last = { .size = sizeof(last) };
	unsigned int i, k, modes = kernel ? 3 : 1;
	uint32_t yields = 1 + below(12);
	struct span s;
	int result;

	prepare(&s, used, modes, below(4) ? 0 : VPMC_START_FORCE);
	if (below(2))
		s.start.size =
			offsetof(struct vpmc_start, event[s.start.nr_events]);
	if (below(2))
		s.read.size =
			offsetof(struct vpmc_read, count[s.start.nr_events]);
	result = go(fds[below(2)], &s, yields);
	request(fds[0], VPMC_READ, &last);
	if (meddle && (result || !is_mine(&s, &last))) {
		request(fds[0], VPMC_STOP, stop_arg());
		return;
	}
	nr_mine++;
	if (result || !is_mine(&s, &last)) {
		check(false, "span of %#x: %d", used, result);
		return;
	}
	for (i = 0; i < s.start.nr_events; i++) {
		k = place_of(used, i);
		if (!kernel && s.read.count[i] != expect(cost, k, yields))
			check(false, "%#x: event %u: %llu, not %llu", used, i,
			      (unsigned long long)s.read.count[i],
			      (unsigned long long)expect(cost, k, yields));
		if (!kernel && !is_end(s.read.count[i], last.count[i],
				       expect(end_cost, k, yields)))
			check(false, "%#x: event %u, stopped: %llu, not %llu",
			      used, i, (unsigned long long)last.count[i],
			      (unsigned long long)expect(end_cost, k, yields));
		if (last.count[i] > MOST || last.time[i] != last.tsc)
			check(false, "%#x: event %u: %llu, time", used, i,
			      (unsigned long long)last.count[i]);
		own->total[i] += last.count[i];
	}
	own->parts++;
}

static void drop_total(struct life *own)
{
	memset(own->total, 0, sizeof(own->total));
	own->parts = 0;
}

/* Be a child, which starts the same events as its parent again and again. */
static void be_child(struct life *own, uint32_t used, bool kernel,
		     unsigned int rounds)
{
	const int fds[2] = { open_device(), open_device() };
	struct vpmc_read last = { .size = sizeof(last) };
	unsigned int i;

	request(fds[0], VPMC_STOP, stop_arg());
	request(fds[0], VPMC_READ, &last);
	for (i = 0; i < NR_EVENTS; i++)
		own->total[i] = last.count[i];
	own->parts = 1;
	for (i = 0; i < rounds; i++)
		check_span(fds, used, own, kernel);
}

/* Run spans that change their counters now and then. */
static void be_changing(struct life *own, unsigned int rounds)
{
	const int fds[2] = { open_device(), open_device() };
	unsigned int i, used = LEFT;

	for (i = 0; i < rounds; i++) {
		if (!below(3))
			used = 1 + below(BOTH);
		check_span(fds, used, own, !below(4));
	}
}

static void check_child(struct life *own, unsigned int rounds)
{
	uint32_t used = 1 + below(BOTH);
	bool kernel = !below(4);
	struct vpmc_read r;
	int status, fd = open_device();
	unsigned int i;
	struct span s;
	pid_t pid;

	prepare(&s, used, kernel ? 3 : 1, VPMC_START_FORCE);
	if (request(fd, VPMC_START, &s.start) && !meddle)
		check(false, "start of the parent");
	drop_total(own);
	pid = fork();
	if (!pid) {
		be_child(own, used, kernel, rounds);
		_exit(check_failures > 0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "child: %#x", status);
	r = (struct vpmc_read){ .size = sizeof(r),
				.scope = VPMC_SCOPE_CHILDREN };
	if (!meddle && request(fd, VPMC_READ, &r))
		check(false, "CHILDREN");
	for (i = 0; !meddle && i < s.start.nr_events; i++)
		check(r.count[i] == own->total[i] && !r.other_events &&
			      !r.revoked,
		      "%#x: all of a child's %u starts: %llu of %llu, %u %u",
		      used, own->parts, (unsigned long long)r.count[i],
		      (unsigned long long)own->total[i], r.other_events,
		      r.revoked);
	request(fd, VPMC_STOP, stop_arg());
	close(fd);
}

static _Noreturn void live(unsigned int which, unsigned int rounds)
{
	struct life *own = &lives[which];
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = seed * 100 + which;
	for (i = 0; i < 4; i++) {
		check_child(own, rounds);
		be_changing(own, rounds);
	}
	if (!nr_mine)
		check(false, "nothing was seen");
	_exit(check_failures > 0);
}

/* Read one of the processes, and perhaps start or stop it. */
static void attack(int fd)
{
	struct vpmc_attach a = { .size = sizeof(a),
				 .flags = below(2) ? VPMC_ATTACH_THREAD : 0,
				 .id = lives[below(PROCESSES)].pid };
	struct vpmc_read r;
	struct span s;
	unsigned int i;

	if (request(fd, VPMC_ATTACH, &a))
		return;
	for (i = below(60); i > 0; i--) {
		r = (struct vpmc_read){ .size = sizeof(r) };
		r.scope = a.flags ? VPMC_SCOPE_THREAD : VPMC_SCOPE_SELF;
		if (!request(fd, VPMC_READ, &r) &&
		    (r.count[0] > MOST || r.count[1] > MOST))
			check(false, "seen by another: %llu %llu", r.count[0],
			      r.count[1]);
	}
	prepare(&s, 1 + below(BOTH), 1 + 2 * below(2), VPMC_START_FORCE);
	if (!below(3))
		request(fd, VPMC_START, &s.start);
	if (!below(3))
		request(fd, VPMC_STOP, stop_arg());
}

static void take_counters(int fd)
{
	struct span s;

	prepare(&s, BOTH, 1, VPMC_START_FORCE);
	request(fd, VPMC_SYSTEM_START, &s.start);
	usleep(below(500));
}

static _Noreturn void be_meddler(uint32_t own)
{
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = own;
	for (;;) {
		fd = open_device();
		if (below(16))
			attack(fd);
		else
			take_counters(fd);
		close(fd);
		usleep(below(300));
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds, i,
		cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	pid_t pid, meddler = 0;
	int status;

	seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
	rounds = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 40;
	meddle = argc > 3;
	lives = shared(PROCESSES * sizeof(*lives));
	code_here(INSTRUCTIONS);
	stop_arg();
	calibrate();
	fflush(stdout);
	for (i = 0; i < PROCESSES; i++) {
		if (i % 3)
			stay_on(i % cpus);
		pid = fork();
		if (!pid)
			live(i, rounds);
		lives[i].pid = pid;
	}
	if (meddle && !(meddler = fork()))
		be_meddler(seed);
	for (i = 0; i < PROCESSES; i++) {
		if (waitpid(lives[i].pid, &status, 0) != lives[i].pid || status)
			check(false, "a process: status %#x", status);
	}
	if (meddler)
		kill(meddler, SIGKILL);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * mixed SEED ROUNDS [meddle]: test that the counts of processes that switch to each other all the
 * time are exact in user mode. The processes count random sets of events, in random order and
 * modes, and with or without a page, signals and shared counters. With "meddle", another process
 * takes the counters away by system mode, or starts and stops these processes.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hold.h"
#include "seed.h"

#define PROCESSES 12
#define YIELDS	  24

/* This is the code of data writes on the Pentium. */
#define WRITES_P5 0x01

/*
 * These are the events of follow.h. On the Pentium, data writes, which happen, replace the event
 * that never happens.
 */
static uint64_t codes[NR_CODES];

static void choose_codes(void)
{
	unsigned int i;

	for (i = 0; i < NR_CODES; i++)
		codes[i] = code_here(i);
	if (only_first_interrupts_here())
		codes[NEVER_COUNTED] = WRITES_P5;
}

/* This is the number of times that each event happens in a block. */
static uint64_t *expected;

static bool meddle;

static volatile uint32_t word;

/*
 * Execute a block: read counts into A, then several times load, store and call sched_yield(2), and
 * then read counts into B. Returns the result of the last call. @args has the handle, VPMC_READ,
 * the addresses of A and B, the number of yields, and the address of the word to load and store.
 */
static int work(const script_word *args)
{
	int result;

#ifdef __x86_64__
	__asm__ volatile("movq	0(%1), %%rdi\n\t"
			 "movq	8(%1), %%rsi\n\t"
			 "movq	16(%1), %%rdx\n\t"
			 "movq	32(%1), %%rbx\n\t"
			 "movq	40(%1), %%r8\n\t"
			 "movl	$16, %%eax\n\t"
			 "syscall\n"
			 "1:\n\t"
			 "movl	(%%r8), %%eax\n\t"
			 "movl	%%eax, (%%r8)\n\t"
			 "movl	$24, %%eax\n\t"
			 "syscall\n\t"
			 "decl	%%ebx\n\t"
			 "jnz	1b\n\t"
			 "movq	24(%1), %%rdx\n\t"
			 "movl	$16, %%eax\n\t"
			 "syscall"
			 : "=&a"(result)
			 : "r"(args)
			 : "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r11",
			   "memory", "cc");
#else
	__asm__ volatile("pushl	%%ebx\n\t"
			 "pushl	%%ebp\n\t"
			 "movl	%%eax, %%ebp\n\t"
			 "movl	0(%%ebp), %%ebx\n\t"
			 "movl	4(%%ebp), %%ecx\n\t"
			 "movl	8(%%ebp), %%edx\n\t"
			 "movl	16(%%ebp), %%esi\n\t"
			 "movl	20(%%ebp), %%edi\n\t"
			 "movl	$54, %%eax\n\t"
			 "int	$0x80\n"
			 "1:\n\t"
			 "movl	(%%edi), %%eax\n\t"
			 "movl	%%eax, (%%edi)\n\t"
			 "movl	$158, %%eax\n\t"
			 "int	$0x80\n\t"
			 "decl	%%esi\n\t"
			 "jnz	1b\n\t"
			 "movl	12(%%ebp), %%edx\n\t"
			 "movl	$54, %%eax\n\t"
			 "int	$0x80\n\t"
			 "popl	%%ebp\n\t"
			 "popl	%%ebx"
			 : "=a"(result)
			 : "0"(args)
			 : "ecx", "edx", "esi", "edi", "memory", "cc");
#endif
	return result;
}

static int block(int fd, struct vpmc_read *a, struct vpmc_read *b,
		 uint32_t yields)
{
	const script_word args[6] = { (script_word)fd, VPMC_READ, P(a), P(b),
				      yields,	       P(&word) };

	return work(args);
}

static struct vpmc_read *reads(void)
{
	struct vpmc_read *r = shared(2 * sizeof(*r));

	memset(r, 0, 2 * sizeof(*r));
	return r;
}

static void begin_reads(struct vpmc_read *r, unsigned int scope)
{
	r[0].size = r[1].size = sizeof(*r);
	r[0].scope = r[1].scope = scope;
	r[0].flags = r[1].flags = 0;
}

static void calibrate(void)
{
	struct vpmc_start *start = shared(sizeof(*start));
	struct vpmc_read *r = reads();
	unsigned int i, k;
	int fd = open_device();

	for (i = 0; i < NR_CODES; i++) {
		*start = (struct vpmc_start){ .size = sizeof(*start),
					      .nr_events = 1,
					      .flags = VPMC_START_FORCE };
		start->event[0] =
			(struct vpmc_event)EVENT(codes[i], counter_here(0), 1);
		if (request(fd, VPMC_START, start))
			errx(2, "start");
		for (k = 0; k < 3; k++) {
			begin_reads(r, VPMC_SCOPE_THREAD);
			block(fd, &r[0], &r[1], YIELDS);
		}
		expected[i] = r[1].count[0] - r[0].count[0];
		printf("ok %#llx: %llu\n", (unsigned long long)codes[i],
		       (unsigned long long)expected[i]);
	}
	request(fd, VPMC_STOP, stop_arg());
	close(fd);
}

/*
 * These are the events and the state of a process. A @plain process never has a page, signals or
 * events that share counters, which need special handling in context switches.
 */
struct mine {
	struct vpmc_start start;
	unsigned int which[VPMC_MAX_EVENTS];
	bool alone[VPMC_MAX_EVENTS];
	struct vpmc_read r[2];
	struct vpmc_signal sig;
	uint64_t period[2], last[2];
	int fd;
	bool plain;
	bool page;
	bool signals;
};

/* Choose a random set of events. */
static void choose(struct mine *m)
{
	static const unsigned int modes[] = { 1, 1, 1, 1, 3, 2 };
	struct vpmc_start *s = &m->start;
	unsigned int i, k, counter = below(2);

	*s = (struct vpmc_start){ .size = sizeof(*s),
				  .flags = VPMC_START_FORCE,
				  .nr_events = 1 + below(2) };
	if (!m->plain && !below(4)) {
		s->nr_events = 3 + below(3);
		s->flags |= VPMC_START_MULTIPLEX;
	}
	for (i = 0; i < s->nr_events; i++) {
		m->which[i] = below(NR_CODES);
		if (i > 1)
			counter = below(3) ? counter : !counter;
		s->event[i] = (struct vpmc_event){
			.code = codes[m->which[i]],
			.counter = counter_here(counter),
			.modes = (uint16_t)modes[below(6)],
		};
		counter = !counter;
	}
	for (i = 0; i < s->nr_events; i++) {
		m->alone[i] = true;
		for (k = 0; k < s->nr_events; k++)
			if (k != i &&
			    s->event[k].counter == s->event[i].counter)
				m->alone[i] = false;
	}
}

static void describe(const struct mine *m, char *text)
{
	unsigned int i;

	text += sprintf(text, "%s%s", m->page ? "page " : "",
			m->signals ? "signals " : "");
	for (i = 0; i < m->start.nr_events; i++)
		text += sprintf(text, "%#llx@%u:%u ",
				(unsigned long long)m->start.event[i].code,
				m->start.event[i].counter,
				m->start.event[i].modes);
}

/* Drop pending signals of an earlier start. */
static void drain(void)
{
	const struct timespec now = {};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	while (sigtimedwait(&set, NULL, &now) > 0)
		;
}

static void begin(struct mine *m)
{
	unsigned int i, nr;
	int result;

	while ((result = request(m->fd, VPMC_START, &m->start)) == -EBUSY &&
	       meddle)
		sched_yield();
	if (result) {
		check(false, "start: %d reason %u", result, m->start.error);
		_exit(1);
	}
	drain();
	m->signals = !m->plain && !(m->start.flags & VPMC_START_MULTIPLEX) &&
		     !below(2);
	nr = m->start.nr_events;
	for (i = 0; m->signals && i < nr; i++) {
		m->period[i] = 50 + below(1000);
		m->last[i] = 0;
		m->sig = (struct vpmc_signal){ .size = sizeof(m->sig),
					       .event = i,
					       .signo = (uint32_t)SIGRTMIN + i,
					       .period = m->period[i] };
		result = request(m->fd, VPMC_SIGNAL, &m->sig);
		if (result && !meddle)
			check(false, "signal: %d", result);
	}
}

static void check_signals(struct mine *m, const char *text)
{
	const struct timespec now = {};
	unsigned int i;
	siginfo_t info;
	sigset_t set;
	uint64_t count, next;

	for (i = 0; m->signals && i < m->start.nr_events; i++) {
		sigemptyset(&set);
		sigaddset(&set, SIGRTMIN + (int)i);
		while (sigtimedwait(&set, &info, &now) > 0) {
			const struct vpmc_siginfo *v = (void *)&info.si_addr;

			count = v->count[0] | (uint64_t)v->count[1] << 32;
			if (v->event != i ||
			    v->start[0] != (uint32_t)m->start.start)
				check(false, "%ssignal of event %u", text,
				      v->event);
			next = (m->last[i] / m->period[i] + 1) * m->period[i];
			if (count < next)
				check(false, "%ssignal %u: %llu of %llu", text,
				      i, (unsigned long long)count,
				      (unsigned long long)next);
			m->last[i] = count;
		}
		/* A signal for a multiple that the block has passed must have come. */
		next = (m->last[i] / m->period[i] + 1) * m->period[i];
		if (m->r[0].count[i] < next && m->r[1].count[i] >= next &&
		    m->start.event[i].modes == 1)
			check(false, "%sno signal %u: %llu of %llu", text, i,
			      (unsigned long long)m->r[1].count[i],
			      (unsigned long long)next);
		if (m->last[i] > m->r[1].count[i] + 50000000)
			check(false, "%ssignal %u: %llu after %llu", text, i,
			      (unsigned long long)m->last[i],
			      (unsigned long long)m->r[1].count[i]);
	}
}

/* Return whether both reads have returned counts that the process itself has started. */
static bool is_mine(const struct mine *m)
{
	return m->r[0].generation == m->start.generation &&
	       m->r[1].generation == m->start.generation &&
	       m->r[0].start == m->start.start &&
	       m->r[1].start == m->start.start &&
	       m->r[0].state == VPMC_STATE_RUNNING &&
	       m->r[1].state == VPMC_STATE_RUNNING;
}

static bool child_is_mine(const struct mine *m)
{
	return m->r[0].generation == m->r[1].generation &&
	       m->r[0].start == m->start.start &&
	       m->r[1].start == m->start.start &&
	       m->r[0].state == VPMC_STATE_RUNNING &&
	       m->r[1].state == VPMC_STATE_RUNNING;
}

/* This is the number of blocks without interference of other processes. */
static unsigned int nr_mine;

static void check_block(struct mine *m)
{
	char text[400];
	unsigned int i;
	uint64_t d;

	begin_reads(m->r, below(2) ? VPMC_SCOPE_THREAD : VPMC_SCOPE_SELF);
	if (block(m->fd, &m->r[0], &m->r[1], YIELDS)) {
		check(false, "read");
		return;
	}
	if (meddle && !is_mine(m)) {
		m->signals = false;
		return;
	}
	nr_mine++;
	describe(m, text);
	for (i = 0; i < m->start.nr_events; i++) {
		d = m->r[1].count[i] - m->r[0].count[i];
		if (m->start.event[i].modes == 1 && m->alone[i]) {
			if (d != expected[m->which[i]])
				check(false, "%s: event %u: %lld, not %lld",
				      text, i, (long long)d,
				      (long long)expected[m->which[i]]);
			if (m->r[1].time[i] != m->r[1].tsc)
				check(false, "%s: time of event %u", text, i);
		} else if (m->start.event[i].modes == 1) {
			if (d > expected[m->which[i]])
				check(false,
				      "%s: event %u rotates: %lld of %lld",
				      text, i, (long long)d,
				      (long long)expected[m->which[i]]);
		} else if (d > 40000000) {
			check(false, "%s: event %u, kernel: %lld", text, i,
			      (long long)d);
		}
	}
	check_signals(m, text);
}

static void swap_events(struct vpmc_event *e)
{
	struct vpmc_event first = e[0];

	e[0] = e[1];
	e[1] = first;
}

static void resume_swapped(struct mine *m)
{
	struct vpmc_event *e = m->start.event;

	if (m->start.nr_events != 2 || !memcmp(&e[0], &e[1], sizeof(*e)))
		return;
	swap_events(e);
	if (request(m->fd, VPMC_START, &m->start) != -EINVAL ||
	    m->start.error != VPMC_REASON_RESUME)
		check(false, "resume in another order");
	swap_events(e);
}

/* Check that the counts equal @was. If @more is set, they can also be greater. */
static void check_since(struct mine *m, const struct vpmc_read *was, bool more)
{
	struct vpmc_read *now = &m->r[1];
	unsigned int i;

	begin_reads(m->r, VPMC_SCOPE_THREAD);
	request(m->fd, VPMC_READ, now);
	for (i = 0; i < m->start.nr_events; i++) {
		if (more ? now->count[i] < was->count[i]
			 : now->count[i] != was->count[i])
			check(false, "event %u: %llu after %llu", i,
			      now->count[i], was->count[i]);
	}
}

/* Stop and resume. A resume of the same events succeeds, and one with another order is refused. */
static void resume(struct mine *m)
{
	struct vpmc_read was = { .size = sizeof(was) };
	unsigned int i;

	if (request(m->fd, VPMC_STOP, stop_arg()) ||
	    request(m->fd, VPMC_READ, &was))
		check(false, "stop");
	m->start.flags ^= VPMC_START_FORCE | VPMC_START_RESUME;
	resume_swapped(m);
	for (i = 0; i < 3; i++)
		sched_yield();
	check_since(m, &was, false);
	if (request(m->fd, VPMC_START, &m->start))
		check(false, "resume");
	m->start.flags ^= VPMC_START_FORCE | VPMC_START_RESUME;
	check_since(m, &was, true);
}

/* Fork a child, and check its counts of a block. */
static void child(struct mine *m)
{
	unsigned int i;
	pid_t pid = fork();

	if (!pid) {
		struct vpmc_read *r = m->r;

		memset(r, 0, sizeof(m->r));
		int fd = open_device();

		for (i = 0; i < 2; i++) {
			begin_reads(r, VPMC_SCOPE_THREAD);
			if (block(fd, &r[0], &r[1], YIELDS) && !meddle)
				_exit(3);
		}
		for (i = 0;
		     i < m->start.nr_events && (!meddle || child_is_mine(m));
		     i++)
			if (m->start.event[i].modes == 1 && m->alone[i] &&
			    r[1].count[i] - r[0].count[i] !=
				    expected[m->which[i]])
				_exit(4);
		_exit(0);
	}
	int status;
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "child: %#x", status);
}

static _Noreturn void live(uint32_t own, unsigned int rounds)
{
	struct vpmc_map map = { .size = sizeof(map) };
	static struct mine own_sets;
	struct mine *m = &own_sets;
	unsigned int i, k;
	sigset_t set;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = own;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->fd = open_device();
	m->plain = below(2);
	m->page = !m->plain && !below(3) && !request(m->fd, VPMC_MAP, &map);
	for (i = 0; i < rounds; i++) {
		choose(m);
		begin(m);
		begin_reads(m->r, VPMC_SCOPE_THREAD);
		block(m->fd, &m->r[0], &m->r[1], 1);
		for (k = below(6); k > 0; k--)
			check_block(m);
		if (!meddle && !below(3)) {
			resume(m);
			check_block(m);
		}
		if (!below(4))
			child(m);
	}
	/* At least one of many blocks must have been without interference. */
	if (!nr_mine)
		check(false, "nothing was seen");
	_exit(check_failures > 0);
}

static pid_t *pids;

/*
 * Be the process that takes the counters away from all processes, or starts and stops one of them,
 * again and again.
 */
static _Noreturn void be_meddler(uint32_t own)
{
	static struct mine own_sets;
	struct mine *m = &own_sets;
	unsigned int what;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	seed = own;
	for (;;) {
		usleep(1000 + below(9000));
		choose(m);
		what = below(4);
		m->fd = open_device();
		if (!what) {
			m->start.flags = VPMC_START_FORCE;
			m->start.nr_events =
				m->start.nr_events > 2 ? 2 : m->start.nr_events;
			request(m->fd, VPMC_SYSTEM_START, &m->start);
			usleep(below(3000));
			if (below(2))
				request(m->fd, VPMC_SYSTEM_STOP, stop_arg());
		} else {
			struct vpmc_attach a = { .size = sizeof(a),
						 .id = pids[below(PROCESSES)] };

			if (!request(m->fd, VPMC_ATTACH, &a)) {
				request(m->fd, VPMC_START, &m->start);
				if (below(2))
					request(m->fd, VPMC_STOP, stop_arg());
			}
		}
		close(m->fd);
	}
}

int main(int argc, char **argv)
{
	unsigned int rounds, i,
		cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	int status;

	seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
	rounds = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 40;
	meddle = argc > 3;
	pids = shared(PROCESSES * sizeof(*pids));
	expected = shared(NR_CODES * sizeof(*expected));
	choose_codes();
	calibrate();
	fflush(stdout);
	for (i = 0; i < PROCESSES; i++) {
		if (i % 3)
			stay_on(i % cpus);
		pids[i] = fork();
		if (!pids[i])
			live(seed * 100 + i, rounds);
	}
	pid_t meddler = 0;
	if (meddle && !(meddler = fork()))
		be_meddler(seed);
	for (i = 0; i < PROCESSES; i++) {
		wait(&status);
		check(!status, "a process: status %#x", status);
	}
	if (meddler)
		kill(meddler, SIGKILL);
	return check_status();
}

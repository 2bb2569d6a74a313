// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline_step: test that a read returns the right counts if it is interrupted at any of its
 * instructions.
 *
 * A tracer executes the reading thread instruction by instruction. Between any two instructions the
 * thread is switched out. The tracer, or a process on the other processor, counts other events. The
 * thread then continues on the same processor or on the other one. In another test it gets a
 * signal, and the handler reads too. Its counts must be exact in all cases, even if the hardware
 * counter reaches its upper half, or wraps, during the read.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

#include "gain.h"
#include "inline.h"

#define ROUNDS INT64_C(3)
/*
 * ENTRY is the number of instructions at the beginning of inline_span() that save registers. SPAN
 * is the number of all its instructions.
 */
#ifdef __x86_64__
#define ENTRY (4 + 4)
#else
#define ENTRY (4 + 1)
#endif
#define SPAN (ENTRY + 18 + 1 + 2 * ROUNDS + 18 + 5 + 1 + 18 + 5)

/* This is the state that the traced thread and the tracer share. */
struct shown {
	struct inline_span span;
	struct vpmc_read read;
	bool exact;
	int64_t from, goal;
	/* These are the counts that a signal handler has read. */
	int64_t handled[1024];
	unsigned int nr_handled;
	bool handled_none;
};

static struct shown *shown;
static unsigned int processors;

/* The traced thread waits for the tracer here, at the cost of one instruction. */
#define STOP __asm__ __volatile__("int3" : : : "memory")

/* Return whether the counts equal the counts of the code in inline-32.S and inline-64.S. */
static bool is_exact(const struct shown *s)
{
	const struct inline_span *span = &s->span;
	const int64_t first = span->counts[0].count[0];
	const int64_t jumps = span->counts[0].count[1];

	return !span->result && first >= 0 && jumps >= 0 &&
	       span->counts[1].count[0] == first + 2 * ROUNDS + 19 &&
	       span->counts[1].count[1] == jumps + ROUNDS &&
	       (int64_t)s->read.count[0] == span->counts[1].count[0] + 20 &&
	       (int64_t)s->read.count[1] == span->counts[1].count[1] + 1 &&
	       span->after.count[0] == (int64_t)s->read.count[0] + 4 &&
	       span->after.count[1] == (int64_t)s->read.count[1];
}

static void prepare_read(void)
{
	shown->read = (struct vpmc_read){ .size = sizeof(shown->read),
					  .scope = VPMC_SCOPE_THREAD };
}

static void step_once(pid_t pid, int signo)
{
	int status;

	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, signo))
		err(2, "PTRACE_SINGLESTEP");
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		errx(2, "the traced thread has ended: %#x", status);
}

/* This is the offset of the instruction pointer in struct user. */
#ifdef __x86_64__
#define USER_IP ((long)offsetof(struct user, regs.rip))
#else
#define USER_IP ((long)offsetof(struct user, regs.eip))
#endif

static uintptr_t place_of(pid_t pid)
{
	long place;

	errno = 0;
	place = ptrace(PTRACE_PEEKUSER, pid, USER_IP, NULL);
	if (errno)
		err(2, "PTRACE_PEEKUSER");
	return (uintptr_t)place;
}

/* This is the end of inline_span(). */
extern const char inline_span_end[];

static bool is_in_span(uintptr_t place)
{
	return place >= (uintptr_t)inline_span &&
	       place < (uintptr_t)inline_span_end;
}

static void move(pid_t pid, unsigned int n)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(n % processors, &set);
	if (sched_setaffinity(pid, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

static bool is_at_stop(pid_t pid)
{
	siginfo_t info;

	if (ptrace(PTRACE_GETSIGINFO, pid, NULL, &info))
		err(2, "PTRACE_GETSIGINFO");
	if (info.si_signo != SIGTRAP)
		errx(2, "the traced thread got signal %d", info.si_signo);
	/* A single step reports another code. */
	return info.si_code == SI_KERNEL;
}

/* Step through the instructions between two stops. Returns the number of steps in inline_span(). */
static unsigned int step_to_stop(pid_t pid, bool moves)
{
	unsigned int steps = 0, in_span = 0;

	do {
		if (moves)
			move(pid, steps);
		in_span += is_in_span(place_of(pid));
		step_once(pid, 0);
		steps++;
	} while (!is_at_stop(pid));
	return in_span;
}

/* Execute the instructions between two stops. */
static void go_to_stop(pid_t pid)
{
	int status;

	if (ptrace(PTRACE_CONT, pid, NULL, 0))
		err(2, "PTRACE_CONT");
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    !is_at_stop(pid))
		errx(2, "the traced thread does not stop: %#x", status);
}

/* Create a process that stops at its beginning, then calls @function, and exits. */
static pid_t trace(void (*function)(void))
{
	pid_t pid = fork();
	struct vpmc *vpmc;
	int status;

	if (!pid) {
		/* The process may have inherited the tracer's count, so start by force. */
		vpmc = open_handle();
		must(vpmc_start(vpmc, events_of(FIRST), 2, VPMC_FORCE, &error),
		     "start");
		must(vpmc_map(vpmc, &error), "map");
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			err(2, "PTRACE_TRACEME");
		function();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		errx(2, "no traced thread");
	return pid;
}

static void read_between_stops(void)
{
	int fd = open_device();

	for (;;) {
		prepare_read();
		STOP;
		inline_span(&shown->span, ROUNDS, fd, &shown->read);
		STOP;
	}
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void check_stepped(bool moves, const char *what)
{
	pid_t pid = trace(read_between_stops);
	unsigned int i, steps;

	for (i = 0; i < 5; i++) {
		memset(&shown->span, 0xff, sizeof(shown->span));
		steps = step_to_stop(pid, moves);
		check(is_exact(shown) && steps == (unsigned int)SPAN,
		      "%s: exact, stepped at %u of %u instructions", what,
		      steps, (unsigned int)SPAN);
		go_to_stop(pid);
	}
	end(pid);
}

static void test_steps(void)
{
	check_stepped(false, "a tracer that does not count");
	check_stepped(true, "moved at each instruction");
}

static void test_others(void)
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_start(vpmc, events_of(OTHER), 2, 0, &error), "start");
	check_stepped(false, "a tracer that counts other events");
	check_stepped(true, "the same, moved");
	must(vpmc_map(vpmc, &error), "map");
	check_stepped(false, "a tracer that reads by itself, too");
	check_stepped(true, "the same, moved");
}

/* This is the bit of RDPMC's result that chooses the word of the page. */
#define BIT_31 ((int64_t)1 << 31)

/* Increase a count from @from to @goal. On the Pentium 4 the other count gains as much. */
static void advance(unsigned int counter, int64_t from, int64_t goal)
{
	const unsigned int only = GAIN_NOT(!counter);
	int64_t amount = goal - from;

	if (gain(LEAF_GAIN_MEGA, (unsigned int)(amount >> 20) | only) < 0 ||
	    gain(LEAF_GAIN, (unsigned int)(amount & 0xfffff) | only) < 0)
		errx(2, "the emulator does not let counters gain events");
}

/*
 * The distance between the count at the beginning of the span and the crossing. A crossing is a
 * multiple of 2^31, where the counter reaches its upper half or wraps.
 */
static unsigned int crossing;
static unsigned int crossed_counter;

static void cross_between_stops(void)
{
	int fd = open_device();
	int64_t goal = BIT_31;

	for (crossing = 0;; crossing++, goal += BIT_31) {
		prepare_read();
		shown->goal = goal;
		STOP;
		advance(crossed_counter, vpmc_count(crossed_counter),
			goal - crossing);
		inline_span(&shown->span, ROUNDS, fd, &shown->read);
		STOP;
	}
}

/*
 * Try this many distances. The smallest puts the crossing before the span, and the greatest after
 * it.
 */
#define CROSSINGS 120

static void check_crossings(unsigned int counter, bool moves, const char *what)
{
	unsigned int i, within = 0, inexact = 0, before = 0;
	int64_t first, last;
	pid_t pid;

	crossed_counter = counter;
	pid = trace(cross_between_stops);
	for (i = 0; i < CROSSINGS; i++) {
		memset(&shown->span, 0xff, sizeof(shown->span));
		step_to_stop(pid, moves);
		inexact += !is_exact(shown);
		first = shown->span.counts[0].count[counter];
		last = shown->span.after.count[counter];
		within += first < shown->goal && last >= shown->goal;
		before += last < shown->goal;
		go_to_stop(pid);
	}
	end(pid);
	/* The crossing has been at each instruction after the first RDPMC. */
	check(!inexact && (counter || within >= 2 * ROUNDS + 19 + 20 + 4) &&
		      within && before,
	      "%s, counter %u: %u inexact, %u crossings within, %u behind",
	      what, counter, inexact, within, before);
}

static void test_crossings(void)
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_start(vpmc, events_of(OTHER), 2, 0, &error), "start");
	check_crossings(0, false, "crossing");
	check_crossings(1, false, "crossing");
	check_crossings(0, true, "crossing, moved");
	check_crossings(1, true, "crossing, moved");
}

/*
 * Return the difference of two reads. Between them the kernel does not read the counters, except at
 * a rare tick.
 */
static __attribute__((noinline)) int64_t gain_between(void)
{
	int64_t before = vpmc_count(0);

	if (gain(LEAF_GAIN, 2000 | GAIN_NOT(1)) < 0)
		errx(2, "the emulator does not let counters gain events");
	return vpmc_count(0) - before;
}

/*
 * This is an eighth of a round, which is 2^32 events. The kernel must read the counters at least
 * once in a quarter of a round.
 */
#define EIGHTH (BIT_31 / 4)

/*
 * Test that the page already has the right word for the next half of a round when the counter
 * reaches that half.
 */
static void test_unseen(void)
{
	enum { NR = 40 };
	struct vpmc *vpmc = mapped();
	int64_t goal, count, share = gain_between();
	unsigned int i, wrong = 0;
	struct vpmc_counts looked;

	for (i = 0; i < NR; i++) {
		goal = (i + 1) * BIT_31 - 1000;
		while ((count = vpmc_count(0)) >= 0 && count < goal) {
			advance(0, count,
				count + EIGHTH < goal ? count + EIGHTH : goal);
			must(vpmc_read(vpmc, VPMC_THREAD, &looked, &error),
			     "read");
		}
		wrong +=
			gain_between() != share || vpmc_count(0) >> 31 != i + 1;
	}
	check(!wrong && share > 2000, "%u of %u halves begin wrongly", wrong,
	      NR);
}

static void handle(int signo)
{
	int64_t count = vpmc_count(0);

	(void)signo;
	shown->handled[shown->nr_handled++ % 1024] = count;
}

static void read_with_handler(void)
{
	signal(SIGUSR1, handle);
	read_between_stops();
}

/* Step through the span, and send a signal before each instruction. */
static void step_with_signals(pid_t pid)
{
	uintptr_t place;

	do {
		place = place_of(pid);
		if (is_in_span(place)) {
			step_once(pid, SIGUSR1);
			/* Step through the handler, back to the interrupted instruction. */
			while (place_of(pid) != place)
				step_once(pid, 0);
		}
		step_once(pid, 0);
	} while (!is_at_stop(pid));
}

/*
 * Return the number of instructions of a handler. It must be the same for each interrupted
 * instruction.
 */
static int64_t handlers_share(void)
{
	long long share = shown->handled[1] - shown->handled[0] - 1;
	unsigned int i;
	bool same = true;

	for (i = 1; i < shown->nr_handled; i++)
		same &= shown->handled[i] - shown->handled[i - 1] == share + 1;
	check(same && shown->handled[0] >= 0 &&
		      shown->nr_handled == (unsigned int)SPAN,
	      "%u handlers, each of %lld instructions", shown->nr_handled,
	      share);
	return share;
}

static void test_signals_between(void)
{
	const struct inline_span *s = &shown->span;
	int64_t share, first;
	pid_t pid;

	shown->nr_handled = 0;
	pid = trace(read_with_handler);
	step_with_signals(pid);
	share = handlers_share();
	first = s->counts[0].count[0];
	/* A handler has run before each instruction, also before the last RDPMC. */
	check(first >= 0 && s->counts[1].count[0] ==
				    first + (2 * ROUNDS + 19) * (share + 1),
	      "a read with a handler before each instruction");
	check((int64_t)shown->read.count[0] ==
			      s->counts[1].count[0] + 20 + 19 * share &&
		      s->after.count[0] ==
			      (int64_t)shown->read.count[0] + 4 + 5 * share,
	      "and what is read by system call");
	end(pid);
}

/*
 * This is the number of halves of a round that a long handler takes. It is odd, so that each
 * handler changes the half.
 */
#define HALVES 3

/* A greater number than the instructions of a mark. */
#define MARK_STEPS 120

/* This is the flag with which each instruction raises SIGTRAP. */
#define TRAP 0x100U

static volatile unsigned int steps_left, long_handlers;
static int trap_fd;

/*
 * Let the counters gain HALVES halves of a round. The kernel reads the counters in each quarter of
 * a round.
 */
static void take_long(void)
{
	const int both = 1 << counter_here(0) | 1 << counter_here(1);
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_THREAD };
	unsigned int i;

	for (i = 0; i < 4 * HALVES; i++)
		if (gain(LEAF_GAIN_MEGA, BIT_31 / 4 >> 20) != both ||
		    request(trap_fd, VPMC_READ, &read))
			errx(2, "a long handler");
	long_handlers++;
}

static void handle_trap(int signo, siginfo_t *info, void *context)
{
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signo;
	(void)info;
	if (steps_left--)
		return;
	take_long();
	regs[REG_EFL] &= ~(greg_t)TRAP;
}

/*
 * Return the number of handlers that had run when the count had this value, or -1 if it never had
 * it.
 */
static int64_t handlers_at(uint64_t count)
{
	int64_t halves = (int64_t)(count / BIT_31);

	return count % BIT_31 < BIT_31 / 2 && halves % HALVES == 0
		       ? halves / HALVES
		       : -1;
}

static bool is_of_one_moment(const struct vpmc_snapshot *mark,
			     unsigned int before)
{
	int64_t at = handlers_at(mark->count[0]);

	return handlers_at(mark->count[1]) == at && at >= before &&
	       at <= long_handlers;
}

/*
 * Test marks that are interrupted by a handler that takes more than a round. Each mark is
 * interrupted before another of its instructions. The thread is not switched out. The sum that the
 * mark is reading is wrong then, so the mark must read again.
 */
static void test_long_handlers(void)
{
	struct sigaction action = { .sa_sigaction = handle_trap,
				    .sa_flags = SA_SIGINFO };
	unsigned int n, before, wrong = 0;
	struct vpmc_snapshot mark = { .nr = 0 };

	trap_fd = open_device();
	sigaction(SIGTRAP, &action, NULL);
	mapped();
	for (n = 0; n < MARK_STEPS; n++) {
		before = long_handlers;
		steps_left = n;
		__writeeflags(__readeflags() | TRAP);
		wrong += vpmc_mark(&mark) || !is_of_one_moment(&mark, before);
		__writeeflags(__readeflags() & ~TRAP);
	}
	check(!wrong && long_handlers > MARK_STEPS / 2,
	      "%u of %u marks with %u handlers of more than a round are wrong",
	      wrong, n, long_handlers);
}

/* Create a process that counts other events on the second processor, if there is one. */
static void start_neighbour(void)
{
	struct vpmc *vpmc;

	if (processors < 2 || fork())
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	vpmc = open_handle();
	must(vpmc_start(vpmc, events_of(OTHER), 2, 0, &error), "neighbour");
	for (;;)
		;
}

int main(void)
{
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	shown = shared(sizeof(*shown));
	start_neighbour();
	/* If the traced process is not moved, it runs on the processor of the tracer. */
	stay_on(0);
	test_steps();
	run(test_others);
	run(test_crossings);
	run(test_unseen);
	test_signals_between();
	run(test_long_handlers);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sweep [-a] [-i INTRUSION] [OPERATION...]: interrupt operations at each instruction of the driver.
 * With -a, interrupt them at each instruction of the kernel.
 *
 * A script repeats the operation while it counts itself. In the first run the clock ticks at the
 * first instruction, in the second run at the second instruction, and so on, until the operation
 * ends before the tick. In each run all counts and answers must be exact.
 *
 * With -i, the interrupt wakes up an intruder instead, on the same processor or on another
 * processor. The intruder acts on the process. The results must equal the results of one of the
 * two orders of the operation and the action. They must change from one order to the other at one
 * instruction.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sweep.h"

/*
 * The largest number of changes of an answer from one instruction to the next. An answer changes
 * once to the answer of the other order. If the clock has ticked by itself at that moment, the
 * answer changes back and forth once more.
 */
#define MOST_CHANGES 3

/* This is the action of the intruder, or NULL for clock ticks. */
static const struct intrusion *intrusion;

void sweep_begin(struct sweep *s, struct script *by)
{
	s->before = s->script.cost;
	s->after = script_interrupt(by, s->irq, s->range);
}

void sweep_end(struct sweep *s)
{
	script_interrupt_end(&s->script, s->left);
}

static struct expected *expect(struct sweep *s)
{
	if (s->nr_expected == MAX_EXPECTED)
		errx(2, "MAX_EXPECTED");
	return &s->expected[s->nr_expected++];
}

void sweep_result(struct sweep *s, struct script *by, int value)
{
	struct expected *e = expect(s);

	e->result = shared(sizeof(*e->result));
	e->value = (uint32_t)value;
	script_save(by, e->result);
}

void sweep_called(struct sweep *s, enum called called)
{
	s->expected[s->nr_expected - 1].called = called;
}

void sweep_start(struct sweep *s, unsigned int flags)
{
	s->start = start_arg(FIRST, flags);
	script_start(&s->script, s->fd, s->start);
	sweep_result(s, &s->script, 0);
	if (!(flags & VPMC_START_FORCE))
		sweep_called(s, START);
}

void sweep_call_(struct sweep *s, struct script *by, int value,
		 const script_word call[7])
{
	script_call_(by, call);
	sweep_result(s, by, value);
}

void sweep_ioctl(struct sweep *s, struct script *by, int fd, uint32_t what,
		 void *arg)
{
	sweep_call(s, by, 0, SYS_ioctl, (uint32_t)fd, what, P(arg));
}

static struct expected *expect_read(struct sweep *s, struct vpmc_read *read)
{
	struct expected *e = expect(s);

	e->read = read;
	e->cost = script_read(&s->script, s->fd, read);
	return e;
}

void sweep_read(struct sweep *s, struct vpmc_read *read)
{
	expect_read(s, read);
}

void sweep_self(struct sweep *s)
{
	struct expected *e = expect_read(s, read_arg(VPMC_SCOPE_SELF));

	e->cost = cost_add(e->cost, s->others);
}

void sweep_children(struct sweep *s, struct cost cost)
{
	expect_read(s, read_arg(VPMC_SCOPE_CHILDREN))->cost = cost;
}

struct vpmc_signal *signal_arg(unsigned int event)
{
	struct vpmc_signal *arg = shared(sizeof(*arg));

	*arg = (struct vpmc_signal){
		.size = sizeof(*arg),
		.event = event,
		.signo = (unsigned int)SIGRTMIN,
		.period = 3,
	};
	return arg;
}

static void finish(struct sweep *s)
{
	sweep_self(s);
	sweep_ioctl(s, &s->script, s->fd, VPMC_STOP, stop_arg());
	script_back(&s->script);
}

static bool are_counts_of_start(const struct sweep *s,
				const struct vpmc_read *read)
{
	return read->start == s->start->start &&
	       read->generation == s->start->generation;
}

/* These are the kinds of answers of a read. */
enum says { EXACT, STOPPED, OTHERS, WRONG };

/*
 * Return whether the answer is that of ALL after a start that has other events and does not
 * collect. ALL continues, and reports one missing count.
 */
static bool is_all_with_others(const struct vpmc_read *read, struct cost most)
{
	return read->scope == VPMC_SCOPE_ALL && read->other_events == 1 &&
	       is_between(read, (struct cost){ 0, 0 }, most);
}

static enum says what_says(const struct sweep *s, const struct expected *e)
{
	const struct vpmc_read *read = e->read;
	struct cost low = read->scope == VPMC_SCOPE_CHILDREN
				  ? (struct cost){ 0, 0 }
				  : s->before;

	if (!are_counts_of_start(s, read) || is_all_with_others(read, e->cost))
		return OTHERS;
	if (is_between(read, e->cost, e->cost) && !read->other_events &&
	    !read->revoked)
		return EXACT;
	if (read->state != VPMC_STATE_RUNNING && is_between(read, low, e->cost))
		return STOPPED;
	return WRONG;
}

/* Return whether the intruder has acted in this run. */
static bool has_acted(const struct sweep *s)
{
	return s->intruder && !*s->left;
}

static bool may_say(const struct sweep *s, enum says says)
{
	switch (says) {
	case EXACT:
		return true;
	case STOPPED:
		return has_acted(s) && s->intruder->intrusion->stops;
	case OTHERS:
		return has_acted(s) && s->intruder->intrusion->renews;
	default:
		return false;
	}
}

static enum says check_counts(const struct sweep *s, uint32_t n,
			      const struct expected *e)
{
	enum says says = what_says(s, e);

	if (!may_say(s, says)) {
		check(false,
		      "at instruction %u: scope %u, state %u, generation %llu, start %llu of %llu, %llu",
		      n, e->read->scope, e->read->state, e->read->generation,
		      e->read->start, s->start->generation, s->start->start);
		check_read(e->read, e->cost, 0, "counts");
	}
	return says;
}

/* These are the calls whose result after an intrusion differs from their result before it. */
static const struct behind {
	const char *intrusion;
	enum called called;
	int result;
} behind[] = {
	/* The intruder has started the process, so the process counts. */
	{ "start", START, -EBUSY },
	{ "start", SYSTEM_START, -EBUSY },
	{ "start", SYSTEM_REST, -ENODATA },
	/* A process that has lost the counters does not get signals. */
	{ "system", SIGNAL, -ENODATA },
	{ "system", CHILDS_SIGNAL, -ENODATA },
	/* A child does not inherit from a process that has stopped. */
	{ "stop", CHILDS_SIGNAL, -ENODATA },
};

static bool is_behind(const struct sweep *s, const struct expected *e)
{
	const struct behind *b;

	for (b = behind; b < behind + sizeof(behind) / sizeof(*b); b++) {
		if (b->called == e->called && b->result == (int)*e->result &&
		    !strcmp(b->intrusion, s->intruder->intrusion->name))
			return true;
	}
	return false;
}

static uint32_t check_result(const struct sweep *s, uint32_t n,
			     const struct expected *e)
{
	if (*e->result != e->value && !(has_acted(s) && is_behind(s, e)))
		check(false, "at instruction %u: call %u: result %d want %d", n,
		      (unsigned int)(e - s->expected), (int)*e->result,
		      (int)e->value);
	return *e->result;
}

static void check_run(struct sweep *s, uint32_t n)
{
	struct expected *e;
	uint32_t answer;

	for (e = s->expected; e < s->expected + s->nr_expected; e++) {
		answer =
			e->read ? check_counts(s, n, e) : check_result(s, n, e);
		e->changes += n > 1 && !*s->left && answer != e->answer;
		e->answer = answer;
	}
}

/*
 * Overwrite the results of the last run, so that they are not mistaken for results of the next
 * run.
 */
static void forget(struct sweep *s)
{
	struct expected *e;

	s->start->generation = 0;
	s->start->start = 0;
	for (e = s->expected; e < s->expected + s->nr_expected; e++) {
		if (e->read)
			memset(&e->read->state, 0xff,
			       sizeof(*e->read) -
				       offsetof(struct vpmc_read, state));
		else
			*e->result = 0xff;
	}
}

/*
 * Check the counts that the intruder has read. They must equal the counts of the process at that
 * moment.
 */
static void check_seen(const struct sweep *s, uint32_t n)
{
	const struct vpmc_read *seen = s->intruder->seen;

	if (seen->size && are_counts_of_start(s, seen) &&
	    !is_between(seen, s->before, s->expected[s->nr_expected - 2].cost))
		check(false, "at instruction %u: seen %llu %llu", n,
		      seen->count[0], seen->count[1]);
}

/*
 * Wait until the last thread has been released, because it may run its exit hook after it was
 * joined.
 */
static void await_thread_end(const struct sweep *s)
{
	while (s->thread &&
	       !syscall(SYS_tgkill, getpid(), (pid_t)*s->thread, 0))
		sched_yield();
}

/* Run the operation once. Returns whether it was interrupted. */
static bool run_once(struct sweep *s, uint32_t n)
{
	*s->after = n;
	*s->left = n;
	forget(s);
	script_run(&s->script);
	await_thread_end(s);
	if (has_acted(s)) {
		intruder_await(s->intruder);
		check_seen(s, n);
	}
	check_run(s, n);
	return !*s->left;
}

/*
 * This is the number of runs that may end without an interrupt. A process that yields may
 * continue at once, and then executes too few instructions.
 */
#define MISSES 20

/*
 * Run the operation with an interrupt at each of its instructions. Returns their number, which is
 * greater than @least.
 */
static uint32_t run_all(struct sweep *s, unsigned int least)
{
	unsigned int misses = 0;
	uint32_t n = 1;

	while (misses < MISSES) {
		if (run_once(s, n))
			n++;
		else if (n - 1 > least)
			break;
		else
			misses++;
	}
	return n - 1;
}

/*
 * Check that each answer changes only once, from the answer of one order to the answer of the other
 * order.
 */
static void check_changes(const struct sweep *s, const char *name)
{
	const struct expected *e;

	for (e = s->expected; e < s->expected + s->nr_expected; e++) {
		if (e->changes > MOST_CHANGES)
			check(false, "%s: answer %u changes %u times", name,
			      (unsigned int)(e - s->expected), e->changes);
	}
}

static struct sweep sweep_of(const struct operation *operation,
			     struct range range)
{
	struct sweep s = {
		.irq = IRQ_TIMER,
		.range = range,
		.script = script_new(),
		.left = shared(sizeof(*s.left)),
		.fd = open_device(),
		.other = open_device(),
	};

	if (intrusion)
		s.irq = IRQ_WAKE;
	signal(SIGRTMIN, SIG_IGN);
	/* Start and stop here, so that each run begins in the same state. */
	script_start(&s.script, s.fd, start_arg(FIRST, VPMC_START_FORCE));
	script_stop(&s.script, s.fd, stop_arg());
	s.script.cost = (struct cost){ 0, 0 };
	operation->add(&s);
	finish(&s);
	return s;
}

/* Return the processor of the intruder. The process runs on the first processor. */
static unsigned int last_processor(void)
{
	return (unsigned int)sysconf(_SC_NPROCESSORS_ONLN) - 1;
}

static void sweep_all(const struct operation *operation, struct range range,
		      const char *where, unsigned int least)
{
	struct sweep s = sweep_of(operation, range);
	struct intruder intruder;
	uint32_t n;

	if (intrusion) {
		intruder = intruder_create(intrusion, last_processor());
		s.intruder = &intruder;
	}
	n = run_all(&s, least);
	check(n > least, "%s: %u of %s instructions", operation->name, n,
	      where);
	/* Outside the driver, the same number is not the same instruction in each run. */
	if (range.low)
		check_changes(&s, operation->name);
}

static const struct operation *chosen;
static bool everywhere;

static void sweep_chosen(void)
{
	/* Operations that rarely call the driver are short, so interrupt the whole kernel. */
	if (everywhere || !chosen->least)
		sweep_all(chosen, EVERYTHING, "all", 2 * chosen->least);
	else
		sweep_all(chosen, driver_text(), "the driver's", chosen->least);
}

static bool is_wanted(const char *name, char **names)
{
	unsigned int i;

	for (i = 0; names[i]; i++) {
		if (!strcmp(name, names[i]))
			return true;
	}
	return !names[0];
}

static void sweep_wanted(const struct operation *operations, unsigned int nr,
			 char **names)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		chosen = &operations[i];
		if (is_wanted(chosen->name, names))
			run(sweep_chosen);
	}
}

/* Check that the driver can be unloaded soon after the interrupted operations. */
static void check_unload(void)
{
	int tries = 1000;

	while (syscall(SYS_delete_module, "vpmc", O_NONBLOCK) && tries--)
		usleep(10000);
	check(access("/sys/module/vpmc", F_OK), "the driver is unloaded");
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "ai:")) != -1) {
		if (option == 'a')
			everywhere = true;
		else if (option == 'i')
			intrusion = intrusion_named(optarg);
		else
			return EXIT_FAILURE;
	}
	set_turns(0, 0);
	stay_on(0);
	if (intrusion)
		intruder_load(last_processor());
	sweep_wanted(sweep_calls, nr_sweep_calls, argv + optind);
	sweep_wanted(sweep_lives, nr_sweep_lives, argv + optind);
	check_unload();
	return check_status();
}

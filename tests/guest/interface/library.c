// SPDX-License-Identifier: GPL-2.0-only
/*
 * library: test libvpmc with the real driver. The subjects are attached processes, signals,
 * multiplexed events and folded counts. Each refusal must have its code and its sentence.
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

#include "library.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

struct vpmc_event_sel first[2], other[2];

struct vpmc_error error;

struct vpmc_event_sel any_counter(unsigned int which)
{
	return (struct vpmc_event_sel){ code_here(which), VPMC_ANY_COUNTER,
					VPMC_USER };
}

unsigned int one_too_many(struct vpmc_event_sel sel[VPMC_MAX_EVENTS])
{
	unsigned int i, nr = counters_here();

	for (i = 0; i <= nr; i++) {
		sel[i] = any_counter(i < nr ? INSTRUCTIONS : CLOCKS);
		sel[i].code = general_code_here(i < nr ? INSTRUCTIONS : CLOCKS);
	}
	return nr + 1;
}

void must(int result, const char *what)
{
	if (result)
		check(false, "%s: %s", what, error.text);
}

void refused(int result, enum vpmc_code want, const char *what)
{
	check(result == (int)want && error.code == want && error.text[0],
	      "%s: %d want %d: %s", what, result, want, error.text);
	memset(&error, 0, sizeof(error));
}

struct vpmc *open_handle(void)
{
	struct vpmc *vpmc;

	if (vpmc_open(&vpmc, &error))
		errx(2, "%s", error.text);
	return vpmc;
}

struct vpmc_counts counts_of(struct vpmc *vpmc, enum vpmc_whose whose)
{
	struct vpmc_counts counts = { .nr = 0 };

	must(vpmc_read(vpmc, whose, &counts, &error), "read");
	return counts;
}

void check_counts(struct vpmc *vpmc, enum vpmc_whose whose, struct cost want,
		  unsigned int activity, const char *what)
{
	struct vpmc_counts c = counts_of(vpmc, whose);

	check(c.nr == 2 && c.count[0] == want.instructions &&
		      c.count[1] == want.branches && !c.other_events &&
		      !c.revoked && c.activity == activity &&
		      !vpmc_is_projected(&c, 0) && !vpmc_is_projected(&c, 1) &&
		      (!vpmc_generation(vpmc) ||
		       c.generation == vpmc_generation(vpmc)),
	      "%s: %llu %llu want %llu %llu, activity %u want %u", what,
	      (unsigned long long)c.count[0], (unsigned long long)c.count[1],
	      (unsigned long long)want.instructions,
	      (unsigned long long)want.branches, c.activity, activity);
}

struct vpmc *attached(int id, unsigned int flags)
{
	struct vpmc *vpmc = open_handle();

	must(vpmc_attach(vpmc, id, flags, &error), "attach");
	return vpmc;
}

/* Add a gate at which the holder starts from zero. Return the counts before it. */
static struct cost gate_anew(struct script *s, const struct gate *gate)
{
	struct cost at = script_gate_then(s, gate->in, false);

	s->counts = true;
	s->cost = (struct cost){ 1, 1 };
	script_rounds(s, ROUNDS);
	return at;
}

/* Let the thread pass the gate. Returns when the thread waits at the gate again. */
static void pass(uint32_t tid, const struct gate *gate)
{
	gate_open(gate);
	until_at_gate(tid, gate);
}

static struct vpmc *attach_thread(uint32_t tid, pid_t pid, unsigned int flags)
{
	int id = (int)(flags & VPMC_ATTACH_ONE_THREAD ? tid : (uint32_t)pid);
	struct vpmc *vpmc;

	if (flags & VPMC_ATTACH_FD)
		id = (int)syscall(SYS_pidfd_open, id,
				  flags & VPMC_ATTACH_ONE_THREAD ? PIDFD_THREAD
								 : 0);
	vpmc = attached(id, flags);
	/* The handle does not need the descriptor after the attach. */
	if (flags & VPMC_ATTACH_FD)
		close(id);
	return vpmc;
}

/* Test what a handle refuses after its target has exited. */
static void refused_at_end(struct vpmc *vpmc, enum vpmc_whose not_its_own)
{
	struct vpmc_counts counts;

	refused(vpmc_start(vpmc, first, 2, 0, &error), VPMC_E_NO_PROCESS,
		"a start of what has exited");
	refused(vpmc_stop(vpmc, &error), VPMC_E_NO_PROCESS, "and a stop");
	refused(vpmc_read(vpmc, not_its_own, &counts, &error), VPMC_E_BOUND,
		"a scope that the handle does not have");
	refused(vpmc_attach(vpmc, getpid(), 0, &error), VPMC_E_BOUND,
		"a second attach");
	refused(vpmc_signal(vpmc, 0, 1000, SIGUSR1, &error), VPMC_E_BOUND,
		"a signal of something attached");
}

/*
 * Attach in the way of @flags. A second thread of the target passes gates, while its leader sleeps.
 */
static void attach_by(unsigned int flags)
{
	bool alone = flags & VPMC_ATTACH_ONE_THREAD;
	enum vpmc_whose whose = alone ? VPMC_THREAD : VPMC_SELF;
	uint32_t *tid = shared(2 * sizeof(*tid));
	struct script thread = script_new();
	struct gate gate = gate_new();
	struct target t = target_new();
	struct vpmc_counts counts;
	struct vpmc *vpmc;
	struct cost at[2];

	script_thread(&t.script, &thread, tid);
	target_gate(&t, false);
	script_exit(&t.script, 0);
	gate_anew(&thread, &gate);
	at[0] = gate_anew(&thread, &gate);
	at[1] = script_gate_then(&thread, gate.in, false);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	target_create(&t);
	until_at_gate(tid[1], &gate);

	vpmc = attach_thread(tid[1], t.pid, flags);
	refused(vpmc_read(vpmc, whose, &counts, &error), VPMC_E_NOT_STARTED,
		"a read before a start");
	refused(vpmc_stop(vpmc, &error), VPMC_E_NOT_STARTED, "and a stop");
	must(vpmc_start(vpmc, first, 2, 0, &error), "start");
	pass(tid[1], &gate);
	check_counts(vpmc, whose, at[0], VPMC_RUNNING, "started");
	refused(vpmc_start(vpmc, other, 2, 0, &error), VPMC_E_BUSY,
		"a start where something counts");
	check_counts(vpmc, whose, at[0], VPMC_RUNNING, "which changed nothing");
	must(vpmc_start(vpmc, other, 2, VPMC_FORCE, &error), "force");
	pass(tid[1], &gate);
	check_counts(vpmc, whose, swapped(at[1]), VPMC_RUNNING, "forced");
	must(vpmc_stop(vpmc, &error), "stop");
	gate_open(&gate);
	target_end(&t);
	check_counts(vpmc, whose, swapped(at[1]), VPMC_EXITED, "stopped");
	refused_at_end(vpmc, alone ? VPMC_SELF : VPMC_THREAD);
	target_reap(&t);
	refused(vpmc_attach(open_handle(), (int)tid[1],
			    flags & VPMC_ATTACH_ONE_THREAD, &error),
		VPMC_E_NO_PROCESS, "an attach to what is gone");
	vpmc_close(vpmc);
}

static void test_attach(void)
{
	struct vpmc *vpmc = open_handle();
	unsigned int flags;

	for (flags = 0; flags < 4; flags++)
		attach_by(flags);
	refused(vpmc_attach(vpmc, getpid(), 4, &error), VPMC_E_ARGUMENT,
		"an unknown flag");
	refused(vpmc_attach(vpmc, STDOUT_FILENO, VPMC_ATTACH_FD, &error),
		VPMC_E_ARGUMENT, "a descriptor of a file");
	must(vpmc_start(vpmc, first, 2, 0, &error), "after refused attaches");
	refused(vpmc_attach(vpmc, getpid(), 0, &error), VPMC_E_BOUND,
		"an attach of a handle that started");
}

/* Test the handle after the target has started itself again. */
static void test_generation(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_FORCE);
	struct target t = target_new();
	struct vpmc_counts counts = { .nr = 77 };
	struct vpmc *vpmc;
	struct cost at;

	target_gate_start(&t);
	start->nr_events = 2;
	script_start(&t.script, open_device(), start);
	script_rounds(&t.script, ROUNDS);
	at = target_gate(&t, false);
	script_exit(&t.script, 0);
	target_create(&t);
	vpmc = attached(t.pid, 0);
	must(vpmc_start(vpmc, first, 2, 0, &error), "start");
	target_pass(&t);
	refused(vpmc_read(vpmc, VPMC_SELF, &counts, &error), VPMC_E_GENERATION,
		"a read of a target that started again");
	check(counts.nr == 77, "nothing is read");
	refused(vpmc_stop(vpmc, &error), VPMC_E_GENERATION, "and a stop");
	vpmc_expect(vpmc, 0);
	check_counts(vpmc, VPMC_SELF, at, VPMC_STOPPED, "which has stopped it");
	target_end(&t);
	check_counts(vpmc, VPMC_SELF, at, VPMC_EXITED, "and for good");
	target_reap(&t);
}

/* Fork a process that executes a program of known counts, and count it from its exec on. */
static void execute(unsigned int flags)
{
	struct vpmc *vpmc;

	if (fork())
		return;
	vpmc = open_handle();
	must(vpmc_start(vpmc, first, 2, VPMC_AT_EXEC | flags, &error), "start");
	execl("exactly-1000", "exactly-1000", (char *)NULL);
	err(2, "exactly-1000");
}

/* Check that all children exit, and that none of them remains as a zombie. */
static void until_alone(void)
{
	check(wait(NULL) < 0 && errno == ECHILD, "nobody to wait for");
}

/*
 * Read CHILDREN with VPMC_FOLD. The state is VPMC_EXITED, because no thread of this process has
 * ever had counters: see vpmc(4).
 */
static void test_fold(void)
{
	struct cost sum = { 1000, (1000 - 4) / 2 + 1 };
	struct target t = target_new();
	struct vpmc *vpmc = open_handle(), *held;
	struct vpmc_counts counts;

	signal(SIGCHLD, SIG_IGN);
	execute(0);
	until_alone();
	refused(vpmc_read(vpmc, VPMC_CHILDREN, &counts, &error),
		VPMC_E_NOT_STARTED, "children without VPMC_FOLD");
	execute(VPMC_FOLD);
	until_alone();
	check_counts(vpmc, VPMC_CHILDREN, sum, VPMC_EXITED, "with VPMC_FOLD");

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	script_exit(&t.script, 0);
	sum = cost_add(sum, t.script.cost);
	target_create(&t);
	held = attached(t.pid, 0);
	must(vpmc_start(held, first, 2, VPMC_FOLD, &error), "start of a child");
	refused(vpmc_start(held, first, 2, VPMC_FOLD | VPMC_RESUME, &error),
		VPMC_E_ARGUMENT, "VPMC_FOLD with VPMC_RESUME");
	gate_open(&t.gate);
	until_alone();
	check_counts(vpmc, VPMC_CHILDREN, sum, VPMC_EXITED, "one that is held");
	check_counts(held, VPMC_SELF, t.script.cost, VPMC_EXITED, "its own");
}

/* Start while another thread of the process counts the same events, and read THREAD and SELF. */
static void *join(void *argument)
{
	const struct gate *gate = argument;
	struct vpmc *vpmc = open_handle();
	struct vpmc_counts counts;

	gate_wait(gate);
	must(vpmc_start(vpmc, first, 2, 0, &error), "a start beside");
	counts = counts_of(vpmc, VPMC_SELF);
	check(counts.nr == 2 && !counts.other_events,
	      "who counts the same on counters that the driver has chosen is added up: %u events, %u others",
	      counts.nr, counts.other_events);
	return NULL;
}

static void test_join(void)
{
	struct gate gate = gate_new();
	struct vpmc *vpmc = open_handle();
	pthread_t id;

	if (pthread_create(&id, NULL, join, &gate))
		errx(2, "thread");
	must(vpmc_start(vpmc, first, 2, 0, &error), "start");
	gate_open(&gate);
	if (pthread_join(id, NULL))
		errx(2, "thread");
}

int main(void)
{
	first[0] = other[1] = any_counter(INSTRUCTIONS);
	first[1] = other[0] = any_counter(BRANCHES);
	run(test_attach);
	run(test_generation);
	run(test_fold);
	run(test_join);
	run(test_signals);
	run(test_signal_requests);
	run(test_fault);
	run(test_turns);
	run(test_fits);
	return check_status();
}

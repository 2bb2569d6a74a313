// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_rights: test that samples do not show a program to a user who may not watch it, and that
 * they show it to the superuser.
 *
 * sample_rights inside FD: count this program, which nobody can read, with the handle FD.
 */
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold.h"
#include "privileged_programs.h"
#include "rings.h"

#define RING_SIZE 65536
#define RAISED	  "/tmp/raised"
#define ROUNDS	  100000
#define PERIOD	  VPMC_MIN_PERIOD
#define LENGTH	  1000000
#define PENDING	  8

static unsigned int nr_samples, nr_named, nr_beyond, nr_of_child, nr_inside;
static unsigned int nr_changes;
static pid_t child;

/* These are the rings, and the parts of their samples. */
static struct vpmc_samples wanted = { .ring_size = 4 * RING_SIZE };

/* Return whether a sample has callers or registers. */
static bool has_inside(const uint64_t *record)
{
	const struct vpmc_long_sample *s = (const void *)record;

	return *record & VPMC_WHERE_OTHER && (s->nr_callers || s->flags);
}

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_change *c = (const struct vpmc_change *)record;
	const struct vpmc_sample s = sample_of(record);

	(void)size;
	nr_changes += !s.pid;
	if (s.pid) {
		nr_samples++;
		nr_of_child += s.pid == (uint32_t)child && s.tid == s.pid;
		nr_beyond += !!(s.where & VPMC_WHERE_KERNEL);
		nr_inside += has_inside(record);
	} else if (change_type(c) == VPMC_CHANGE_MAP) {
		nr_named += !strcmp(c->text, RAISED);
	}
}

static void forget(void)
{
	nr_samples = 0;
	nr_changes = 0;
	nr_named = 0;
	nr_beyond = 0;
	nr_of_child = 0;
	nr_inside = 0;
}

static struct vpmc_start *sampled(unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT | flags);

	start->nr_events = 1;
	start->event[0].period = PERIOD;
	return start;
}

/* Let a child run a script, and take its samples. */
static void take_samples_of(struct script *s, struct rings *r)
{
	if (!child_fork())
		script_run(s);
	until_gone(r);
	wait(NULL);
	forget();
	rings_read(r, take);
}

/* A child executes the program while its starter leaves samples. */
static void test_exec(const struct kind *kind, bool super)
{
	struct script s = script_new(), other = script_new();
	uint64_t want;
	struct rings r;

	make_program(kind, "./exactly-1000000", RAISED);
	if (!is_child())
		return;
	if (!super)
		become_ordinary();
	r = rings_new_with(wanted);
	script_start(&s, r.fd, sampled(VPMC_START_RECORDS));
	script_fork(&s, &other, SYS_fork);
	script_rounds(&other, ROUNDS);
	script_exec_exactly(&other, RAISED, LENGTH);
	script_wait(&s);
	script_rounds(&s, ROUNDS);
	script_exit(&s, 0);
	take_samples_of(&s, &r);
	want = s.cost.instructions / PERIOD +
	       (other.cost.instructions - (super ? 0 : LENGTH)) / PERIOD;
	check(nr_samples == want && !r.hidden && !nr_beyond &&
		      super == !!nr_named,
	      "%s, %s: %u samples want %llu, %llu hidden, %u mappings",
	      kind->name, super ? "the superuser" : "nobody", nr_samples,
	      (unsigned long long)want, (unsigned long long)r.hidden, nr_named);
	exit(check_status());
}

/*
 * The counter overflows at one of the last instructions before the exec, or at one of the first
 * after it. The interrupt for an event before it can come in the exec.
 */
static void test_pending(const struct kind *kind, bool super)
{
	struct vpmc_start *start;
	unsigned int period, from = 0;
	uint64_t before, want;
	struct script s;
	struct rings r;

	make_program(kind, "./exactly-1000000", RAISED);
	if (!is_child())
		return;
	if (!super)
		become_ordinary();
	do {
		r = rings_new_with(wanted);
		s = script_new();
		start = sampled(0);
		script_start(&s, r.fd, start);
		script_rounds(&s, ROUNDS);
		script_exec_exactly(&s, RAISED, LENGTH);
		before = s.cost.instructions - LENGTH;
		period = (uint32_t)before - PENDING + from;
		start->event[0].period = period;
		want = (super ? s.cost.instructions : before) / period;
		take_samples_of(&s, &r);
		rings_free(&r);
		shared_free();
	} while (nr_samples == want && !r.hidden && ++from <= 2 * PENDING);
	check(from > 2 * PENDING,
	      "%s, %s: %u samples with a period of %u, want %llu", kind->name,
	      super ? "the superuser" : "nobody", nr_samples, period,
	      (unsigned long long)want);
	exit(check_status());
}

/*
 * A process gives up its capabilities and executes a program. A process that may watch this program
 * could not always watch it before, so its samples are hidden unless the start was privileged.
 */
static void test_lost(bool super)
{
	const uint64_t kept = 1 << CAP_NET_RAW;
	struct __user_cap_header_struct *header;
	struct script s = script_new();
	uint64_t all, want;
	struct rings r;

	copy("./exactly-1000000", RAISED);
	if (chmod(RAISED, 0755))
		err(2, "chmod");
	if (!is_child())
		return;
	if (prctl(PR_SET_KEEPCAPS, 1))
		err(2, "PR_SET_KEEPCAPS");
	become_ordinary();
	keep_capabilities(super ? UINT64_MAX : kept, super ? UINT64_MAX : kept);
	r = rings_new_with(wanted);
	header = shared(sizeof(*header));
	header->version = _LINUX_CAPABILITY_VERSION_3;
	script_start(&s, r.fd, sampled(0));
	script_rounds(&s, ROUNDS);
	script_call(&s, SYS_capset, P(header),
		    P(shared(2 * sizeof(struct __user_cap_data_struct))));
	script_exec_exactly(&s, RAISED, LENGTH);
	take_samples_of(&s, &r);
	all = s.cost.instructions / PERIOD;
	want = super ? all : (s.cost.instructions - LENGTH) / PERIOD;
	check(nr_samples == want && r.hidden == all - want,
	      "rights are lost, %s: %u samples want %llu, %llu hidden",
	      super ? "the superuser" : "nobody", nr_samples,
	      (unsigned long long)want, (unsigned long long)r.hidden);
	exit(check_status());
}

/* A program that nobody can read counts itself with the handle of a user. */
static void test_inside(const char *self)
{
	char fd[16];
	struct rings r;

	make_program(&kinds[3], self, RAISED);
	if (!is_child())
		return;
	become_ordinary();
	r = rings_new_with(wanted);
	fcntl(r.fd, F_SETFD, 0);
	snprintf(fd, sizeof(fd), "%d", r.fd);
	if (is_child()) {
		execl(RAISED, "raised", "inside", fd, NULL);
		err(2, RAISED);
	}
	until_gone(&r);
	forget();
	rings_read(&r, take);
	check(!nr_samples && !nr_changes &&
		      r.hidden == 2UL * (2 * ROUNDS / PERIOD),
	      "an unreadable program: %u samples, %u changes, %llu hidden",
	      nr_samples, nr_changes, (unsigned long long)r.hidden);
	exit(check_status());
}

static int inside(int fd)
{
	struct script s = script_new(), other = script_new();
	int result;

	script_start(&s, fd, sampled(0));
	script_rounds(&s, ROUNDS);
	script_fork(&s, &other, SYS_fork);
	script_rounds(&other, ROUNDS);
	script_exit(&other, 0);
	script_wait(&s);
	script_exit(&s, 0);
	result = (int)s.cost.instructions;
	if (!child_fork())
		script_run(&s);
	wait(NULL);
	return result ? 0 : 1;
}

/* Samples of kernel mode need the right at the start, not at the creation of the rings. */
static void test_capability(void)
{
	struct vpmc_start *start;
	struct rings r;
	int result;

	if (!is_child())
		return;
	r = rings_new(RING_SIZE);
	become_ordinary();
	start = sampled(0);
	start->event[0].modes = VPMC_MODE_USER | VPMC_MODE_KERNEL;
	start->event[0].period = VPMC_MIN_PERIOD_KERNEL;
	result = request(r.fd, VPMC_START, start);
	check(result == -EPERM, "kernel mode after the right is gone: %d",
	      result);
	start->event[0].modes = VPMC_MODE_USER;
	result = request(r.fd, VPMC_START, start);
	check(!result, "user mode: %d, %u", result, start->error);
	exit(check_status());
}

/* Test the valid periods of events. */
static void test_periods(void)
{
	static const struct {
		unsigned int modes;
		uint32_t period;
		enum vpmc_reason want;
	} all[] = {
		{ VPMC_MODE_USER, 1, VPMC_REASON_PERIOD },
		{ VPMC_MODE_USER, VPMC_MIN_PERIOD - 1, VPMC_REASON_PERIOD },
		{ VPMC_MODE_USER, VPMC_MIN_PERIOD, VPMC_REASON_NONE },
		{ VPMC_MODE_USER, INT32_MAX, VPMC_REASON_NONE },
		{ VPMC_MODE_USER, (uint32_t)INT32_MAX + 1, VPMC_REASON_PERIOD },
		{ VPMC_MODE_USER, UINT32_MAX, VPMC_REASON_PERIOD },
		{ VPMC_MODE_KERNEL, VPMC_MIN_PERIOD, VPMC_REASON_PERIOD },
		{ VPMC_MODE_KERNEL, VPMC_MIN_PERIOD_KERNEL - 1,
		  VPMC_REASON_PERIOD },
		{ VPMC_MODE_KERNEL, VPMC_MIN_PERIOD_KERNEL, VPMC_REASON_NONE },
		{ VPMC_MODE_USER | VPMC_MODE_KERNEL, VPMC_MIN_PERIOD,
		  VPMC_REASON_PERIOD },
	};
	struct vpmc_start *start;
	unsigned int i;
	struct rings r;
	int result;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!is_child())
			continue;
		r = rings_new(4096);
		start = sampled(0);
		start->event[0].modes = (uint16_t)all[i].modes;
		start->event[0].period = all[i].period;
		result = request(r.fd, VPMC_START, start);
		check(result == (all[i].want ? -EINVAL : 0) &&
			      start->error == all[i].want,
		      "modes %u, period %u: %d, %u", all[i].modes,
		      all[i].period, result, start->error);
		exit(check_status());
	}
	if (!is_child())
		return;
	r = rings_new(4096);
	start = sampled(0);
	start->flags = 0;
	result = request(r.fd, VPMC_START, start);
	check(result == -EINVAL && start->error == VPMC_REASON_NO_SAMPLES,
	      "without COLLECT: %d, %u", result, start->error);
	start = sampled(VPMC_START_MULTIPLEX);
	start->nr_events = 2;
	start->event[1] = start->event[0];
	start->event[1].period = 0;
	result = request(r.fd, VPMC_START, start);
	check(result == -EINVAL && start->error == VPMC_REASON_NO_SAMPLES,
	      "events that share a counter: %d, %u", result, start->error);
	exit(check_status());
}

/* A process that is not dumpable any more shows its registers to the superuser only. */
static void test_dumpable(bool super)
{
	struct script s = script_new();
	struct cost before;
	struct rings r;

	if (!is_child())
		return;
	if (!super)
		become_ordinary();
	r = rings_new_with(wanted);
	if (prctl(PR_SET_DUMPABLE, 1))
		err(2, "prctl");
	script_start(&s, r.fd, sampled(0));
	script_rounds(&s, ROUNDS);
	before = s.cost;
	script_call(&s, SYS_prctl, PR_SET_DUMPABLE, 0);
	script_rounds(&s, ROUNDS);
	script_exit(&s, 0);
	take_samples_of(&s, &r);
	check(nr_samples == s.cost.instructions / PERIOD &&
		      nr_inside ==
			      (super ? s.cost : before).instructions / PERIOD,
	      "not dumpable, %s: %u samples, %u with registers",
	      super ? "the superuser" : "nobody", nr_samples, nr_inside);
	exit(check_status());
}

/*
 * The owner of the rings sees the IDs that a process of an inner namespace has in the owner's
 * namespace.
 */
static void test_namespace(void)
{
	struct script s = script_new();
	struct rings r;

	if (!is_child())
		return;
	r = rings_new(RING_SIZE);
	script_start(&s, r.fd, sampled(0));
	script_rounds(&s, ROUNDS);
	script_exit(&s, 0);
	/* Some kernels have no such namespaces. */
	if (unshare(CLONE_NEWPID) && errno != EINVAL)
		err(2, "unshare");
	child = child_fork();
	if (!child)
		script_run(&s);
	until_gone(&r);
	forget();
	rings_read(&r, take);
	check(nr_samples == s.cost.instructions / PERIOD &&
		      nr_of_child == nr_samples,
	      "%u samples in a namespace, %u with the ID of its owner",
	      nr_samples, nr_of_child);
	exit(check_status());
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc == 3)
		return inside((int)strtol(argv[2], NULL, 10));
	for (i = 0; i < NR_KINDS; i++) {
		test_exec(&kinds[i], false);
		test_exec(&kinds[i], true);
		test_pending(&kinds[i], false);
		test_pending(&kinds[i], true);
	}
	test_lost(false);
	test_lost(true);
	test_inside("./sample_rights");
	wanted.callers = VPMC_MAX_CALLERS;
	wanted.flags = VPMC_SAMPLES_REGISTERS;
	for (i = 0; i < NR_KINDS; i++)
		test_exec(&kinds[i], false);
	test_inside("./sample_rights");
	test_dumpable(false);
	test_dumpable(true);
	test_capability();
	test_periods();
	test_namespace();
	return check_status();
}

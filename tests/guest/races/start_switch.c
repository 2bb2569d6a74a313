// SPDX-License-Identifier: GPL-2.0-only
/*
 * start_switch: start a thread from one processor while another processor switches to that thread,
 * at each instruction of the switch.
 *
 * The processor switches from a process that counts as many events as there are counters. The
 * process to which it switches is started with one event more, so that its events share counters.
 * The switch may come before or after the start. In both cases the counts must not be greater than
 * the executed instructions.
 */
#include <err.h>
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary.h"
#include "hold.h"

/*
 * First the other process executes BEFORE rounds, then the started process executes ROUNDS rounds.
 * So a count that belongs to the wrong process is too large.
 */
#define ROUNDS 100
#define BEFORE 100000

/* This is somewhat more than the number of instructions of the switch. */
#define MOST 100

/**
 * struct pair - two processes on one processor
 * @from, @to: the processes between which the processor switches
 * @fd: the number of the handle of @from, which is opened again for each @from
 * @after: the address of the number of the instruction in the script
 * @left: the instructions that remained at the end of the switch
 * @ready: set just before @from wakes up @to and falls asleep
 */
struct pair {
	struct target from, to;
	int fd;
	uint32_t *after, *left, *ready;
};

static struct pair pair_new(void)
{
	uint32_t *one = shared(sizeof(*one));
	struct pair p = {
		.from = target_new(),
		.to = target_new(),
		.fd = open_device(),
		.left = shared(sizeof(*p.left)),
		.ready = shared(sizeof(*p.ready)),
	};
	struct script *s = &p.from.script;

	*one = 1;
	script_stay_on(s, 1);
	script_start(s, p.fd, start_arg(FIRST, 0));
	script_rounds(s, BEFORE);
	target_gate(&p.from, true);
	p.after = script_interrupt(s, IRQ_NONE,
				   driver_function("vpmc_count_switch"));
	script_copy(s, one, p.ready);
	script_call(s, SYS_write, (script_word)p.to.gate.out, P(one), 1);
	target_gate(&p.from, true);
	script_interrupt_end(s, p.left);
	script_exit(s, 0);

	script_stay_on(&p.to.script, 1);
	target_gate(&p.to, false);
	script_rounds(&p.to.script, ROUNDS);
	script_exit(&p.to.script, 0);
	return p;
}

static struct vpmc_start one_too_many(void)
{
	struct vpmc_start start = *start_arg(FIRST, VPMC_START_MULTIPLEX);

	start.event[start.nr_events++] = start.event[0];
	return start;
}

static void check_counts(uint32_t n, const struct vpmc_read *read)
{
	uint32_t i;

	for (i = 0; i < read->nr_counts; i++) {
		if (read->count[i] > 2 * ROUNDS + 20)
			check(false, "at instruction %u: event %u, %llu", n, i,
			      read->count[i]);
	}
}

/* Start @to when its processor has begun the n-th instruction of the switch. */
static void run_pair(struct pair *p, uint32_t n, struct vpmc_start start)
{
	int fd = open_device(), result;

	if (dup2(fd, p->fd) < 0)
		err(2, "dup2");
	close(fd);
	*p->after = n;
	*p->ready = 0;
	target_create(&p->from);
	target_create(&p->to);
	fd = hold(p->to.pid, 0);
	gate_open(&p->from.gate);
	while (!*(volatile uint32_t *)p->ready)
		__asm__ volatile("pause");
	result = request(fd, VPMC_START, &start);
	if (waitid(P_PID, (id_t)p->to.pid, NULL, WEXITED | WNOWAIT))
		err(2, "waitid");
	if (!result) {
		struct vpmc_read read = read_scope(fd, VPMC_SCOPE_SELF);

		check_counts(n, &read);
	} else if (result != -ESRCH) {
		check(false, "at instruction %u: errno %d", n, -result);
	}
	close(fd);
	gate_open(&p->from.gate);
	target_reap(&p->from);
	target_reap(&p->to);
}

int main(void)
{
	const struct vpmc_start start = one_too_many();
	struct pair pair = pair_new();
	uint32_t n = 0;

	stay_on(0);
	set_turns(0, 0);
	do
		run_pair(&pair, ++n, start);
	while (!*pair.left && n < MOST);
	check(n > 10 && n < MOST, "started at %u instructions of a switch", n);
	return check_status();
}

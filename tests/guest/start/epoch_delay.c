// SPDX-License-Identifier: GPL-2.0-only
/*
 * epoch_delay: test that two threads of a process count if system mode takes the counters, and
 * gives them back, in the middle of the start of one thread. Then the other thread starts.
 *
 * The first thread is held where its start looks for its process. This is after the check for
 * system mode, and before the start takes the lock.
 */
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

/**
 * struct counter - a thread that starts, counts and reads itself
 * @fd: the thread's handle
 * @start, @read: arguments of the thread's requests
 * @result: result of the start
 * @cost: cost of the thread from its start to its read
 */
struct counter {
	int fd;
	struct vpmc_start *start;
	struct vpmc_read *read;
	uint32_t *result;
	struct cost cost;
};

static struct counter counter_new(void)
{
	return (struct counter){ .fd = open_device(),
				 .start = start_arg(FIRST, 0),
				 .read = read_arg(VPMC_SCOPE_THREAD),
				 .result = shared(sizeof(uint32_t)) };
}

static void counter_start(const struct counter *c, struct script *s)
{
	*c->result = 1;
	script_start(s, c->fd, c->start);
	script_save(s, c->result);
	script_rounds(s, ROUNDS);
}

static void counter_read(struct counter *c, struct script *s)
{
	c->cost = script_read(s, c->fd, c->read);
}

static void check_counter(const struct counter *c, const char *what)
{
	check(!*c->result, "%s starts: errno %d", what, -(int)*c->result);
	check(c->read->state == VPMC_STATE_RUNNING, "%s counts: state %u", what,
	      c->read->state);
	check_read(c->read, c->cost, 0, what);
}

static void system_mode(void)
{
	int fd = open_device();

	check(!request(fd, VPMC_SYSTEM_START, start_arg(FIRST, 0)),
	      "system mode");
	check(!request(fd, VPMC_SYSTEM_STOP, stop_arg()), "its end");
}

static void test_start(void)
{
	struct counter first = counter_new(), delayed = counter_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct script thread = script_new();
	struct target t = target_new();

	script_name_delayed(&thread);
	counter_start(&delayed, &thread);
	counter_read(&delayed, &thread);
	script_exit(&thread, 0);
	script_thread(&t.script, &thread, pair);
	target_gate(&t, false);
	counter_start(&first, &t.script);
	target_gate(&t, true);
	script_join(&t.script, pair);
	counter_read(&first, &t.script);
	script_exit(&t.script, 0);

	delay_at("vpmc_process_obtain");
	target_create(&t);
	until_delayed();
	system_mode();
	target_pass(&t);
	delay_end();
	target_end(&t);
	target_reap(&t);
	delay_remove();
	check_counter(&first, "the thread that was first");
	check_counter(&delayed, "the thread that was held");
	check(first.read->generation == delayed.read->generation,
	      "both are of one generation");
}

int main(void)
{
	run(test_start);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_worker: test that workers of io_uring and vhost count with their process, even if they exist
 * longer than all threads that execute the process's program.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000
#define NAME   "worker"

/**
 * struct crew - a process whose first thread creates a worker and another thread
 * @t: the process and its first thread
 * @worker, @other: the scripts of the worker and of the other thread
 * @worker_gate, @other_gate: the gates at which they sleep
 * @worker_pair, @other_pair: two words for each, see script_thread()
 */
struct crew {
	struct target t;
	struct script worker, other;
	struct gate worker_gate, other_gate;
	uint32_t *worker_pair, *other_pair;
};

/* Return a new crew. All threads are to be started at their gates. */
static struct crew crew_new(void)
{
	struct crew c = {
		.t = target_new(),
		.worker = script_new(),
		.other = script_new(),
		.worker_gate = gate_new(),
		.other_gate = gate_new(),
		.worker_pair = shared(2 * sizeof(uint32_t)),
		.other_pair = shared(2 * sizeof(uint32_t)),
	};
	char *name = shared(sizeof(NAME));

	memcpy(name, NAME, sizeof(NAME));
	script_thread(&c.t.script, &c.worker, c.worker_pair);
	script_thread(&c.t.script, &c.other, c.other_pair);
	script_call(&c.worker, SYS_prctl, PR_SET_NAME, P(name));
	return c;
}

static struct cost finish(struct script *s, const struct gate *gate)
{
	s->cost = NOTHING;
	script_gate_then(s, gate->in, true);
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

static void work_begin(void)
{
	int fd = open("worker.ko", O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "comm=" NAME, 0))
		err(2, "worker.ko");
	close(fd);
}

static void crew_create(struct crew *c)
{
	target_create(&c->t);
	until_at_gate(c->worker_pair[1], &c->worker_gate);
	until_at_gate(c->other_pair[1], &c->other_gate);
	work_begin();
}

/*
 * until_gone() waits until a thread other than the first one has been released.
 * until_first_exited() waits until the first thread has exited.
 */
static void until_gone(const struct crew *c, uint32_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%u", (int)c->t.pid, tid);
	while (!access(path, F_OK))
		usleep(1000);
}

static void until_first_exited(const struct crew *c)
{
	while (state_of((uint32_t)c->t.pid) != 'Z')
		usleep(1000);
}

/*
 * Reap the crew, whose worker is the last thread. First turn the worker into an ordinary thread,
 * and let it exit.
 */
static void crew_reap(struct crew *c)
{
	if (syscall(SYS_delete_module, "worker", 0))
		err(2, "worker.ko cannot be removed");
	gate_open(&c->worker_gate);
	target_reap(&c->t);
}

/* Test VPMC_START_FOLD. The parent gets the counts when the worker has exited too. */
static void test_fold(void)
{
	struct crew c = crew_new();
	struct cost sum = cost_add(finish(&c.t.script, &c.t.gate),
				   finish(&c.other, &c.other_gate));
	int fd;

	sum = cost_add(sum, finish(&c.worker, &c.worker_gate));
	crew_create(&c);
	fd = hold(c.t.pid, 0);
	must_start(fd, FIRST, VPMC_START_FOLD);
	gate_open(&c.t.gate);
	until_first_exited(&c);
	check(try_read(open_device(), VPMC_SCOPE_CHILDREN) == -ENODATA,
	      "a thread is left");
	gate_open(&c.other_gate);
	until_gone(&c, c.other_pair[1]);
	check(try_read(open_device(), VPMC_SCOPE_CHILDREN) == -ENODATA,
	      "the worker is left");
	check(start(fd, FIRST, VPMC_START_FORCE, NULL) == -ESRCH,
	      "nobody is left to start");
	crew_reap(&c);
	check_children(sum, 0, "all have exited");
	check_scope(fd, VPMC_SCOPE_SELF, sum, 0, "SELF");
}

/* Test an attach and a start after the first thread has exited. */
static void test_attach(void)
{
	struct crew c = crew_new();
	struct cost other, worker;
	int fd;

	finish(&c.t.script, &c.t.gate);
	other = finish(&c.other, &c.other_gate);
	worker = finish(&c.worker, &c.worker_gate);
	crew_create(&c);
	gate_open(&c.t.gate);
	until_first_exited(&c);
	fd = open_device();
	check(!attach(fd, c.t.pid, 0, NULL), "attached");
	must_start(fd, FIRST, 0);
	gate_open(&c.other_gate);
	until_gone(&c, c.other_pair[1]);
	check_scope(fd, VPMC_SCOPE_SELF, other, 0, "the thread");
	crew_reap(&c);
	check_children(cost_add(other, worker), 0, "CHILDREN");
}

int main(void)
{
	run(test_fold);
	run(test_attach);
	return check_status();
}

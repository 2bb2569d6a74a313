// SPDX-License-Identifier: GPL-2.0-only
/*
 * takeover: test that system mode takes the counters from all threads that count, and that each of
 * their processes can see this. The state is revoked, the generation has changed, and there are no
 * counts to read. The threads do not count until they are started again.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define ROUNDS	1000
#define NOTHING ((struct cost){ 0, 0 })
#define FOREVER UINT32_C(2000000000)
#define EPOCHS	4

static unsigned int processors;

/*
 * struct victim - a child that counts when system mode begins
 * @fd: its handle
 * @start: the argument of its first start
 * @again: the argument of its second start
 * @script: its script, which is completed before victim_run()
 * @pid: its process ID
 * @gate: the gate in its script
 * @read: the counts that it reads of itself
 * @results: the results of its calls
 */
struct victim {
	int fd;
	struct vpmc_start *start, *again;
	struct script script;
	uint32_t *pid;
	struct gate gate;
	struct vpmc_read *read;
	uint32_t *results;
};

static struct victim victim_new(unsigned int flags)
{
	struct victim v = {
		.fd = open_device(),
		.start = start_arg(FIRST, flags),
		.again = start_arg(FIRST, 0),
		.script = script_new(),
		.pid = shared(sizeof(*v.pid)),
		.gate = gate_new(),
		.read = read_arg(VPMC_SCOPE_SELF),
		.results = shared(4 * sizeof(*v.results)),
	};

	return v;
}

/* Return a new victim that counts, and then sleeps at its gate. */
static struct victim victim_at_gate(void)
{
	struct victim v = victim_new(0);

	script_start(&v.script, v.fd, v.start);
	script_rounds(&v.script, ROUNDS);
	script_gate(&v.script, v.gate.in);
	script_rounds(&v.script, ROUNDS);
	return v;
}

static void victim_run(struct victim *v)
{
	struct script parent = script_new(), child = v->script;

	script_fork(&parent, &child, SYS_fork);
	script_save(&parent, v->pid);
	script_back(&parent);
	script_run(&parent);
}

static void reap(const struct victim *v)
{
	if (waitpid((pid_t)*v->pid, NULL, 0) != (pid_t)*v->pid)
		err(2, "wait");
}

/* Wait until the victim sleeps at its gate, and check that it counts. */
static void until_counting_asleep(const struct victim *v)
{
	struct vpmc_read read;

	until_asleep(*v->pid);
	read = read_scope(v->fd, VPMC_SCOPE_SELF);
	check(read.state == VPMC_STATE_RUNNING &&
		      read.generation == v->start->generation && read.count[0],
	      "it counts");
}

static void check_revoked(const struct victim *v, const struct vpmc_read *read,
			  enum vpmc_state state, const char *when)
{
	check(read->state == state &&
		      read->generation != v->start->generation &&
		      read->generation,
	      "%s: state %u, want %u, and another generation", when,
	      read->state, state);
	check_read(read, NOTHING, REVOKED, when);
}

/*
 * Check the counts that other processes read of the victim. A second read must return the same
 * generation.
 */
static void check_victim(const struct victim *v, enum vpmc_state state,
			 const char *when)
{
	struct vpmc_info info = { .size = sizeof(info) };
	struct vpmc_read read = read_scope(v->fd, VPMC_SCOPE_SELF);

	check_revoked(v, &read, state, when);
	check(!request(v->fd, VPMC_INFO, &info) &&
		      info.generation == read.generation &&
		      read_scope(v->fd, VPMC_SCOPE_SELF).generation ==
			      read.generation,
	      "%s: one new generation only", when);
}

static int take_over(int fd, unsigned int flags)
{
	return request(fd, VPMC_SYSTEM_START, start_arg(FIRST, flags));
}

static void give_back(int fd)
{
	check(!request(fd, VPMC_SYSTEM_STOP, stop_arg()) && !in_system_mode(),
	      "the counters are given back");
}

/* Check CHILDREN of the calling process. */
static void check_children(struct cost want, unsigned int revoked,
			   const char *what)
{
	check_scope(open_device(), VPMC_SCOPE_CHILDREN, want, revoked * REVOKED,
		    what);
}

/*
 * Complete the victim's script: it reads itself, starts again, counts and exits. Returns its cost.
 */
static struct cost start_again(struct victim *v)
{
	struct script *s = &v->script;

	script_call(s, SYS_ioctl, (uint32_t)v->fd, VPMC_READ, P(v->read));
	script_save(s, &v->results[0]);
	script_start(s, v->fd, v->again);
	script_save(s, &v->results[1]);
	script_rounds(s, ROUNDS);
	script_exit(s, 0);
	return s->cost;
}

static void check_started_again(const struct victim *v, struct cost cost)
{
	struct vpmc_read read = read_scope(v->fd, VPMC_SCOPE_SELF);

	check(!v->results[0], "it reads itself");
	check_revoked(v, v->read, VPMC_STATE_REVOKED, "by itself");
	check(!v->results[1], "it starts again: errno %d", -(int)v->results[1]);
	check_read(&read, cost, 0, "and counts exactly");
	check(read.generation == v->again->generation &&
		      read.generation != v->start->generation &&
		      read.generation != v->read->generation &&
		      read.state == VPMC_STATE_EXITED,
	      "in a third generation");
}

/* Test victims that sleep or are stopped by a signal. */
static void test_switched_out(void)
{
	enum { VICTIMS = 3 };
	struct cost cost[VICTIMS], sum = NOTHING;
	struct victim v[VICTIMS];
	int fd = open_device(), i;

	for (i = 0; i < VICTIMS; i++) {
		v[i] = victim_at_gate();
		cost[i] = start_again(&v[i]);
		sum = cost_add(sum, cost[i]);
		victim_run(&v[i]);
		until_counting_asleep(&v[i]);
	}
	kill((pid_t)*v[0].pid, SIGSTOP);
	until_stopped(*v[0].pid);
	check(!take_over(fd, 0), "nobody is on a processor");
	for (i = 0; i < VICTIMS; i++)
		check_victim(&v[i], VPMC_STATE_REVOKED, "in system mode");
	give_back(fd);
	kill((pid_t)*v[0].pid, SIGCONT);
	for (i = 0; i < VICTIMS; i++) {
		check_victim(&v[i], VPMC_STATE_REVOKED, "after system mode");
		gate_open(&v[i].gate);
		reap(&v[i]);
		check_started_again(&v[i], cost[i]);
	}
	check_children(sum, VICTIMS, "CHILDREN numbers the revoked");
}

/* Test a victim that no other process reads before it reads itself. */
static void test_late(void)
{
	struct victim v = victim_at_gate();
	struct cost cost = start_again(&v);
	int fd = open_device();

	victim_run(&v);
	until_counting_asleep(&v);
	check(!take_over(fd, VPMC_START_FORCE), "by force");
	give_back(fd);
	check(!take_over(fd, 0), "once more: nobody counts");
	give_back(fd);
	gate_open(&v.gate);
	reap(&v);
	check_started_again(&v, cost);
	check_children(cost, 1, "CHILDREN numbers it once");
}

/* Test a victim that runs and exits in system mode. */
static void test_exit_meanwhile(void)
{
	struct victim v = victim_at_gate();
	int fd = open_device();

	script_call(&v.script, SYS_ioctl, (uint32_t)v.fd, VPMC_START,
		    P(v.again));
	script_save(&v.script, &v.results[0]);
	script_rounds(&v.script, ROUNDS);
	script_exit(&v.script, 0);
	victim_run(&v);
	until_counting_asleep(&v);
	check(!take_over(fd, 0), "it is asleep");
	gate_open(&v.gate);
	reap(&v);
	check((int)v.results[0] == -EBUSY, "no start in system mode");
	check_victim(&v, VPMC_STATE_EXITED, "it has exited");
	give_back(fd);
	check_victim(&v, VPMC_STATE_EXITED, "and later");
	check_children(NOTHING, 1, "CHILDREN numbers the revoked");
}

/* Test a victim that has exited before system mode. Its counts are final. */
static void test_exit_before(void)
{
	struct victim v = victim_new(0);
	int fd = open_device();
	struct vpmc_read read;
	siginfo_t info;

	script_start(&v.script, v.fd, v.start);
	script_rounds(&v.script, ROUNDS);
	script_exit(&v.script, 0);
	victim_run(&v);
	waitid(P_PID, *v.pid, &info, WEXITED | WNOWAIT);
	check(!take_over(fd, 0), "beside a zombie");
	reap(&v);
	read = read_scope(v.fd, VPMC_SCOPE_SELF);
	check_read(&read, v.script.cost, 0, "its counts are final");
	check(read.generation == v.start->generation, "and its generation");
	check_children(v.script.cost, 0, "CHILDREN has them");
	give_back(fd);
}

/* Test a start of system mode by a process that counts itself, and so is on a processor. */
static void test_caller(void)
{
	struct vpmc_start *start = start_arg(FIRST, 0);
	struct vpmc_start *again = start_arg(FIRST, 0);
	struct vpmc_read *before = read_arg(VPMC_SCOPE_SELF);
	struct vpmc_read *after = read_arg(VPMC_SCOPE_THREAD);
	uint32_t *results = shared(4 * sizeof(*results));
	int fd = open_device(), system = open_device();
	struct script s = script_new();
	struct cost cost;

	script_start(&s, fd, start);
	script_call(&s, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_START,
		    P(start_arg(FIRST, 0)));
	script_save(&s, &results[0]);
	script_rounds(&s, ROUNDS);
	cost = script_read(&s, fd, before);
	script_call(&s, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_START,
		    P(start_arg(FIRST, VPMC_START_FORCE)));
	script_save(&s, &results[1]);
	script_rounds(&s, ROUNDS);
	script_call(&s, SYS_ioctl, (uint32_t)fd, VPMC_READ, P(after));
	script_call(&s, SYS_ioctl, (uint32_t)system, VPMC_SYSTEM_STOP,
		    P(stop_arg()));
	script_start(&s, fd, again);
	script_save(&s, &results[2]);
	script_rounds(&s, ROUNDS);
	script_stop(&s, fd, stop_arg());
	script_back(&s);
	script_run(&s);
	check((int)results[0] == -EBUSY, "the caller counts: errno %d",
	      -(int)results[0]);
	check_read(before, cost, 0, "the refused start has changed nothing");
	check(before->state == VPMC_STATE_RUNNING &&
		      before->generation == start->generation,
	      "state and generation");
	check(!results[1], "by force");
	check_read(after, NOTHING, REVOKED, "its THREAD");
	check(after->state == VPMC_STATE_REVOKED &&
		      after->generation != start->generation,
	      "revoked, state %u", after->state);
	check(!results[2], "it starts again");
	check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0, "and counts exactly");
	check(read_scope(fd, VPMC_SCOPE_SELF).generation == again->generation,
	      "in the generation of its start");
}

/* Let the script occupy a processor, on which only tasks of the kernel can run in addition. */
static void occupy(struct script *s, unsigned int processor)
{
	struct sched_param *param = shared(sizeof(*param));

	param->sched_priority = 50;
	script_call(s, SYS_sched_setscheduler, 0, SCHED_FIFO, P(param));
	script_stay_on(s, processor);
}

/* Test a victim that never sleeps. It is on a processor if there is more than one processor. */
static void test_spinning(void)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };
	struct victim v = victim_new(0);
	int fd = open_device();

	stay_on(0);
	if (processors > 1)
		occupy(&v.script, 1);
	script_start(&v.script, v.fd, v.start);
	script_rounds(&v.script, FOREVER);
	script_exit(&v.script, 0);
	victim_run(&v);
	while (request(v.fd, VPMC_READ, &read) || !read.count[0])
		usleep(1000);
	if (processors > 1) {
		check(take_over(fd, 0) == -EBUSY, "it runs: EBUSY");
		read = read_scope(v.fd, VPMC_SCOPE_SELF);
		check(read.state == VPMC_STATE_RUNNING &&
			      read.generation == v.start->generation,
		      "EBUSY has changed nothing");
		check(!take_over(fd, VPMC_START_FORCE), "by force");
	} else {
		check(!take_over(fd, 0), "it waits for the processor");
	}
	check_victim(&v, VPMC_STATE_REVOKED, "while it runs");
	give_back(fd);
	check_victim(&v, VPMC_STATE_REVOKED, "while it runs on");
	kill((pid_t)*v.pid, SIGKILL);
	reap(&v);
	check_victim(&v, VPMC_STATE_EXITED, "killed");
	check_children(NOTHING, 1, "CHILDREN of the killed");
}

/* Test a victim that waits for an exec. It does not count after the exec either. */
static void test_armed(bool exec_meanwhile)
{
	struct victim v = victim_new(VPMC_START_AT_EXEC);
	int fd = open_device();

	script_start(&v.script, v.fd, v.start);
	script_gate(&v.script, v.gate.in);
	script_exec_exactly(&v.script, "./exactly-1000", 1000);
	victim_run(&v);
	until_asleep(*v.pid);
	check(read_scope(v.fd, VPMC_SCOPE_SELF).state == VPMC_STATE_ARMED,
	      "it waits for exec");
	check(!take_over(fd, 0), "that is not to count");
	if (!exec_meanwhile) {
		check_victim(&v, VPMC_STATE_REVOKED, "armed");
		give_back(fd);
	}
	gate_open(&v.gate);
	reap(&v);
	check_victim(&v, VPMC_STATE_EXITED, "after its exec");
	if (exec_meanwhile)
		give_back(fd);
	check_children(NOTHING, 1, "CHILDREN of the one that was armed");
}

static void test_exec_after(void)
{
	test_armed(false);
}

static void test_exec_meanwhile(void)
{
	test_armed(true);
}

/* Test that children of a victim do not inherit. */
static void test_fork(bool meanwhile)
{
	struct victim v = victim_at_gate();
	struct script child = script_new();
	int fd = open_device();

	script_fork(&v.script, &child, SYS_fork);
	script_rounds(&child, ROUNDS);
	script_call(&child, SYS_ioctl, (uint32_t)open_device(), VPMC_READ,
		    P(v.read));
	script_save(&child, &v.results[0]);
	script_exit(&child, 0);
	script_wait(&v.script);
	script_exit(&v.script, 0);
	victim_run(&v);
	until_counting_asleep(&v);
	check(!take_over(fd, 0), "it is asleep");
	if (!meanwhile)
		give_back(fd);
	gate_open(&v.gate);
	reap(&v);
	if (meanwhile)
		give_back(fd);
	check((int)v.results[0] == -ENODATA, "its child does not count: %d",
	      (int)v.results[0]);
	check_victim(&v, VPMC_STATE_EXITED, "it has forked");
	check_children(NOTHING, 1, "CHILDREN numbers one");
}

static void test_fork_after(void)
{
	test_fork(false);
}

static void test_fork_meanwhile(void)
{
	test_fork(true);
}

/* Test a victim with two threads. The counts of both are reported as missing. */
static void test_threads(void)
{
	struct victim v = victim_new(0);
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct gate other = gate_new();
	int fd = open_device();
	struct vpmc_read read;

	script_start(&v.script, v.fd, v.start);
	script_thread(&v.script, &thread, pair);
	script_rounds(&thread, ROUNDS);
	script_gate(&thread, other.in);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	script_gate(&v.script, v.gate.in);
	script_join(&v.script, pair);
	script_exit(&v.script, 0);
	victim_run(&v);
	until_counting_asleep(&v);
	until_asleep(pair[1]);
	check(!take_over(fd, 0), "both are asleep");
	read = read_scope(v.fd, VPMC_SCOPE_SELF);
	check_read(&read, NOTHING, 2 * REVOKED, "two threads");
	check(read.state == VPMC_STATE_REVOKED &&
		      read.generation != v.start->generation,
	      "one process");
	give_back(fd);
	gate_open(&other);
	gate_open(&v.gate);
	reap(&v);
	read = read_scope(v.fd, VPMC_SCOPE_SELF);
	check_read(&read, NOTHING, 2 * REVOKED, "two threads that exited");
	check_children(NOTHING, 2, "CHILDREN numbers two threads");
}

/* Test a victim that is collected. ALL reports the number of missing counts. */
static void test_collected(void)
{
	struct victim v = victim_new(VPMC_START_COLLECT | VPMC_START_RECORDS);
	struct vpmc_record record = { .size = sizeof(record) };
	struct vpmc_read read;
	int fd = open_device();

	script_start(&v.script, v.fd, v.start);
	script_rounds(&v.script, ROUNDS);
	script_gate(&v.script, v.gate.in);
	script_exit(&v.script, 0);
	victim_run(&v);
	until_counting_asleep(&v);
	check(!take_over(fd, 0), "it is asleep");
	read = read_scope(v.fd, VPMC_SCOPE_ALL);
	check_read(&read, NOTHING, REVOKED, "ALL");
	give_back(fd);
	gate_open(&v.gate);
	reap(&v);
	check_scope(v.fd, VPMC_SCOPE_ALL, NOTHING, REVOKED, "ALL at the end");
	check(!request(v.fd, VPMC_RECORD, &record) &&
		      record.what == (VPMC_RECORD_REVOKED | VPMC_RECORD_LAST),
	      "its record: %#x", record.what);
}

/* Test a victim with two threads, of which only one starts again after system mode. */
static void test_half_started(void)
{
	struct victim v = victim_new(0);
	struct script thread = script_new();
	uint32_t *pair = shared(2 * sizeof(*pair));
	struct gate other = gate_new();
	int fd = open_device();
	struct cost cost;

	script_start(&v.script, v.fd, v.start);
	script_thread(&v.script, &thread, pair);
	script_gate(&thread, other.in);
	script_rounds(&thread, ROUNDS);
	script_exit(&thread, 0);
	script_gate(&v.script, v.gate.in);
	script_start(&v.script, v.fd, v.again);
	script_rounds(&v.script, ROUNDS);
	script_join(&v.script, pair);
	cost = script_read(&v.script, v.fd, v.read);
	script_exit(&v.script, 0);
	victim_run(&v);
	until_counting_asleep(&v);
	until_asleep(pair[1]);
	check(!take_over(fd, 0), "both are asleep");
	give_back(fd);
	gate_open(&v.gate);
	gate_open(&other);
	reap(&v);
	check(v.read->generation == v.again->generation, "a new generation");
	check(v.read->count[0] == cost.instructions &&
		      v.read->count[1] == cost.branches,
	      "has the thread that started again, not the other one: %llu want %llu",
	      v.read->count[0], (unsigned long long)cost.instructions);
}

/*
 * Test several epochs. In each one, processes that were started count, and those that have stopped
 * do not. The driver's first epoch number is such that the number wraps after a few epochs.
 */
static void test_epochs(void)
{
	int system = open_device(), epoch;

	for (epoch = 0; epoch < EPOCHS; epoch++) {
		int fd = open_device();
		struct script s = script_new();

		script_start(&s, fd, start_arg(FIRST, 0));
		script_rounds(&s, ROUNDS);
		script_stop(&s, fd, stop_arg());
		script_rounds(&s, ROUNDS);
		script_back(&s);
		script_run(&s);
		check_scope(fd, VPMC_SCOPE_SELF, s.cost, 0,
			    "what it counted until it stopped");
		close(fd);
		check(!take_over(system, 0), "system mode");
		give_back(system);
	}
	close(system);
}

int main(void)
{
	processors = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	run(test_epochs);
	run(test_switched_out);
	run(test_late);
	run(test_exit_meanwhile);
	run(test_exit_before);
	run(test_caller);
	run(test_spinning);
	run(test_exec_after);
	run(test_exec_meanwhile);
	run(test_fork_after);
	run(test_fork_meanwhile);
	run(test_threads);
	run(test_collected);
	run(test_half_started);
	return check_status();
}

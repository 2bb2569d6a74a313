// SPDX-License-Identifier: GPL-2.0-only
/*
 * tree NODES SEED...: test that the counts at the root of a random tree of processes, and the
 * missing counts there, add up to exactly the executed instructions. Each tree has NODES processes
 * and threads, and some more that live for a short time.
 *
 * Every process runs a script, so its counts are known before it runs. While this program writes
 * the scripts, it computes the sums that each process must have at its end, by the rules of
 * VPMC_START and VPMC_READ. To make these sums independent of the order in which processes run, the
 * scripts keep to these rules:
 *
 * - A process waits for each child by its process ID, or leaves the child to the nearest subreaper.
 *   At its end, a subreaper waits for all children that were left to it.
 * - A process that ignores SIGCHLD does not leave any children. Its children ignore SIGCHLD too.
 * - A process that has had threads does not start again, because a thread may still be exiting.
 * - A process executes a program, or is killed, only while its other threads do not run.
 * - A process that its parent kills, stops or traces has first stopped itself by a signal.
 */
#include <err.h>
#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define MAX_CHILDREN 12
#define STEPS	     5

/*
 * struct sum - counts as vpmc_read reports them
 * @count: the sum of the contained counts, as instructions and branches whatever the order of the
 *	events
 * @added: number of threads whose counts the sum contains
 * @other: number of counts that are missing because they are of other events
 * @missing: the sum of the missing counts
 */
struct sum {
	struct cost count, missing;
	unsigned int added, other;
};

/* These are the counts that a process passes on to the process that reaps it. */
struct total {
	bool counted;
	enum events events;
	struct sum sum;
};

/* These are the ways to create a process. Each way limits the actions of the process. */
enum mode {
	FREE,
	VFORKED, /* its parent sleeps until it exits or executes a program */
	TRACED,	 /* its parent steps through some of its instructions */
	KILLED,	 /* its parent kills it */
};

/*
 * struct child - a child for which its parent has not waited yet
 * @pid: the address of its process ID, which is known while the scripts run
 * @total: the counts that it passes on
 */
struct child {
	uint32_t *pid;
	struct total total;
};

/*
 * struct process - a process while its script is being written
 * @script: script of its main thread
 * @counted: whether it counts @events
 * @ignores: whether it ignores SIGCHLD
 * @threaded: whether it has had threads
 * @loose: whether it has not waited for one of its threads
 * @reaper: the process that gets the orphans that it leaves
 * @child, @nr_children: its children for which it has not waited yet
 * @left, @orphans: the counts of the orphans that were left to it, and their number
 * @self, @before, @children: its sums: of its threads, from before its last start, and of its
 *	children
 */
struct process {
	struct script script;
	bool counted, ignores, threaded, loose;
	enum events events;
	struct process *reaper;
	struct child child[MAX_CHILDREN];
	unsigned int nr_children;
	struct total *left;
	unsigned int orphans;
	struct sum self, before, children;
};

/* These are the expected sums of the whole tree. */
static struct sum all;
static struct cost executed, unseen;
static unsigned int nr_processes, nr_threads, nr_records;
static unsigned int limit;

static uint64_t random_state;
static int stop_fd;

/* Return a random number from 0 to @n - 1, by Marsaglia's xorshift. */
static unsigned int choose(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned int)(random_state >> 11) % n;
}

static bool chance(unsigned int percent)
{
	return choose(100) < percent;
}

static void add(struct sum *sum, const struct sum *more)
{
	sum->count = cost_add(sum->count, more->count);
	sum->missing = cost_add(sum->missing, more->missing);
	sum->added += more->added;
	sum->other += more->other;
}

/* Add a sum of other events. All its counts are missing in @sum. */
static void add_as_missing(struct sum *sum, const struct sum *more)
{
	sum->missing =
		cost_add(sum->missing, cost_add(more->count, more->missing));
	sum->other += more->added + more->other;
}

/* Add the counts of a thread that has ended its count, or has started again. */
static void retire(struct process *p, struct cost cost)
{
	struct sum sum = { .count = cost, .added = 1 };

	add(&p->self, &sum);
	if (p->events == FIRST)
		add(&all, &sum);
	else
		add_as_missing(&all, &sum);
	executed = cost_add(executed, cost);
	nr_records++;
}

/* Add the counts of a child for which the process waits. */
static void fold(struct process *p, const struct total *t)
{
	if (!t->counted)
		return;
	if (p->ignores)
		unseen = cost_add(unseen,
				  cost_add(t->sum.count, t->sum.missing));
	else if (p->events == t->events)
		add(&p->children, &t->sum);
	else
		add_as_missing(&p->children, &t->sum);
}

/* Add a start to the script, with a handle that the script opens and closes. */
static void start(struct script *s, enum events events, unsigned int flags)
{
	static const char device[] = VPMC_DEVICE;
	uint32_t *fd = shared(sizeof(*fd));
	char *name = memcpy(shared(sizeof(device)), device, sizeof(device));

	script_call(s, SYS_open, P(name));
	script_save(s, fd);
	script_load(s, 0, fd);
	script_start(s, 0, start_arg(events, flags));
	script_load(s, 0, fd);
	script_call(s, SYS_close);
}

static void stop(struct script *s)
{
	script_stop(s, stop_fd, stop_arg());
}

static void some_rounds(struct script *s)
{
	script_rounds(s, 1 + choose(200));
}

/* Add a wait for the process whose ID is stored at @pid. */
static void wait_for(struct script *s, const uint32_t *pid, unsigned int how)
{
	script_load(s, 0, pid);
	script_call(s, SYS_wait4, 0, 0, how | __WALL);
}

static void trace(struct script *s, const uint32_t *pid, unsigned int what)
{
	script_load(s, 1, pid);
	script_call(s, SYS_ptrace, what);
}

/* Add the actions of the parent directly after it has created a child. */
static void attend(struct script *s, const uint32_t *pid, enum mode mode)
{
	unsigned int i, steps = choose(STEPS);

	if (mode == KILLED) {
		wait_for(s, pid, WUNTRACED);
		script_load(s, 0, pid);
		script_call(s, SYS_kill, 0, SIGKILL);
	}
	if (mode == TRACED) {
		wait_for(s, pid, 0);
		for (i = 0; i < steps; i++) {
			trace(s, pid, PTRACE_SINGLESTEP);
			wait_for(s, pid, 0);
		}
		trace(s, pid, PTRACE_DETACH);
	}
}

static void create(struct script *s, struct script *child, enum mode mode)
{
	static const uint32_t flags[] = {
		SIGCHLD,
		CLONE_FILES | SIGCHLD,
		CLONE_VM | SIGCHLD,
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | SIGCHLD,
	};
	uint32_t *tid = shared(sizeof(*tid));

	if (mode == VFORKED && chance(50))
		script_fork(s, child, SYS_vfork);
	else if (mode == VFORKED)
		script_clone(s, child, CLONE_VM | CLONE_VFORK | SIGCHLD, tid);
	else if (chance(50))
		script_fork(s, child, SYS_fork);
	else if (chance(50))
		script_clone(s, child, flags[choose(4)], tid);
	else
		script_clone3(s, child, flags[choose(4)], tid);
}

/* NOLINTBEGIN(misc-no-recursion): these functions grow the tree by recursion */
static struct total grow(struct process *p, enum mode mode,
			 unsigned int budget);

/*
 * Write the script of a child. The child and its descendants are at most @budget processes and
 * threads.
 */
static void make_child(struct process *p, struct script *s, struct child *child,
		       enum mode mode, unsigned int budget)
{
	struct process c = {
		.script = script_new(),
		.counted = s->counts,
		.events = p->events,
		.ignores = p->ignores,
		.reaper = p->left ? p : p->reaper,
	};

	child->pid = shared(sizeof(*child->pid));
	create(s, &c.script, mode);
	script_save(s, child->pid);
	attend(s, child->pid, mode);
	child->total = grow(&c, mode, budget);
}

static void reap(struct process *p, struct script *s, const struct child *child)
{
	wait_for(s, child->pid, 0);
	fold(p, &child->total);
}

/* Let the process wait for a random one of its children. */
static void reap_one(struct process *p)
{
	unsigned int i = choose(p->nr_children);

	reap(p, &p->script, &p->child[i]);
	p->child[i] = p->child[--p->nr_children];
}

/* Write the script of a thread, which may fork, and may stop its count for a while. */
static void make_thread(struct process *p)
{
	struct script thread = script_new();
	struct child child;
	uint32_t *tid = shared(2 * sizeof(*tid));

	nr_threads++;
	p->threaded = true;
	script_thread(&p->script, &thread, tid);
	some_rounds(&thread);
	if (chance(30)) {
		make_child(p, &thread, &child, FREE, 1);
		reap(p, &thread, &child);
	}
	if (thread.counts && chance(20)) {
		stop(&thread);
		some_rounds(&thread);
		start(&thread, p->events, VPMC_START_RESUME);
	}
	script_exit(&thread, 0);
	if (thread.counts)
		retire(p, thread.cost);
	/*
	 * A subreaper waits for any child, and must not get a child of the thread. So it always
	 * waits for the thread first.
	 */
	p->loose = p->loose || !(p->left || chance(70));
	if (!p->loose) {
		some_rounds(&p->script);
		script_join(&p->script, tid);
	}
}

/* Let the process start again. Its previous counts are added only to its parent then. */
static void restart(struct process *p)
{
	enum events events = chance(80) ? FIRST : OTHER;

	stop(&p->script);
	retire(p, p->script.cost);
	add(&p->before, &p->self);
	add(&p->before, &p->children);
	if (events != p->events) {
		struct sum before = p->before;

		p->before = (struct sum){};
		add_as_missing(&p->before, &before);
	}
	p->self = p->children = (struct sum){};
	p->events = events;
	some_rounds(&p->script);
	start(&p->script, events, 0);
}

/* Let the process stop its count for a while. A child that it forks in this time does not count. */
static void pause_count(struct process *p)
{
	struct child child;

	stop(&p->script);
	some_rounds(&p->script);
	if (chance(30)) {
		make_child(p, &p->script, &child, FREE, 1);
		reap(p, &p->script, &child);
	}
	start(&p->script, p->events, VPMC_START_RESUME);
}

static void ignore_children(struct process *p)
{
	/* The kernel's structure consists of handler, flags, restorer and mask. */
	script_word *action = shared(5 * sizeof(*action));

	action[0] = P(SIG_IGN);
	script_call(&p->script, SYS_rt_sigaction, SIGCHLD, P(action), 0, 8);
	p->ignores = true;
}

static void become_reaper(struct process *p)
{
	script_call(&p->script, SYS_prctl, PR_SET_CHILD_SUBREAPER, 1);
	p->left = calloc(limit, sizeof(*p->left));
	if (!p->left)
		err(2, "calloc");
}

/* Let the process wait for all its children, or leave some of them. */
static void end_children(struct process *p)
{
	unsigned int i;

	while (p->nr_children && (p->ignores || p->left || chance(80)))
		reap_one(p);
	for (i = 0; i < p->orphans; i++) {
		script_wait(&p->script);
		fold(p, &p->left[i]);
	}
	for (i = 0; i < p->nr_children; i++)
		p->reaper->left[p->reaper->orphans++] = p->child[i].total;
}

/* Let a thread execute a program, which ends the leader. */
static void end_by_thread(struct process *p)
{
	struct script thread = script_new();

	nr_threads++;
	script_clone(&p->script, &thread,
		     CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK,
		     shared(sizeof(uint32_t)));
	/* The leader is killed in the system call, and does not execute the RET after it. */
	if (p->script.counts) {
		p->script.cost.instructions--;
		p->script.cost.branches--;
	}
	some_rounds(&thread);
	script_exec_exactly(&thread, "./exactly-1000", 1000);
	if (thread.counts)
		retire(p, thread.cost);
}

static void end(struct process *p, enum mode mode)
{
	static const int signals[] = { SIGKILL, SIGTERM, SIGUSR1 };
	struct script *s = &p->script;
	unsigned int way = choose(100);

	end_children(p);
	if (mode == KILLED)
		script_kill(s, SIGSTOP);
	else if (way < 10 && !p->loose)
		script_exec_exactly(s, "./exactly-1000", 1000);
	else if (way < 15 && !p->loose)
		end_by_thread(p);
	else if (way < 25 && !p->loose)
		script_kill(s, signals[choose(3)]);
	else if (way < 30 && !p->loose)
		script_crash(s);
	else
		script_exit(s, 0);
	if (s->counts)
		retire(p, s->cost);
}

/* Add one random action to the process. */
static void act(struct process *p, unsigned int *budget)
{
	unsigned int what = choose(100), share;
	struct script *s = &p->script;
	enum mode mode = FREE;

	if (what < 50 && *budget && p->nr_children < MAX_CHILDREN - 1) {
		share = 1 + choose(*budget);
		mode = chance(50) ? FREE : (enum mode)(1 + choose(3));
		if (mode == KILLED)
			share = 1;
		make_child(p, s, &p->child[p->nr_children], mode, share);
		p->nr_children++;
		*budget -= share;
	} else if (what < 60 && p->nr_children) {
		reap_one(p);
	} else if (what < 75 && *budget) {
		make_thread(p);
		--*budget;
	} else if (what < 80 && s->counts) {
		pause_count(p);
	} else if (what < 85 && s->counts && !p->threaded) {
		restart(p);
	} else {
		some_rounds(s);
	}
}

/* Write the script of a last child with the rest of the budget. */
static void make_rest(struct process *p, unsigned int budget)
{
	make_child(p, &p->script, &p->child[p->nr_children], FREE, budget);
	p->nr_children++;
}

static struct total grow(struct process *p, enum mode mode, unsigned int budget)
{
	unsigned int i, actions = 1 + choose(10);
	struct total total;

	nr_processes++;
	budget--;
	if (mode == TRACED) {
		script_call(&p->script, SYS_ptrace, PTRACE_TRACEME);
		script_raise(&p->script, SIGSTOP);
		script_rounds(&p->script, STEPS);
	}
	if (mode != KILLED) {
		if (!p->ignores && chance(5))
			ignore_children(p);
		else if (!p->ignores && chance(5))
			become_reaper(p);
		for (i = 1; i <= actions; i++)
			act(p, &budget);
		if (budget)
			make_rest(p, budget);
	}
	end(p, mode);
	free(p->left);
	total = (struct total){ p->counted, p->events, p->self };
	add(&total.sum, &p->before);
	add(&total.sum, &p->children);
	return total;
}

/* NOLINTEND(misc-no-recursion) */

/* Write all scripts. Returns the script of the root. */
static struct script plant(int fd, struct process *me, unsigned int nodes)
{
	struct process root = {
		.script = script_new(),
		.counted = true,
		/*
		 * The root must not start again, because the test expects all counts since its
		 * first start.
		 */
		.threaded = true,
		.reaper = me,
	};
	struct total total;

	script_start(&root.script, fd,
		     start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS));
	total = grow(&root, FREE, nodes);
	fold(me, &total);
	script_back(&root.script);
	return root.script;
}

/* Check that each counted instruction is in exactly one record. */
static void check_records(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };
	struct cost every = {};
	unsigned int n = 0;

	while (!request(fd, VPMC_RECORD, &record)) {
		bool swapped = record.what & VPMC_RECORD_OTHER;

		every.instructions += record.count[swapped];
		every.branches += record.count[!swapped];
		n++;
		record = (struct vpmc_record){ .size = sizeof(record) };
	}
	check(n == nr_records && every.instructions == executed.instructions &&
		      every.branches == executed.branches,
	      "%u records: %llu %llu want %u: %llu %llu", n,
	      (unsigned long long)every.instructions,
	      (unsigned long long)every.branches, nr_records,
	      (unsigned long long)executed.instructions,
	      (unsigned long long)executed.branches);
}

static void check_tree(int fd, const struct process *me)
{
	struct cost sum = cost_add(unseen, cost_add(me->children.count,
						    me->children.missing));
	struct vpmc_read read;

	check_scope(stop_fd, VPMC_SCOPE_CHILDREN, me->children.count,
		    me->children.other, "CHILDREN of the root's parent");
	check(!memcmp(&sum, &executed, sizeof(sum)),
	      "with what is missing it is all that was executed");
	read = read_scope(fd, VPMC_SCOPE_ALL);
	check_read(&read, all.count, all.other, "ALL");
	sum = cost_add(all.count, all.missing);
	check(!memcmp(&sum, &executed, sizeof(sum)),
	      "with what is missing it is all that was executed");
	check(!read.running && read.state == VPMC_STATE_EXITED,
	      "none runs any more");
	check_records(fd);
}

/* Return the number of context switches since boot, on all processors. */
static unsigned long switches(void)
{
	char line[1024];
	unsigned long number = 0;
	FILE *file = fopen("/proc/stat", "re");

	if (!file)
		err(2, "/proc/stat");
	while (!number && fgets(line, sizeof(line), file))
		if (!strncmp(line, "ctxt ", 5))
			number = strtoul(line + 5, NULL, 10);
	fclose(file);
	return number;
}

/*
 * Reap all children, and read ALL while they run. Counts that pass from one process to another must
 * never be missing, so ALL must never decrease.
 */
static void attend_tree(int fd)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_ALL };
	struct cost seen = {};
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0) {
		if (pid || request(fd, VPMC_READ, &read))
			continue;
		if (read.count[0] < seen.instructions ||
		    read.count[1] < seen.branches)
			check(false, "ALL goes back: %llu %llu", read.count[0],
			      read.count[1]);
		seen = (struct cost){ read.count[0], read.count[1] };
		usleep(1000);
	}
	check(errno == ECHILD, "nobody is left to wait for");
}

static void test_tree(void)
{
	struct process me = { .events = FIRST, .counted = true };
	int fd = open_device();
	unsigned long before = switches();
	struct script root;
	unsigned int i;
	pid_t pid;

	stop_fd = open_device();
	me.left = calloc(limit, sizeof(*me.left));
	if (!me.left)
		err(2, "calloc");
	root = plant(fd, &me, limit);
	for (i = 0; i < me.orphans; i++)
		fold(&me, &me.left[i]);

	/* Start and stop here, so that this process has events before it reaps the first child. */
	check(!request(open_device(), VPMC_START, start_arg(FIRST, 0)) &&
		      !request(stop_fd, VPMC_STOP, stop_arg()),
	      "start and stop");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = fork();
	if (!pid)
		script_run(&root);
	attend_tree(fd);
	check_tree(fd, &me);
	check(true, "%u processes, %u threads, %lu switches", nr_processes,
	      nr_threads, switches() - before);
	free(me.left);
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 3)
		errx(2, "usage: tree NODES SEED...");
	limit = (unsigned int)strtoul(argv[1], NULL, 10);
	for (i = 2; i < argc; i++) {
		random_state = 0x9e3779b97f4a7c15 * strtoull(argv[i], NULL, 10);
		run(test_tree);
	}
	return check_status();
}

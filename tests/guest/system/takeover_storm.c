// SPDX-License-Identifier: GPL-2.0-only
/*
 * takeover_storm TAKEOVERS: take the counters by system mode and give them back, TAKEOVERS times,
 * while eight processes start, count, fork and read. Each of their reads must either return exact
 * counts of the start's generation, or report that the counts are revoked.
 */
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

#define WORKERS 8
#define ROUNDS	10000

/*
 * struct tally - the results of a worker
 * @exact: number of reads with exact counts of the start's generation
 * @revoked: number of reads that report that the counters were taken away
 * @busy: number of starts that were refused
 * @wrong: number of other results
 */
struct tally {
	unsigned long exact, revoked, busy, wrong;
};

/*
 * struct worker - a process that counts again and again
 * @start, @self, @children: arguments of its calls
 * @started, @was_read: results of the start and of the first read
 * @tally: its results
 * @last: generation of its previous start
 * @at_read, @at_stop: the cost of @script up to the read and up to the stop
 * @script: the script that it runs each time
 * @child: the script of the child that every second worker forks
 * @fd: its handle
 * @pid: its process ID
 */
struct worker {
	struct vpmc_start *start;
	struct vpmc_read *self, *children;
	uint32_t *started, *was_read;
	struct tally *tally;
	uint64_t last;
	struct cost at_read, at_stop;
	struct script script, child;
	int fd;
	pid_t pid;
};

static struct worker workers[WORKERS];
static volatile bool *finish;

static void prepare(struct worker *w)
{
	struct script *s = &w->script;

	w->fd = open_device();
	w->script = script_new();
	w->child = script_new();
	w->start = start_arg(FIRST, 0);
	w->self = read_arg(VPMC_SCOPE_SELF);
	w->children = read_arg(VPMC_SCOPE_CHILDREN);
	w->started = shared(sizeof(*w->started));
	w->was_read = shared(sizeof(*w->was_read));
	w->tally = shared(sizeof(*w->tally));

	script_start(s, w->fd, w->start);
	script_save(s, w->started);
	script_rounds(s, ROUNDS);
	if ((w - workers) % 2) {
		script_fork(s, &w->child, SYS_fork);
		script_rounds(&w->child, ROUNDS);
		script_exit(&w->child, 0);
		script_wait(s);
	}
	script_call(s, SYS_sched_yield);
	script_rounds(s, ROUNDS);
	w->at_read = script_read(s, w->fd, w->self);
	script_save(s, w->was_read);
	script_call(s, SYS_ioctl, (uint32_t)w->fd, VPMC_READ, P(w->children));
	script_stop(s, w->fd, stop_arg());
	w->at_stop = s->cost;
	script_back(s);
}

static bool has(const struct vpmc_read *read, struct cost cost)
{
	return are_counts(read->count, read->nr_counts, cost) &&
	       !read->revoked && !read->other_events;
}

/* Return whether the read reports that the counts are revoked. */
static bool is_revoked(const struct vpmc_read *read)
{
	return read->state == VPMC_STATE_REVOKED && read->revoked &&
	       !read->count[0] && !read->count[1];
}

static void wrong(struct worker *w, const struct vpmc_read *read,
		  const char *what)
{
	if (w->tally->wrong++ < 3)
		check(false,
		      "worker %d, %s: start %d, read %d, generation %llu of %llu, state %u, %llu %llu want %llu %llu, revoked %u",
		      (int)(w - workers), what, (int)*w->started,
		      (int)*w->was_read, read->generation, w->start->generation,
		      read->state, read->count[0], read->count[1],
		      (unsigned long long)w->at_read.instructions,
		      (unsigned long long)w->at_read.branches, read->revoked);
	else
		check_failures++;
}

/* Check the counts of a worker after a successful start. */
static void judge_counts(struct worker *w)
{
	uint64_t generation = w->start->generation;

	if (generation == w->last)
		wrong(w, w->self, "an old generation");
	w->last = generation;
	if (w->self->generation == generation) {
		if (!has(w->self, w->at_read) ||
		    w->self->state != VPMC_STATE_RUNNING)
			wrong(w, w->self, "SELF");
		else
			w->tally->exact++;
	} else if (!is_revoked(w->self)) {
		wrong(w, w->self, "SELF of another generation");
	} else {
		w->tally->revoked++;
	}
	/* The counters may have been taken away between the two reads. */
	if (w->children->generation == generation &&
	    !has(w->children, w->child.cost))
		wrong(w, w->children, "CHILDREN");
	if (w->self->generation != generation &&
	    w->children->generation == generation)
		wrong(w, w->children, "the generation is back");
}

/* Let the worker run its script once. Returns whether its start was successful. */
static bool work(struct worker *w)
{
	script_run(&w->script);
	if ((int)*w->started == -EBUSY) {
		w->tally->busy++;
		return false;
	}
	if (*w->started || *w->was_read)
		wrong(w, w->self, "a call");
	else
		judge_counts(w);
	return true;
}

static _Noreturn void worker_main(struct worker *w)
{
	unsigned long exact;

	check_failures = 0;
	while (!*finish) {
		if (!work(w))
			sched_yield();
	}
	exact = w->tally->exact;
	check(work(w) && w->tally->exact == exact + 1,
	      "after the storm it counts exactly");
	exit(check_status());
}

/* Check two reads of a worker, one before and one after a takeover. */
static void judge_takeover(struct worker *w, const struct vpmc_read *before,
			   const struct vpmc_read *after)
{
	bool ok = true;

	if (after->state == VPMC_STATE_STOPPED)
		ok = has(after, w->at_stop);
	else if (!is_revoked(after))
		ok = false;
	else if (before->state == VPMC_STATE_RUNNING)
		ok = after->generation != before->generation;
	if (!ok)
		check(false,
		      "worker %d: state %u to %u, generation %llu to %llu, %llu %llu want %llu %llu, revoked %u",
		      (int)(w - workers), before->state, after->state,
		      before->generation, after->generation, after->count[0],
		      after->count[1],
		      (unsigned long long)w->at_stop.instructions,
		      (unsigned long long)w->at_stop.branches, after->revoked);
}

static struct vpmc_read look_at(const struct worker *w)
{
	struct vpmc_read read = { .size = sizeof(read),
				  .scope = VPMC_SCOPE_SELF };

	if (request(w->fd, VPMC_READ, &read))
		err(2, "read");
	return read;
}

/* Take the counters and give them back. Check the counts of worker @w before and after that. */
static void take_over(int fd, struct worker *w)
{
	struct vpmc_start start = *workers[0].start;
	struct vpmc_stop stop = { .size = sizeof(stop) };
	struct vpmc_read before, after;
	int result;

	start.flags = VPMC_START_FORCE;
	before = look_at(w);
	result = request(fd, VPMC_SYSTEM_START, &start);
	if (result)
		check(false, "by force: errno %d", -result);
	after = look_at(w);
	judge_takeover(w, &before, &after);
	result = request(fd, VPMC_SYSTEM_STOP, &stop);
	if (result || stop.generation != start.generation)
		check(false, "stop: errno %d", -result);
	after = look_at(w);
	if (after.generation == before.generation)
		judge_takeover(w, &before, &after);
}

/* Create all workers, and wait until each of them has counted exactly. */
static void start_workers(void)
{
	struct worker *w;

	for (w = workers; w < workers + WORKERS; w++)
		prepare(w);
	for (w = workers; w < workers + WORKERS; w++) {
		w->pid = child_fork();
		if (!w->pid)
			worker_main(w);
	}
	for (w = workers; w < workers + WORKERS; w++)
		while (!w->tally->exact)
			usleep(1000);
}

/* End the workers, and add their results to @sum. */
static void end_workers(struct tally *sum)
{
	struct worker *w;
	int status;

	*finish = true;
	for (w = workers; w < workers + WORKERS; w++) {
		struct tally *t = w->tally;

		check(waitpid(w->pid, &status, 0) > 0 && !status,
		      "worker %d: %lu exact, %lu revoked, %lu busy, %lu wrong",
		      (int)(w - workers), t->exact, t->revoked, t->busy,
		      t->wrong);
		check(t->revoked, "its counters were taken away");
		sum->exact += t->exact;
		sum->revoked += t->revoked;
	}
}

int main(int argc, char **argv)
{
	struct tally sum = {};
	int takeovers, i, fd;

	if (argc != 2)
		errx(2, "usage: takeover_storm TAKEOVERS");
	takeovers = (int)strtol(argv[1], NULL, 10);
	finish = shared(sizeof(*finish));
	fd = open_device();
	start_workers();
	for (i = 0; i < takeovers; i++) {
		take_over(fd, &workers[i % WORKERS]);
		usleep(1000);
	}
	end_workers(&sum);
	check(!in_system_mode(), "no system mode is left");
	printf("%d takeovers, %lu exact reads, %lu revoked\n", takeovers,
	       sum.exact, sum.revoked);
	return check_status();
}

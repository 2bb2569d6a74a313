// SPDX-License-Identifier: GPL-2.0-only
/*
 * samples TREES SEED: test that each thread leaves one sample for each period of events that it has
 * counted, whatever runs in between, in the right program, process and thread.
 *
 * The oracle is the record of each thread: a thread that has counted C events with the period P
 * leaves C / P samples, rounded down.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"
#include "seed.h"

#define RING_SIZE (1 << 20)
#define STRIDE	  (sizeof(struct vpmc_ring) + RING_SIZE)
#define THREADS	  512
#define PERIOD	  1000

/* The rings of a handle that is to be started. */
struct rings {
	int fd;
	unsigned int nr;
	struct vpmc_ring *ring[8];
};

/* The samples of a thread, and the counts of its record. */
struct thread {
	uint32_t tid;
	uint64_t count[2], samples[2];
};

static struct thread threads[THREADS];
static unsigned int nr_threads;
static uint32_t period[2];

static struct rings rings_new(void)
{
	struct vpmc_samples arg = { .size = sizeof(arg),
				    .ring_size = RING_SIZE };
	struct rings r = { .fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC) };
	unsigned int i;
	int result = request(r.fd, VPMC_SAMPLES, &arg);

	check(!result, "rings: %d", result);
	r.nr = arg.nr_rings;
	for (i = 0; i < r.nr; i++) {
		r.ring[i] = mmap(NULL, STRIDE, PROT_READ | PROT_WRITE,
				 MAP_SHARED, r.fd, (off_t)((i + 1) * STRIDE));
		if (r.ring[i] == MAP_FAILED)
			err(2, "ring %u", i);
	}
	return r;
}

static void rings_free(struct rings *r)
{
	unsigned int i;

	for (i = 0; i < r->nr; i++)
		munmap(r->ring[i], STRIDE);
	close(r->fd);
}

static struct thread *thread_of(uint32_t tid)
{
	unsigned int i;

	for (i = 0; i < nr_threads; i++) {
		if (threads[i].tid == tid)
			return &threads[i];
	}
	if (nr_threads == THREADS)
		errx(2, "too many threads");
	threads[nr_threads] = (struct thread){ .tid = tid };
	return &threads[nr_threads++];
}

/* Take in all records of a ring. */
static void ring_read(struct vpmc_ring *ring)
{
	const uint64_t *data = (const uint64_t *)(ring + 1);
	uint32_t head = __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
	uint32_t tail = ring->tail;

	while (tail != head) {
		const uint64_t *word = &data[tail % RING_SIZE / 8];
		uint64_t where = word[0];

		if (where & VPMC_WHERE_OTHER) {
			tail += (uint32_t)(where & VPMC_CHANGE_SIZE);
		} else {
			uint64_t ids = data[(tail + 16) % RING_SIZE / 8];
			unsigned int event = where >> VPMC_WHERE_EVENT_SHIFT &
					     VPMC_WHERE_EVENT_MASK;

			thread_of((uint32_t)(ids >> 32))->samples[event]++;
			tail += sizeof(struct vpmc_sample);
		}
	}
	check(!ring->lost && !ring->lost_changes && !ring->hidden,
	      "nothing is lost: %u, %u, %u", ring->lost, ring->lost_changes,
	      ring->hidden);
	__atomic_store_n(&ring->tail, tail, __ATOMIC_RELEASE);
}

/* Compare the samples of all threads with their records. */
static void compare(const struct rings *r, const char *what)
{
	unsigned int i, k, bad = 0;
	struct vpmc_record record;
	uint64_t all = 0;

	nr_threads = 0;
	for (i = 0; i < r->nr; i++)
		ring_read(r->ring[i]);
	for (;;) {
		record = (struct vpmc_record){ .size = sizeof(record) };
		if (request(r->fd, VPMC_RECORD, &record))
			break;
		memcpy(thread_of((uint32_t)record.tid)->count, record.count,
		       2 * sizeof(record.count[0]));
	}
	for (i = 0; i < nr_threads; i++) {
		for (k = 0; k < 2; k++) {
			uint64_t want =
				period[k] ? threads[i].count[k] / period[k] : 0;

			all += want;
			if (threads[i].samples[k] == want)
				continue;
			if (bad++ < 20)
				check(false,
				      "%s: thread %u event %u: %llu samples of %llu events",
				      what, threads[i].tid, k,
				      (unsigned long long)threads[i].samples[k],
				      (unsigned long long)threads[i].count[k]);
		}
	}
	check(!bad, "%s: %u threads, %llu samples, %u wrong", what, nr_threads,
	      (unsigned long long)all, bad);
}

static struct vpmc_start *sampled(void)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);

	start->nr_events = 2;
	start->event[0].period = period[0];
	start->event[1].period = period[1];
	return start;
}

/* A process that executes some loops, with and without children between them. */
static void grow(struct script *s, unsigned int depth)
{
	unsigned int i, nr = 1 + below(3);

	for (i = 0; i < nr; i++) {
		struct script child = script_new();

		script_rounds(s, 1 + below(20000));
		if (!depth)
			continue;
		script_fork(s, &child, SYS_fork);
		grow(&child, depth - 1);
		script_exit(&child, 0);
		if (below(2))
			script_wait(s);
	}
	script_rounds(s, 1 + below(5000));
}

/* Wait until no process that is collected is left. */
static void until_gone(const struct rings *r)
{
	struct pollfd fd = { .fd = r->fd };

	while (poll(&fd, 1, -1) != 1 || !(fd.revents & POLLHUP))
		;
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* The process that starts is a child of the one that has the rings. */
static void test_tree(void)
{
	struct rings r = rings_new();
	struct script s = script_new();

	script_start(&s, r.fd, sampled());
	grow(&s, 3);
	script_exit(&s, 0);
	if (!child_fork())
		script_run(&s);
	until_gone(&r);
	compare(&r, "a tree");
	rings_free(&r);
}

int main(int argc, char **argv)
{
	unsigned int i, trees = argc > 1 ? (unsigned int)atoi(argv[1]) : 5;

	seed = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;

	period[0] = PERIOD;
	period[1] = 1500;
	for (i = 0; i < trees; i++)
		test_tree();
	return check_status();
}

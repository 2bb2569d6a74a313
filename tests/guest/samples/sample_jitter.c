// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_jitter: test that the seed determines the distances of samples with jitter, in each
 * thread of a tree of processes, with machine --exact-pmi. A fork that fails does not count.
 *
 * A model computes the number of each event that leaves a sample. Each thread executes a long
 * line of known instructions, so the number of an event determines the address of its sample.
 */
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rings.h"

#define RING_SIZE (1 << 18)
#define EVENTS	  2
#define STREAMS	  5
#define LINES	  60
#define MOST	  1024

/* A line has 997 NOPs and a return to the next line. */
#define LINE 998
extern const char jitter_line[];
__asm__(".text\n"
	".globl jitter_line\n"
	"jitter_line: .fill 997, 1, 0x90\n"
	"ret\n");

static const uint32_t period[EVENTS] = { 1500, 2003 };
static const uint32_t jitter[EVENTS] = { 500, 1003 };

/**
 * struct stream - the code of a thread, and the samples of the thread with these samples
 * @before: the instructions before its lines
 * @all: all its instructions
 * @where: the addresses of its samples of each event
 * @nr: number of samples
 * @seed: the seed of its jitter
 * @tid: the thread, 0 if none is known
 */
struct stream {
	uint64_t before, all;
	uint64_t where[EVENTS][MOST];
	unsigned int nr[EVENTS];
	uint32_t seed, tid;
};

static struct stream want[STREAMS], found[STREAMS];
static unsigned int nr_want, nr_found;

/* Mix the bits of a number by the rule of VPMC_SAMPLES. */
static uint32_t mix(uint32_t x)
{
	x ^= x >> 16;
	x *= 0x85ebca6b;
	x ^= x >> 13;
	x *= 0xc2b2ae35;
	return x ^ x >> 16;
}

static uint64_t distance(uint32_t seed, unsigned int event, unsigned int i)
{
	const uint32_t random = mix(mix(seed + event) + i * 0x9e3779b9U);

	return period[event] - jitter[event] +
	       ((uint64_t)random * (2 * jitter[event] + 1) >> 32);
}

/* Let a script execute lines, and expect its samples. It must end with end(). */
static struct stream *add_lines(struct script *s, uint32_t seed)
{
	struct stream *stream = &want[nr_want++];
	unsigned int i;

	*stream =
		(struct stream){ .seed = seed, .before = s->cost.instructions };
	for (i = 0; i < LINES; i++)
		script_piece(s, jitter_line, (struct cost){ LINE, 1 });
	return stream;
}

static void end(struct script *s, struct stream *stream)
{
	script_exit(s, 0);
	stream->all = s->cost.instructions;
}

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_sample s = sample_of(record);
	struct stream *stream = found;

	(void)size;
	if (!s.pid)
		return;
	while (stream->tid && stream->tid != s.tid)
		if (++stream == found + STREAMS)
			errx(2, "too many threads");
	if (!stream->tid)
		nr_found++;
	stream->tid = s.tid;
	if (stream->nr[sample_event(&s)] == MOST)
		errx(2, "too many samples");
	stream->where[sample_event(&s)][stream->nr[sample_event(&s)]++] =
		s.where & VPMC_WHERE_LATE ? 0 : sample_address(&s);
}

/* Return whether a sample has the address of event @nr of its thread. */
static bool is_there(const struct stream *stream, uint64_t nr, uint64_t where)
{
	const uint64_t line = nr - stream->before;

	return nr <= stream->before || line >= (uint64_t)LINES * LINE ||
	       where == (uintptr_t)jitter_line + line % LINE;
}

/* Return whether the samples of a thread are the samples of a stream. */
static bool is_stream(const struct stream *one, const struct stream *stream)
{
	unsigned int event, i;
	uint64_t nr;

	for (event = 0; event < EVENTS; event++) {
		nr = 0;
		for (i = 0;; i++) {
			nr += distance(stream->seed, event, i + 1);
			if (nr > stream->all)
				break;
			if (i == one->nr[event] ||
			    !is_there(stream, nr, one->where[event][i]))
				return false;
		}
		if (i != one->nr[event])
			return false;
	}
	return true;
}

static struct vpmc_start *sampled(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	unsigned int i;

	start->nr_events = EVENTS;
	for (i = 0; i < EVENTS; i++) {
		start->event[i].code = code_here(INSTRUCTIONS);
		start->event[i].period = period[i];
	}
	return start;
}

static struct rings jittered(uint32_t seed)
{
	return rings_new_with(
		(struct vpmc_samples){ .ring_size = RING_SIZE,
				       .seed = seed,
				       .jitter = { jitter[0], jitter[1] } });
}

/* Let a script fork a process that is to have the id of another process, so that the fork fails. */
static void fail_to_fork(struct script *s)
{
	static const int32_t taken = 1;
	static struct clone_args args = { .exit_signal = SIGCHLD,
					  .set_tid_size = 1 };

	args.set_tid = (uintptr_t)&taken;
	script_call(s, SYS_clone3, P(&args), sizeof(args));
}

static void test_seed(uint32_t seed)
{
	struct script s = script_new(), first = script_new(),
		      second = script_new(), thread = script_new();
	uint32_t *pair = shared(2 * sizeof(uint32_t));
	struct rings r = jittered(seed);
	struct stream *own, *child;
	unsigned int i, k, nr = 0;

	nr_want = 0;
	nr_found = 0;
	memset(found, 0, sizeof(found));
	script_start(&s, r.fd, sampled());
	own = add_lines(&s, seed);
	fail_to_fork(&s);
	script_fork(&s, &first, SYS_fork);
	child = add_lines(&first, mix(seed - 1));
	script_thread(&first, &thread, pair);
	end(&thread, add_lines(&thread, mix(mix(seed - 1) - 1)));
	script_join(&first, pair);
	end(&first, child);
	script_wait(&s);
	script_fork(&s, &second, SYS_fork);
	end(&second, add_lines(&second, mix(seed - 2)));
	script_wait(&s);
	end(&s, own);
	if (!child_fork())
		script_run(&s);
	until_gone(&r);
	rings_read(&r, take);
	for (i = 0; i < nr_want; i++) {
		for (k = 0; k < nr_found; k++)
			nr += is_stream(&found[k], &want[i]);
	}
	check(nr == nr_want && nr_found == nr_want && !r.lost && !r.hidden,
	      "seed %#x: %u threads leave the samples of %u", seed, nr,
	      nr_found);
	rings_free(&r);
	shared_free();
}

/* The shortest and the longest distance must be allowed as a period. */
static void test_limits(void)
{
	static const struct {
		uint32_t period, jitter, modes;
		bool is_allowed;
	} row[] = {
		{ 1000, 0, VPMC_MODE_USER, true },
		{ 1000, 1, VPMC_MODE_USER, false },
		{ 1100, 100, VPMC_MODE_USER, true },
		{ 1100, 101, VPMC_MODE_USER, false },
		{ 100100, 100, VPMC_MODE_USER | VPMC_MODE_KERNEL, true },
		{ 100100, 101, VPMC_MODE_USER | VPMC_MODE_KERNEL, false },
		{ 2000000000, 147483647, VPMC_MODE_USER, true },
		{ 2000000000, 147483648, VPMC_MODE_USER, false },
		{ 1100, UINT32_MAX, VPMC_MODE_USER, false },
		{ 1100, UINT32_MAX - 1000, VPMC_MODE_USER, false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct vpmc_start *start = sampled();
		struct rings r;
		int result;

		if (!is_child())
			continue;
		r = rings_new_with((struct vpmc_samples){
			.ring_size = 4096, .jitter = { row[i].jitter } });
		start->nr_events = 1;
		start->event[0].period = row[i].period;
		start->event[0].modes = (uint16_t)row[i].modes;
		result = request(r.fd, VPMC_START, start);
		check(result == (row[i].is_allowed ? 0 : -EINVAL) &&
			      (!result || start->error == VPMC_REASON_PERIOD),
		      "period %u, jitter %u: %d", row[i].period, row[i].jitter,
		      result);
		exit(check_status());
	}
	shared_free();
}

int main(void)
{
	static const uint32_t seeds[] = { 0, 1, 2, 0x12345678, UINT32_MAX };
	unsigned int i;

	for (i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
		test_seed(seeds[i]);
	test_limits();
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * profile WHAT: measure what samples cost the process that counts WHAT, "sampled" or "perf-sampled"
 * (count.h). A line "loop" has the costs of instructions in user mode that leave some samples, and
 * the following line "samples" has their number. "bytes" is the size of a sample.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "count.h"
#include "measure.h"

#define REPEAT 20
/* Each round has two instructions, so there are five samples or six. All loops end before a tick. */
#define ROUNDS (11 * COUNT_PERIOD / 4)

struct repetition {
	struct totals before, after;
	uint32_t written[2];
};

static int loop(void)
{
	uint32_t left = ROUNDS;

	MEASURE_SAVE_REGISTERS();
	__asm__ __volatile__("1:	decl	%0\n"
			     "	jnz	1b"
			     : "+r"(left)
			     :
			     : "cc");
	return 0;
}

int main(int argc, char **argv)
{
	struct repetition *repetitions, *r;
	enum count what;

	if (argc != 2)
		errx(2, "usage: profile WHAT");
	what = count_named(argv[1]);
	repetitions = measure_memory(REPEAT * sizeof(*repetitions));
	measure_start();
	count_start(what);
	measure_align();
	for (r = repetitions; r < repetitions + REPEAT; r++) {
		r->written[0] = count_written(what);
		measure(loop, &r->before, &r->after);
		r->written[1] = count_written(what);
	}
	for (r = repetitions; r < repetitions + REPEAT; r++) {
		cost_print("loop", &r->before, &r->after);
		printf("samples %" PRIu32 "\n",
		       (r->written[1] - r->written[0]) /
			       count_sample_size(what));
	}
	printf("bytes %" PRIu32 "\n", count_sample_size(what));
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-only
/* Check that whole programs, with their children, are counted exactly. */
#include "self_test/checks.h"
#include "self_test/program.h"

#define NATIVE_BITS (8 * sizeof(void *))

/* Two programs of these lengths run at the same time. They need several turns on a processor. */
#define FIRST_ROUNDS  (1U << 23)
#define SECOND_ROUNDS (3U << 22)

static void judge_end(struct verdict *verdict, const struct running *running,
		      enum program_end end)
{
	if (end == PROGRAM_FOREIGN)
		give(verdict, CHECK_NOT_HERE,
		     "the kernel does not execute such programs");
	else
		give_error(verdict, &running->err);
}

/* Judge a program that was started, and its children. Return whether its counts are exact. */
static bool finish(const struct bench *bench, struct verdict *verdict,
		   struct running *running, const struct program *program)
{
	uint64_t self, children;
	const enum program_end end = finish_program(running, &self, &children);

	if (end != PROGRAM_DONE) {
		judge_end(verdict, running, end);
		return false;
	}
	if (!judge(bench, verdict, self, program_instructions(program)))
		return false;
	return !program->children ||
	       judge(bench, verdict, children, children_instructions(program));
}

static void check_program(const struct bench *bench, struct verdict *verdict,
			  const struct program *program)
{
	struct running running;

	start_program(&running, program, &bench->instructions);
	finish(bench, verdict, &running, program);
}

void check_program_32(struct bench *bench, struct verdict *verdict)
{
	const struct program program = { .bits = 32, .rounds = 1000 };

	check_program(bench, verdict, &program);
}

void check_program_64(struct bench *bench, struct verdict *verdict)
{
	const struct program program = { .bits = 64, .rounds = 1000 };

	check_program(bench, verdict, &program);
}

void check_children(struct bench *bench, struct verdict *verdict)
{
	const struct program program = { .bits = NATIVE_BITS,
					 .rounds = 1000,
					 .children = 3,
					 .child_rounds = 2000 };

	check_program(bench, verdict, &program);
}

void check_processes(struct bench *bench, struct verdict *verdict)
{
	const struct program first = { .bits = NATIVE_BITS,
				       .rounds = FIRST_ROUNDS },
			     second = { .bits = NATIVE_BITS,
					.rounds = SECOND_ROUNDS };
	struct verdict verdicts[2];
	struct running running[2];
	bool is_exact;

	start_program(&running[0], &first, &bench->instructions);
	start_program(&running[1], &second, &bench->instructions);
	is_exact = finish(bench, &verdicts[0], &running[0], &first);
	finish(bench, &verdicts[1], &running[1], &second);
	*verdict = verdicts[is_exact];
}

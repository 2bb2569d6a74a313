// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline_vfork FIRST COUNT: a child of vfork(2), which has its parent's
 * thread-local variables, finds no count in the parent's page, also if it runs on
 * another processor before the parent sleeps.
 *
 * The adversary has the two processors take turns of random lengths, which follow
 * from a seed.
 */
#include <err.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary.h"
#include "inline.h"

/* So that the child can come to its read in one turn. */
#define LONGEST_TURN 8192

/* What a child has found. */
static int64_t found[2];
static int processor;

static int read_both(void *unused)
{
	(void)unused;
	found[0] = vpmc_count(0);
	found[1] = vpmc_count(1);
	processor = sched_getcpu();
	return 0;
}

/* Returns whether the child ran beside its parent. */
static bool run_child(uint32_t seed)
{
	static char stack[65536];
	int before = sched_getcpu();
	pid_t pid;

	found[0] = 0;
	set_turns(seed, LONGEST_TURN);
	pid = clone(read_both, stack + sizeof(stack),
		    CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	set_turns(0, 0);
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(2, "clone");
	if (found[0] >= 0 || found[1] >= 0)
		check(false, "seed %u: the child finds %lld %lld", seed,
		      (long long)found[0], (long long)found[1]);
	if (vpmc_count(0) < 0 || vpmc_count(1) < 0)
		check(false, "seed %u: the parent finds none", seed);
	return processor != before;
}

int main(int argc, char **argv)
{
	uint32_t seed, first, count, beside = 0;

	if (argc != 3)
		errx(2, "usage: inline_vfork FIRST COUNT");
	first = (uint32_t)strtoul(argv[1], NULL, 0);
	count = (uint32_t)strtoul(argv[2], NULL, 0);
	mapped();
	for (seed = first; seed < first + count; seed++)
		beside += run_child(seed);
	check(beside > count / 2,
	      "%u vfork children, %u on the other processor", count, beside);
	return check_status();
}

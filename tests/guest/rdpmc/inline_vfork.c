// SPDX-License-Identifier: GPL-2.0-only
/*
 * inline_vfork FIRST COUNT: test that a child of vfork(2) does not find a count in its parent's
 * page. The child has the parent's thread-local variables, and may run on another processor before
 * the parent sleeps. Test also that a program that the child executes begins without the page that
 * the child had in its parent's memory.
 *
 * The adversary lets the two processors take turns of random lengths, which depend on a
 * seed.
 */
#include <err.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adversary.h"
#include "inline.h"

/* This is long enough for the child to reach its read in one turn. */
#define LONGEST_TURN 8192

/* These are the counts that a child has found. */
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

/* Run a child of vfork. Returns whether it ran on another processor than its parent. */
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

/* Map a page. A child inherits the events, but not the page. */
static struct vpmc_page *map_own_page(void)
{
	struct vpmc_map map = { .size = sizeof(map) };

	if (request(open_device(), VPMC_MAP, &map))
		_exit(2);
	return pointer_to(map.address);
}

static int map_and_execute(void *unused)
{
	(void)unused;
	map_own_page();
	execl("/proc/self/exe", "inline_vfork", (char *)NULL);
	_exit(2);
}

/*
 * Check that a program that the child executes can map a page, although the child's own page stays
 * mapped in the parent's memory.
 */
static void check_executed(void)
{
	static char stack[65536];
	pid_t pid = clone(map_and_execute, stack + sizeof(stack),
			  CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(2, "clone");
	check(!status, "the executed program maps a page: status %#x", status);
}

static int read_as_executed(void)
{
	return map_own_page()->size != sizeof(struct vpmc_page);
}

int main(int argc, char **argv)
{
	uint32_t seed, first, count, beside = 0;

	if (argc == 1)
		return read_as_executed();
	if (argc != 3)
		errx(2, "usage: inline_vfork FIRST COUNT");
	first = (uint32_t)strtoul(argv[1], NULL, 0);
	count = (uint32_t)strtoul(argv[2], NULL, 0);
	mapped();
	for (seed = first; seed < first + count; seed++)
		beside += run_child(seed);
	check(beside > count / 2,
	      "%u vfork children, %u on the other processor", count, beside);
	run(check_executed);
	return check_status();
}

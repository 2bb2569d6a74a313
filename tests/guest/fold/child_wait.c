// SPDX-License-Identifier: GPL-2.0-only
/*
 * child_wait: test that the parent's wait adds the counts of a child to CHILDREN, and that CHILDREN
 * does not contain them before the wait. This test is the example in tests/README.md.
 */
#include <sys/wait.h>

#include "follow.h"

#define ROUNDS 1000

static void test_wait(void)
{
	struct family f = family_new();
	struct script child = family_child(&f);

	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	family_run(&f);
	family_check(&f, (struct cost){ 0, 0 }, 0, "before the wait");
	check(wait(NULL) > 0, "the child is waited for");
	family_check(&f, child.cost, 0, "after the wait");
}

int main(void)
{
	run(test_wait);
	return check_status();
}

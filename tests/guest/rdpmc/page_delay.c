// SPDX-License-Identifier: GPL-2.0-only
/*
 * page_delay: test that a page does not show counts that another task has started, until the thread
 * maps the page again. The other task starts them while a start by the thread itself is returning.
 *
 * The thread is held in its start, just before its page would show the counts.
 */
#include <err.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

/* The thread is held at this function, which lets the page show the started counts. */
#define SHOW "vpmc_map_accept_in_page"

/* These are the starts that the two processes have made. */
static uint64_t *own_start, *other_start;

static const volatile struct vpmc_page *map(uint64_t *identity)
{
	struct vpmc_map arg = { .size = sizeof(arg) };
	int result = request(open_device(), VPMC_MAP, &arg);

	if (result)
		check(false, "map: errno %d", -result);
	*identity = arg.start;
	return pointer_to(arg.address);
}

static uint64_t start_by_force(int fd, enum events events)
{
	struct vpmc_start *arg = start_arg(events, VPMC_START_FORCE);
	int result = request(fd, VPMC_START, arg);

	if (result)
		check(false, "start: errno %d", -result);
	return arg->start;
}

/* Return the start whose counts the page shows now, or 0. */
static uint64_t shown(const volatile struct vpmc_page *page)
{
	return page->state == VPMC_STATE_RUNNING ? page->start : 0;
}

/*
 * Start twice, and be held in the second start. The first start shows that the page works. Returns
 * the exit status.
 */
static int be_held(const struct gate *ready, const struct gate *go)
{
	const volatile struct vpmc_page *page;
	uint64_t mapped;
	int fd = open_device();

	*own_start = start_by_force(fd, FIRST);
	page = map(&mapped);
	check(shown(page) == *own_start, "its own start: %llu, want %llu",
	      (unsigned long long)shown(page), (unsigned long long)*own_start);
	gate_open(ready);
	gate_wait(go);
	name_delayed();
	*own_start = start_by_force(fd, FIRST);
	check(!shown(page), "a start by somebody else behind its own: %llu",
	      (unsigned long long)shown(page));
	map(&mapped);
	check(mapped == *other_start && shown(page) == mapped,
	      "and when it is mapped again: %llu, %llu, want %llu",
	      (unsigned long long)mapped, (unsigned long long)shown(page),
	      (unsigned long long)*other_start);
	return check_status();
}

static void test_start(void)
{
	struct gate ready = gate_new(), go = gate_new();
	int status;
	pid_t pid;

	own_start = shared(sizeof(*own_start));
	other_start = shared(sizeof(*other_start));
	pid = fork();
	if (!pid)
		_exit(be_held(&ready, &go));
	gate_wait(&ready);
	delay_at(SHOW);
	gate_open(&go);
	until_delayed();
	*other_start = start_by_force(hold(pid, 0), OTHER);
	delay_end();
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	delay_remove();
	check(!status, "the thread that has the page: status %#x",
	      (unsigned int)status);
	check(*other_start > *own_start,
	      "the other's start %llu is behind %llu",
	      (unsigned long long)*other_start, (unsigned long long)*own_start);
}

int main(void)
{
	run(test_start);
	return check_status();
}

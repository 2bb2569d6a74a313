// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup: test that the memory that the driver allocates for processes is charged to their memory
 * cgroup, and that the charge ends when they have exited.
 */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROOT  "/tmp/cgroup"
#define GROUP ROOT "/test"

static void mount_groups(void)
{
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		err(2, "cgroup2");
	set_file(ROOT "/cgroup.subtree_control", "+memory");
}

/*
 * Return the bytes of kernel objects that are charged to the group. The kernel adds them up every
 * two seconds, and frees objects after a grace period. So wait until both have happened.
 */
static unsigned long charged(void)
{
	sleep(5);
	return number_in(GROUP "/memory.stat", "slab ");
}

static void enter_group(void)
{
	set_file(GROUP "/cgroup.procs", "0");
}

enum { SLEEPERS = 100, FORKS = 500 };

/**
 * struct hoard - an action of a process for which the driver allocates memory
 * @name: its name in messages
 * @collect: function that executes the action, in a process that counts or does not count
 * @least: the smallest number of bytes that counting takes, from tests/tools/sizes
 */
struct hoard {
	const char *name;
	void (*collect)(bool counts);
	unsigned long least;
};

static void sleep_for_ever(void)
{
	pause_forever();
}

/* Fork processes that sleep. Each has one thread. */
static void fork_sleepers(bool counts)
{
	int fd = open_device(), i;

	if (counts && request(fd, VPMC_START, start_arg(FIRST, 0)))
		errx(2, "start");
	for (i = 0; i < SLEEPERS; i++)
		if (!fork())
			sleep_for_ever();
}

/* Fork children that exit at once. If the process counts, they leave records. */
static void fork_and_wait(bool counts)
{
	int fd = open_device(), i;
	pid_t pid;

	if (counts &&
	    request(fd, VPMC_START,
		    start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS)))
		errx(2, "start");
	for (i = 0; i < FORKS; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static const struct hoard hoards[] = {
	{ "processes and threads", fork_sleepers, SLEEPERS * 324UL },
	{ "records", fork_and_wait, FORKS * 80UL },
};

/*
 * Kill all processes of the group, and remove it. Returns the bytes that are still charged to it
 * then.
 */
static unsigned long end_group(void)
{
	unsigned long left;

	set_file(GROUP "/cgroup.kill", "1");
	while (wait(NULL) > 0)
		;
	left = charged();
	if (rmdir(GROUP))
		err(2, GROUP);
	return left;
}

/*
 * Return the charge after the action of a hoard. @left receives the charge after the end of all
 * processes.
 */
static unsigned long charged_for(const struct hoard *h, bool counts,
				 unsigned long *left)
{
	struct gate ready = gate_new();
	unsigned long full;

	if (mkdir(GROUP, 0700))
		err(2, GROUP);
	if (!fork()) {
		enter_group();
		h->collect(counts);
		gate_open(&ready);
		sleep_for_ever();
	}
	gate_wait(&ready);
	full = charged();
	*left = end_group();
	return full;
}

static unsigned int number;

static void test_hoard(void)
{
	const struct hoard *h = &hoards[number];
	unsigned long plain, plain_left, counted, left;

	plain = charged_for(h, false, &plain_left);
	counted = charged_for(h, true, &left);
	check(counted >= plain + h->least,
	      "%s: %lu bytes are charged, %lu without counting, want %lu more",
	      h->name, counted, plain, h->least);
	check(left < plain_left + h->least / 4,
	      "%s: %lu bytes stay charged, %lu without counting", h->name, left,
	      plain_left);
}

int main(void)
{
	mount_groups();
	for (number = 0; number < sizeof(hoards) / sizeof(hoards[0]); number++)
		run(test_hoard);
	return check_status();
}

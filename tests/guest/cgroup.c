// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup: what the driver keeps for processes is charged to their memory cgroup,
 * and gone from there when they are.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROOT  "/tmp/cgroup"
#define GROUP ROOT "/test"

static void set(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(2, "%s", path);
	close(fd);
}

static void make_group(void)
{
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		err(2, "cgroup2");
	set(ROOT "/cgroup.subtree_control", "+memory");
	if (mkdir(GROUP, 0700))
		err(2, GROUP);
}

/* Bytes of the kernel's small objects that are charged to the group. */
static unsigned long charged(void)
{
	return number_in(GROUP "/memory.stat", "slab ");
}

static void enter_group(void)
{
	set(GROUP "/cgroup.procs", "0");
}

enum { FILES = 1000, FORKS = 4000, SLEEPERS = 200 };

/*
 * What a process in the group does, with and without counting. Each file has a
 * set of events of its own, which a stopped start leaves.
 */
static void open_files(bool counts)
{
	int i, fd;

	for (i = 0; i < FILES; i++) {
		fd = open_device();
		if (counts && (request(fd, VPMC_START, start_arg(FIRST, 0)) ||
			       request(fd, VPMC_STOP, stop_arg())))
			errx(2, "start");
	}
}

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

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

static void fork_sleepers(bool counts)
{
	int fd = open_device(), i;

	if (counts && request(fd, VPMC_START, start_arg(FIRST, 0)))
		errx(2, "start");
	for (i = 0; i < SLEEPERS; i++)
		if (!fork())
			sleep_for_ever();
}

/* @least: how many bytes counting has more, at least. */
static const struct hoard {
	const char *name;
	void (*collect)(bool counts);
	unsigned long least;
} hoards[] = {
	{ "records", fork_and_wait, FORKS * 80UL },
	{ "counters of processes and threads", fork_sleepers,
	  SLEEPERS * 324UL },
	{ "sets of events", open_files, FILES * 32UL },
};

static unsigned int number;

static void end_group(void)
{
	set(GROUP "/cgroup.kill", "1");
	while (wait(NULL) > 0)
		;
}

/* What is charged in addition when a hoard has been collected. */
static unsigned long hoarded(const struct hoard *h, bool counts)
{
	unsigned long *more = shared(sizeof(*more));
	struct gate ready = gate_new();
	char byte;

	if (!fork()) {
		enter_group();
		*more = charged();
		h->collect(counts);
		*more = charged() - *more;
		gate_open(&ready);
		sleep_for_ever();
	}
	if (read(ready.in, &byte, 1) != 1)
		err(2, "pipe");
	end_group();
	return *more;
}

static void test_hoard(void)
{
	const struct hoard *h = &hoards[number];
	unsigned long plain = hoarded(h, false), counted = hoarded(h, true);

	check(counted >= plain + h->least,
	      "%s: %lu bytes are charged, %lu without, want %lu more", h->name,
	      counted, plain, h->least);
}

/* When all is closed and reaped, nothing but the group itself is left. */
static void test_gone(void)
{
	unsigned long before = charged();

	hoarded(&hoards[0], true);
	hoarded(&hoards[1], true);
	check(charged() < before + 100000,
	      "%lu bytes are charged, then %lu when all is gone", before,
	      charged());
}

int main(void)
{
	make_group();
	for (number = 0; number < sizeof(hoards) / sizeof(hoards[0]); number++)
		run(test_hoard);
	run(test_gone);
	return check_status();
}

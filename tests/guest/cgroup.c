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

static void mount_groups(void)
{
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		err(2, "cgroup2");
	set(ROOT "/cgroup.subtree_control", "+memory");
}

/*
 * Bytes of the kernel's small objects that are charged to the group. The kernel
 * adds them up every two seconds; what is freed after a grace period is by then.
 */
static unsigned long charged(void)
{
	sleep(5);
	return number_in(GROUP "/memory.stat", "slab ");
}

static void enter_group(void)
{
	set(GROUP "/cgroup.procs", "0");
}

#define SLEEPERS 200UL

/* What a process and its thread have at least: tests/sizes. */
#define BYTES 324UL

static void sleep_for_ever(void)
{
	for (;;)
		pause();
}

/* Processes with a thread each. */
static void fork_sleepers(bool counts)
{
	int fd = open_device();
	unsigned int i;

	if (counts && request(fd, VPMC_START, start_arg(FIRST, 0)))
		errx(2, "start");
	for (i = 0; i < SLEEPERS; i++)
		if (!fork())
			sleep_for_ever();
}

/* Returns what is left there. */
static unsigned long end_group(void)
{
	unsigned long left;

	set(GROUP "/cgroup.kill", "1");
	while (wait(NULL) > 0)
		;
	left = charged();
	if (rmdir(GROUP))
		err(2, GROUP);
	return left;
}

/* What is charged while they sleep. */
static unsigned long charged_for(bool counts)
{
	struct gate ready = gate_new();
	unsigned long full, left;
	char byte;

	if (mkdir(GROUP, 0700))
		err(2, GROUP);
	if (!fork()) {
		enter_group();
		fork_sleepers(counts);
		gate_open(&ready);
		sleep_for_ever();
	}
	if (read(ready.in, &byte, 1) != 1)
		err(2, "pipe");
	full = charged();
	left = end_group();
	check(left < full / 4, "%lu of %lu bytes stay charged", left, full);
	return full;
}

static void test_processes(void)
{
	unsigned long plain = charged_for(false), counted = charged_for(true);

	check(counted >= plain + SLEEPERS * BYTES,
	      "%lu bytes are charged, %lu without counting, want %lu more",
	      counted, plain, SLEEPERS * BYTES);
}

int main(void)
{
	mount_groups();
	run(test_processes);
	return check_status();
}

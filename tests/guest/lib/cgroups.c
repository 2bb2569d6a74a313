// SPDX-License-Identifier: GPL-2.0-only
/* This file collects the processes of a cgroup, and writes scripts that enter and leave it. */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cgroups.h"

#define ROOT	 GROUPS_ROOT
#define GROUP	 ROOT "/test"
#define INNER	 GROUP "/inner"
#define THREADED ROOT "/threaded"
#define PROCS	 "/cgroup.procs"

struct groups groups;

static int open_file(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0)
		err(2, "%s", path);
	return fd;
}

void groups_make(void)
{
	mkdir(ROOT, 0700);
	if (mount("none", ROOT, "cgroup2", 0, NULL))
		err(2, "cgroup2");
	if (mkdir(GROUP, 0700) || mkdir(INNER, 0700))
		err(2, GROUP);
	groups.directory = open_file(GROUP, O_RDONLY | O_DIRECTORY);
	groups.inner = open_file(INNER PROCS, O_WRONLY);
	groups.middle = open_file(GROUP PROCS, O_WRONLY);
	groups.outside = open_file(ROOT PROCS, O_WRONLY);
}

struct threaded threaded_new(void)
{
	if (mkdir(THREADED, 0700))
		err(2, THREADED);
	return (struct threaded){
		.directory = open_file(THREADED, O_RDONLY | O_DIRECTORY),
		.threads = open_file(THREADED "/cgroup.threads", O_WRONLY),
	};
}

void threaded_begin(void)
{
	const int fd = open_file(THREADED "/cgroup.type", O_WRONLY);

	if (write(fd, "threaded", 8) != 8)
		err(2, "cgroup.type");
	close(fd);
}

int group_watch(int fd, int directory)
{
	struct vpmc_cgroup cgroup = { .size = sizeof(cgroup), .fd = directory };

	return request(fd, VPMC_CGROUP, &cgroup);
}

int group_start(int fd, enum events events)
{
	const unsigned int flags = VPMC_START_AT_EXEC | VPMC_START_COLLECT |
				   VPMC_START_RECORDS | VPMC_START_FORCE;

	return start(fd, events, flags, NULL);
}

int group_handle(void)
{
	const int fd = open_device();

	if (group_start(fd, FIRST))
		errx(2, "start");
	return fd;
}

int group_collector(void)
{
	const int fd = group_handle();

	check(!group_watch(fd, groups.directory), "the cgroup is collected");
	return fd;
}

void script_move(struct script *s, int procs)
{
	char *self = shared(1);

	*self = '0';
	script_call(s, SYS_write, (uint32_t)procs, P(self), 1);
}

void script_move_in(struct script *s, int procs)
{
	s->counts = false;
	script_move(s, procs);
	s->counts = true;
	/* This is the RET of the call. */
	s->cost = (struct cost){ 1, 1 };
}

void script_work(struct script *s)
{
	script_rounds(s, 1000);
	script_exit(s, 0);
}

void target_enter(struct target *t)
{
	script_move(&t->script, groups.inner);
	target_gate(t, false);
	target_gate_start(t);
}

int target_left(struct target *t)
{
	int fd;

	target_create(t);
	fd = group_collector();
	target_pass(t);
	close(fd);
	return group_collector();
}

void group_move(pid_t pid, int procs)
{
	char number[16];
	const int length = snprintf(number, sizeof(number), "%d", (int)pid);

	if (write(procs, number, (size_t)length) != length)
		err(2, "cgroup.procs");
}

void group_run(struct script *s)
{
	const pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (!pid)
		script_run(s);
	if (waitpid(pid, NULL, 0) != pid)
		err(2, "waitpid");
}

void group_check(int fd, struct cost want, unsigned int missing,
		 const char *what)
{
	check_scope(fd, VPMC_SCOPE_ALL, want, missing, what);
}

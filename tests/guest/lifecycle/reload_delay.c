// SPDX-License-Identifier: GPL-2.0-only
/*
 * reload_delay FILE: test an unloading of the driver, and a loading from FILE, in the middle of a
 * wait. The driver is reloaded after the wait has checked whether the reaped process has counts,
 * and before the wait calls the driver. After the reload, the reaped process has no counts.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "delayed.h"

#define ROUNDS 1000

static const char *file;

static bool reload(void)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, "%s", file);
	return !syscall(SYS_delete_module, "vpmc", O_NONBLOCK) &&
	       !syscall(SYS_finit_module, fd, "", 0);
}

/* Create a zombie that has counted. */
static void create_zombie(void)
{
	struct script parent = script_new(), child = script_new();
	int fd = open_device();
	siginfo_t info;

	script_fork(&parent, &child, SYS_fork);
	script_start(&child, fd, start_arg(FIRST, 0));
	script_rounds(&child, ROUNDS);
	script_exit(&child, 0);
	script_back(&parent);
	script_run(&parent);
	if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
	close(fd);
}

/* Reap a zombie. This process is held where the kernel calls the driver. */
static _Noreturn void reap_delayed(const struct gate *gate)
{
	create_zombie();
	name_delayed();
	gate_wait(gate);
	_exit(wait(NULL) < 0 ||
	      try_read(open_device(), VPMC_SCOPE_CHILDREN) != -ENODATA);
}

static void test_reload(void)
{
	struct gate gate = gate_new();
	pid_t pid = fork();
	int status;

	if (!pid)
		reap_delayed(&gate);
	until_at_gate((uint32_t)pid, &gate);
	delay_at("vpmc_wait");
	gate_open(&gate);
	until_delayed();
	check(reload(), "the driver is loaded again while a process is reaped");
	delay_end();
	check(waitpid(pid, &status, 0) == pid && !status,
	      "the new driver knows nothing of it");
	delay_remove();
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(2, "usage: reload_delay FILE");
	file = argv[1];
	run(test_reload);
	return check_status();
}

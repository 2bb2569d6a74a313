// SPDX-License-Identifier: GPL-2.0-only
/*
 * handle_delay: test that calls on one handle are serialized, and that a process can be killed
 * while it waits for the call of another process. A request of ioctl(2) that the driver does not
 * know must not wait.
 *
 * This matters because one process may be slow in a call, for example in a page fault. Another
 * program, even a privileged one, may have the same handle as its standard input.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "delayed.h"

/* A process is held at this function in the middle of a read. */
#define CALL "vpmc_read_counts"

static void read_self(int fd)
{
	try_read(fd, VPMC_SCOPE_SELF);
}

/* Make a request that is not a read, with an invalid address. */
static void ask(int fd)
{
	ioctl(fd, VPMC_INFO, NULL);
}

/*
 * Fork a process that makes a call on the handle and exits. If @delayed is set, the process is held
 * in the call.
 */
static pid_t caller_new(int fd, void (*call)(int fd), bool delayed)
{
	pid_t pid = child_fork();

	if (pid)
		return pid;
	if (delayed)
		name_delayed();
	call(fd);
	_exit(0);
}

/* Check that a process can be killed if it makes a call while another process is in a call. */
static void check_killed(int fd, void (*call)(int fd), const char *what)
{
	pid_t waiter = caller_new(fd, call, false);
	int status;

	while (!strchr("DZ", state_of((uint32_t)waiter)))
		usleep(1000);
	kill(waiter, SIGKILL);
	check(waitpid(waiter, &status, 0) == waiter && WIFSIGNALED(status) &&
		      WTERMSIG(status) == SIGKILL,
	      "who waits with %s is killed: status %#x", what,
	      (unsigned int)status);
}

static void test_wait(void)
{
	int fd = open_device(), status;
	struct termios terminal;
	pid_t holder;

	delay_at(CALL);
	holder = caller_new(fd, read_self, true);
	until_delayed();
	check(ioctl(fd, TCGETS, &terminal) == -1 && errno == ENOTTY,
	      "no terminal, and no need to wait to know");
	check_killed(fd, read_self, "a read");
	check_killed(fd, ask, "a request");
	delay_end();
	check(waitpid(holder, &status, 0) == holder && !status,
	      "and the other one's call ends: status %#x",
	      (unsigned int)status);
	delay_remove();
}

int main(void)
{
	run(test_wait);
	return check_status();
}

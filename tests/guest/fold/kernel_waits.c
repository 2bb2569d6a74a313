// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernel_waits: test that waits in the kernel also add counts. The kernel waits for programs that
 * it executes itself. The first process of a PID namespace waits for its children when it exits.
 */
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define NOBODY	 65534
#define ROUNDS	 1000
#define MODPROBE "/proc/sys/kernel/modprobe"
#define DONE	 "/helper-has-counted"
#define HANDLE	 100

/* Return a script of a process that counts itself until it exits. */
static struct script counts_itself(void)
{
	struct script s = script_new();

	script_start(&s, HANDLE, start_arg(FIRST, 0));
	script_rounds(&s, ROUNDS);
	script_exit(&s, 0);
	return s;
}

static void leave_zombie(struct script *s)
{
	pid_t pid = fork();
	siginfo_t info;

	if (!pid) {
		dup2(open_device(), HANDLE);
		script_run(s);
	}
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		err(2, "waitid");
}

/* Become user "nobody", and let the next child be the first process of a new PID namespace. */
static void enter_namespace(void)
{
	if (setgid(NOBODY) || setuid(NOBODY) ||
	    unshare(CLONE_NEWUSER | CLONE_NEWPID))
		err(2, "unshare");
}

static void test_namespace(void)
{
	struct script s = counts_itself();
	struct vpmc_read read;
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		enter_namespace();
		pid = fork();
		if (!pid) {
			leave_zombie(&s);
			_exit(0);
		}
		waitpid(pid, &status, 0);
		_exit(status != 0);
	}
	check(waitpid(pid, &status, 0) == pid && !status,
	      "the first process of a namespace exits with a zombie");
	read = read_scope(open_device(), VPMC_SCOPE_CHILDREN);
	check(read.revoked == 1 && !read.other_events && !read.count[0],
	      "what it collected then is its own");
}

/*
 * Test the first process of a namespace. This process is folded, and waits for its zombies after
 * that. The zombies' counts must also be added to the parent of this process.
 */
static void test_folded(void)
{
	struct script child = counts_itself(), first = script_new();
	int status;
	pid_t pid;

	script_start(&first, HANDLE, start_arg(FIRST, VPMC_START_FOLD));
	script_rounds(&first, ROUNDS);
	script_exit(&first, 0);
	enter_namespace();
	prctl(PR_SET_DUMPABLE, 1);
	pid = fork();
	if (!pid) {
		leave_zombie(&child);
		dup2(open_device(), HANDLE);
		script_run(&first);
	}
	check(waitpid(pid, &status, 0) == pid && !status,
	      "the first process of a namespace folds with a zombie");
	check_children(cost_add(first.cost, child.cost), 0,
		       "both are its parent's");
}

/* Be the program that the kernel executes to load the module of an unknown file system. */
static int be_helper(void)
{
	struct script s = counts_itself();

	close(open(DONE, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	dup2(open_device(), HANDLE);
	script_run(&s);
	return 1;
}

static void test_helper(void)
{
	char path[256] = "";

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		err(2, "/proc/self/exe");
	set_file(MODPROBE, path);
	check(mount("none", "/", "unknown", 0, "") < 0,
	      "the kernel does not know a file system");
	set_file(MODPROBE, "/sbin/modprobe");
	check(!access(DONE, F_OK), "its helper counted, and was waited for");
}

int main(int argc, char **argv)
{
	/* The kernel executes this program as modprobe. */
	if (argc > 1 && !strcmp(argv[1], "-q"))
		return be_helper();
	run(test_namespace);
	run(test_folded);
	run(test_helper);
	return check_status();
}

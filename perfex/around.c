// SPDX-License-Identifier: GPL-2.0-only
/* See around.h. */
#include "around.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfex.h"

/* What a shell's own failure looks like. */
#define NO_SHELL 127

static _Noreturn void be_shell(const char *line, const struct signals *saved)
{
	int null = open("/dev/null", O_RDONLY);

	restore_signals(saved);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", line, (char *)NULL);
	_exit(NO_SHELL);
}

int run_around(const char *option, const char *line,
	       const struct signals *saved)
{
	int status;
	pid_t pid;

	if (!line)
		return 0;
	pid = fork();
	if (!pid)
		be_shell(line, saved);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		complain("cannot run \"%s\" of %s: %s", line, option,
			 strerror(errno));
		return PERFEX_AROUND;
	}
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return 0;
	complain("\"%s\" of %s ended with %s %d: let it end with status 0",
		 line, option, WIFSIGNALED(status) ? "signal" : "status",
		 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	return PERFEX_AROUND;
}

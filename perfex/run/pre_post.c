// SPDX-License-Identifier: GPL-2.0-only
/* Run the commands of --pre and --post. */
#include "run/pre_post.h"

#include <sys/wait.h>

#include "run/child.h"

static int judge(const struct command *shell, const char *option,
		 const char *line)
{
	bool killed = WIFSIGNALED(shell->status);

	if (!exit_status(shell))
		return 0;
	complain("\"%s\" of %s ended with %s %d: let it end with status 0",
		 line, option, killed ? "signal" : "status",
		 killed ? WTERMSIG(shell->status) : WEXITSTATUS(shell->status));
	return PERFEX_AROUND;
}

int run_around(struct vpmc *vpmc, const char *option, const char *line,
	       const struct signals *saved)
{
	const char *argv[] = {
		"/bin/sh", "-c", "exec /bin/sh -c -- \"$1\" < /dev/null",
		"sh",	   line, NULL
	};
	struct command shell = { .pid = 0 };
	int status;

	if (!line)
		return 0;
	status = start_command(&shell, vpmc, NULL, 0, (char **)argv, saved);
	if (!status)
		status = finish_command(&shell);
	return status ? status : judge(&shell, option, line);
}

// SPDX-License-Identifier: GPL-2.0-only
/* Write the file of --status-file. */
#include "cli/status_file.h"

#include <string.h>
#include <sys/wait.h>

/* Both lines fit into this many bytes. */
#define STATUS_MAX 64

int write_status(struct output *output, const struct command *command,
		 int failure)
{
	char text[STATUS_MAX] = "";
	size_t length = 0;
	int status;

	if (command->has_ended && WIFSIGNALED(command->status))
		snprintf(text, sizeof(text), "signal %d\n",
			 WTERMSIG(command->status));
	else if (command->has_ended)
		snprintf(text, sizeof(text), "exit %d\n",
			 WEXITSTATUS(command->status));
	length = strlen(text);
	if (failure || !length)
		snprintf(text + length, sizeof(text) - length, "perfex %d\n",
			 failure);
	status = empty_output(output);
	return status ? status : write_text(output, text, strlen(text));
}

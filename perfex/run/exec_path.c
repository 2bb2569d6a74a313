// SPDX-License-Identifier: GPL-2.0-only
/*
 * Execute a command like a shell. The C libraries' execvp(3) differ from shells, and from
 * each other. They treat scripts without an interpreter differently, and return another error
 * if an entry of PATH is not a directory.
 */
#include "run/exec_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_PATH "/bin:/usr/bin"
#define SHELL	     "/bin/sh"

static void execute_script(const char *path, char **argv)
{
	size_t nr = 0;
	char **words;

	while (argv[nr])
		nr++;
	/* @words has the shell, the script, its arguments, and NULL. */
	words = calloc(nr + 2, sizeof(*words));
	if (!words)
		return;
	words[0] = strdup(SHELL);
	words[1] = strdup(path);
	if (words[1] && nr)
		memcpy(words + 2, argv + 1, nr * sizeof(*words));
	if (words[0] && words[1])
		execv(SHELL, words);
	free(words[0]);
	free(words[1]);
	free(words);
}

static int execute_file(const char *path, char **argv)
{
	int error;

	execv(path, argv);
	if (errno == ENOEXEC)
		execute_script(path, argv);
	error = errno;
	return error == ENOENT && !access(path, F_OK) ? ELIBACC : error;
}

/*
 * Execute the command in a directory. If the name is that of a directory, continue the
 * search.
 */
static int execute_in(const char *directory, size_t length, char **argv)
{
	struct stat status;
	int error = ENOMEM;
	char *path;

	if (asprintf(&path, "%.*s%s%s", (int)length, directory,
		     length ? "/" : "", argv[0]) < 0)
		return error;
	error = !stat(path, &status) && S_ISDIR(status.st_mode)
			? ENOENT
			: execute_file(path, argv);
	free(path);
	return error;
}

/* Tell whether a later directory may have the command. */
static int may_be_elsewhere(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == ELOOP || error == ENAMETOOLONG || error == ESTALE ||
	       error == ENODEV || error == ETIMEDOUT;
}

int execute(char **argv)
{
	const char *path = getenv("PATH");
	int error, found = ENOENT;
	size_t length;

	if (strchr(argv[0], '/'))
		return execute_file(argv[0], argv);
	if (!argv[0][0])
		return ENOENT;
	for (path = path ? path : DEFAULT_PATH;; path += length + 1) {
		length = strcspn(path, ":");
		error = execute_in(path, length, argv);
		if (!may_be_elsewhere(error))
			return error;
		if (error == EACCES)
			found = EACCES;
		if (!path[length])
			return found;
	}
}

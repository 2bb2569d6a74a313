// SPDX-License-Identifier: GPL-2.0-only
/* Replace a file as a whole. */
#include "util/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool can_be_replaced(const char *file)
{
	struct stat status;

	if (stat(file, &status))
		return errno == ENOENT;
	return S_ISREG(status.st_mode) && status.st_nlink;
}

/* Find the file's path, also of a file that does not exist yet, and its permissions. */
static bool find_place(struct replacement *replacement, const char *file)
{
	struct stat status;
	mode_t mask;

	if (!stat(file, &status)) {
		replacement->mode = status.st_mode & 0777;
		replacement->path = realpath(file, NULL);
		return replacement->path;
	}
	/* Refuse a symbolic link to a file that does not exist. */
	if (!lstat(file, &status))
		return false;
	mask = umask(0);
	umask(mask);
	replacement->mode = 0666 & ~mask;
	replacement->path = strdup(file);
	return replacement->path;
}

static void free_beside(struct replacement *replacement)
{
	free(replacement->beside);
	replacement->beside = NULL;
}

/*
 * Create the new file. Its name does not have the old file's ending, because programs choose by
 * the ending which files they read.
 */
int open_replacement(struct replacement *replacement, const char *file)
{
	int fd;

	if (!replacement->path && !find_place(replacement, file))
		return -1;
	if (asprintf(&replacement->beside, "%s.XXXXXX", replacement->path) <
	    0) {
		replacement->beside = NULL;
		return -1;
	}
	fd = mkostemp(replacement->beside, O_CLOEXEC);
	if (fd < 0)
		free_beside(replacement);
	return fd;
}

int put_in_place(struct replacement *replacement, int fd)
{
	int failure = fchmod(fd, replacement->mode);

	/* An error of earlier writes may be reported only by close(2). */
	if (close(fd) || failure ||
	    rename(replacement->beside, replacement->path))
		return -1;
	free_beside(replacement);
	return 0;
}

void drop_replacement(struct replacement *replacement)
{
	if (replacement->beside)
		unlink(replacement->beside);
	free_beside(replacement);
	free(replacement->path);
	replacement->path = NULL;
}

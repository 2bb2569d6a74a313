// SPDX-License-Identifier: LGPL-2.1-or-later
/* Open and check the files that perfex made for regions. */
#include "regions/region_descriptor.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Use a descriptor above those that programs rely on. */
#define FD_LEAST 200

static int open_path(const struct region_descriptor *file)
{
	return open(file->path, file->flags | O_CLOEXEC);
}

void vpmcint_region_open_first(struct region_descriptor *file,
			       const char *variable, int flags)
{
	const char *path = secure_getenv(variable);
	struct stat status;
	int high;

	file->flags = flags;
	file->path = path ? strdup(path) : NULL;
	if (!file->path)
		return;
	file->fd = open_path(file);
	if (file->fd < 0 || fstat(file->fd, &status))
		return;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	high = fcntl(file->fd, F_DUPFD_CLOEXEC, FD_LEAST);
	if (high < 0)
		return;
	close(file->fd);
	file->fd = high;
}

/*
 * Tell whether the descriptor is still that of the file. The program may have closed it,
 * and opened another file.
 */
static bool is_ours(const struct region_descriptor *file)
{
	struct stat status;

	return file->fd >= 0 && !fstat(file->fd, &status) &&
	       status.st_dev == file->device && status.st_ino == file->inode;
}

int vpmcint_region_open_again(const struct region_descriptor *file)
{
	return is_ours(file) ? file->fd : open_path(file);
}

void vpmcint_region_close_again(const struct region_descriptor *file, int fd)
{
	if (fd != file->fd)
		close(fd);
}

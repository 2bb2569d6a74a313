// SPDX-License-Identifier: LGPL-2.1-or-later
/* Open and check the files that perfex made for regions. */
#include "regions/region_descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Use a descriptor above those that programs use. */
#define FD_LEAST 200

/* If the process may not have this descriptor, use one of its highest descriptors. */
#define FD_LAST 8

/*
 * Move a descriptor away from the program's descriptors, because the program may have closed its
 * standard output. Returns the new descriptor. Returns -1 if there is none; the file is then opened
 * by its path each time.
 */
static int move_up(int fd)
{
	struct rlimit limit;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, FD_LEAST);

	if (high < 0 && !getrlimit(RLIMIT_NOFILE, &limit) &&
	    limit.rlim_cur > FD_LAST && limit.rlim_cur <= FD_LEAST + FD_LAST)
		high = fcntl(fd, F_DUPFD_CLOEXEC,
			     (int)limit.rlim_cur - FD_LAST);
	close(fd);
	return high;
}

static int open_path(const struct region_descriptor *file)
{
	return open(file->path, file->flags | O_CLOEXEC);
}

void vpmcint_region_open_first(struct region_descriptor *file,
			       const char *variable, int flags)
{
	const char *path = secure_getenv(variable);
	struct stat status;

	file->flags = flags;
	file->path = path ? strdup(path) : NULL;
	if (!file->path)
		return;
	file->fd = open_path(file);
	if (file->fd < 0 || fstat(file->fd, &status))
		return;
	file->device = status.st_dev;
	file->inode = status.st_ino;
	file->fd = move_up(file->fd);
}

/*
 * Return whether the descriptor still refers to the file. The program may have closed it,
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

bool vpmcint_region_may_grow(off_t size)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) &&
	       (limit.rlim_cur == RLIM_INFINITY ||
		(uint64_t)size <= limit.rlim_cur);
}

bool vpmcint_region_reserve(int fd, off_t at, off_t size)
{
	if (!vpmcint_region_may_grow(at + size))
		return false;
	if (!fallocate(fd, 0, at, size))
		return true;
	return (errno == EOPNOTSUPP || errno == ENOSYS) &&
	       pwrite(fd, "", 1, at + size - 1) == 1;
}

void vpmcint_region_close_again(const struct region_descriptor *file, int fd)
{
	if (fd != file->fd)
		close(fd);
}

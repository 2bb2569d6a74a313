// SPDX-License-Identifier: GPL-2.0-only
/* Create files that perfex needs while it runs. */
#include "util/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/perfex.h"

static const char *find_directory(void)
{
	const char *directory = getenv("TMPDIR");

	return directory && directory[0] ? directory : "/tmp";
}

/* Create a file. Returns a descriptor, or -1 and errno. @path becomes absolute. */
static int create_file(char **path, int flags)
{
	const int fd = mkostemp(*path, O_CLOEXEC | flags);
	char *whole;

	if (fd < 0)
		return -1;
	whole = realpath(*path, NULL);
	if (!whole) {
		remove_temporary(*path, fd);
		*path = NULL;
		return -1;
	}
	free(*path);
	*path = whole;
	return fd;
}

int create_temporary(char **path, const char *name, int flags)
{
	int fd;

	if (asprintf(path, "%s/perfex-%s-XXXXXX", find_directory(), name) < 0) {
		*path = NULL;
		return -1;
	}
	fd = create_file(path, flags);
	if (fd < 0) {
		free(*path);
		*path = NULL;
	}
	return fd;
}

int complain_temporary(const char *what)
{
	complain("cannot create a file for %s in \"%s\": %s (TMPDIR names"
		 " another directory)",
		 what, find_directory(), strerror(errno));
	return PERFEX_OUTPUT;
}

off_t find_data(int fd, off_t from)
{
	const off_t at = lseek(fd, from, SEEK_DATA);

	return at < 0 && errno != ENXIO ? from : at;
}

uint32_t find_block(int fd, size_t size, uint32_t nr, uint32_t end)
{
	const off_t at = find_data(fd, (off_t)nr * (off_t)size);

	return at >= 0 && at / (off_t)size < (off_t)end
		       ? (uint32_t)(at / (off_t)size)
		       : end;
}

void remove_temporary(char *path, int fd)
{
	const int error = errno;

	unlink(path);
	close(fd);
	free(path);
	errno = error;
}

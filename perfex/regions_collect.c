// SPDX-License-Identifier: GPL-2.0-only
/* The file of perfex --regions, from its creation to its end. See regions_collect.h. */
#include "regions_collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perfex.h"

#define VARIABLE "VPMC_REGIONS_FILE"

/* Space for the lines of many starts; without it nobody would know what is missing. */
#define RESERVED (64L * 1024)

/* Returns a descriptor, or -1 and errno. @path becomes absolute. */
static int create_file(char **path)
{
	int fd = mkostemp(*path, O_CLOEXEC);
	char *whole;

	if (fd < 0)
		return -1;
	/* Not every file system can reserve. */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED) &&
	    errno != EOPNOTSUPP && errno != ENOSYS)
		goto remove;
	whole = realpath(*path, NULL);
	if (!whole)
		goto remove;
	free(*path);
	*path = whole;
	if (!setenv(VARIABLE, whole, 1))
		return fd;
remove:
	unlink(*path);
	close(fd);
	return -1;
}

int collect_regions(int *fd)
{
	const char *directory = getenv("TMPDIR");
	char *path;

	if (!directory || !directory[0])
		directory = "/tmp";
	if (asprintf(&path, "%s/perfex-regions-XXXXXX", directory) < 0)
		path = NULL;
	*fd = path ? create_file(&path) : -1;
	if (*fd < 0) {
		complain("cannot create a file for the regions in \"%s\": %s"
			 " (TMPDIR names another directory)",
			 directory, strerror(errno));
		free(path);
		return PERFEX_OUTPUT;
	}
	free(path);
	return 0;
}

void discard_regions(int fd)
{
	const char *path = getenv(VARIABLE);

	if (path)
		unlink(path);
	unsetenv(VARIABLE);
	close(fd);
}

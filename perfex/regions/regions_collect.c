// SPDX-License-Identifier: GPL-2.0-only
/* Create and remove the files in which processes leave their regions. */
#include "regions/regions_collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <vpmc_region_sums.h>

#include "util/perfex.h"
#include "util/temporary.h"

#define VARIABLE "VPMC_REGIONS_FILE"
#define FAULTS	 "VPMC_REGIONS_FAULTS"

/*
 * Reserve space for the start lines of many processes. If a process could not write its start
 * line, perfex would not notice that its regions are missing.
 */
#define RESERVED (64L * 1024)

/*
 * Reserve the space. Some file systems cannot reserve it. Returns false, with errno, if
 * there is no space.
 */
static bool reserve(int fd)
{
	return !fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED) ||
	       errno == EOPNOTSUPP || errno == ENOSYS;
}

/* Write the first page of sums, which processes map. */
static bool prepare_sums(int fd)
{
	const struct vpmc_sums_file file = { .magic = VPMC_SUMS_MAGIC,
					     .pages = 1 };

	return !ftruncate(fd, VPMC_SUMS_PAGE) &&
	       pwrite(fd, &file, sizeof(file), 0) == sizeof(file);
}

/* Create a file, and name it in the environment. Returns a descriptor, or -1 with errno. */
static int make_file(const char *variable, const char *name,
		     bool (*prepare)(int fd))
{
	char *path;
	int fd = create_temporary(&path, name, 0);

	if (fd < 0)
		return -1;
	if (!prepare(fd) || setenv(variable, path, 1)) {
		remove_temporary(path, fd);
		return -1;
	}
	free(path);
	return fd;
}

static void remove_file(const char *variable, int fd)
{
	const char *path = getenv(variable);
	const int error = errno;

	if (path)
		unlink(path);
	unsetenv(variable);
	close(fd);
	errno = error;
}

/*
 * Ask processes for page faults if @faults is true. Otherwise remove the request of a perfex that
 * runs this perfex.
 */
static bool ask_for_faults(bool faults)
{
	return !(faults ? setenv(FAULTS, "1", 1) : unsetenv(FAULTS));
}

int collect_regions(struct regions_files *files, bool faults)
{
	files->lines = make_file(VARIABLE, "regions", reserve);
	if (files->lines < 0)
		return complain_temporary("the regions");
	files->sums = make_file(VPMC_SUMS_VARIABLE, "sums", prepare_sums);
	if (files->sums < 0) {
		remove_file(VARIABLE, files->lines);
		return complain_temporary("the regions");
	}
	if (!ask_for_faults(faults)) {
		discard_regions(files);
		return complain_temporary("the regions");
	}
	return 0;
}

void discard_regions(const struct regions_files *files)
{
	remove_file(VARIABLE, files->lines);
	remove_file(VPMC_SUMS_VARIABLE, files->sums);
	unsetenv(FAULTS);
}

// SPDX-License-Identifier: GPL-2.0-only
/* The file of perfex --regions, from its creation to its end. See regions_collect.h. */
#include "regions/regions_collect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/perfex.h"
#include "util/temporary.h"

#define VARIABLE "VPMC_REGIONS_FILE"
#define FAULTS	 "VPMC_REGIONS_FAULTS"

/* Space for the lines of many starts; without it nobody would know what is missing. */
#define RESERVED (64L * 1024)

/* Returns false and errno if the file cannot be used. */
static bool prepare_file(int fd, const char *path)
{
	/* Not every file system can reserve. */
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, RESERVED) &&
	    errno != EOPNOTSUPP && errno != ENOSYS)
		return false;
	return !setenv(VARIABLE, path, 1);
}

/* Another perfex around this one may want them. */
static bool ask_for_faults(bool faults)
{
	return !(faults ? setenv(FAULTS, "1", 1) : unsetenv(FAULTS));
}

int collect_regions(int *fd, bool faults)
{
	char *path;

	*fd = create_temporary(&path, "regions", 0);
	if (*fd < 0)
		return complain_temporary("the regions");
	if (!prepare_file(*fd, path) || !ask_for_faults(faults)) {
		remove_temporary(path, *fd);
		return complain_temporary("the regions");
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
	unsetenv(FAULTS);
	close(fd);
}

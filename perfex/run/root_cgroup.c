// SPDX-License-Identifier: GPL-2.0-only
/* Find the cgroup that all processes are in. */
#include "run/root_cgroup.h"

#include <limits.h>
#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/perfex.h"

/* The path of the table, and what is after the path of a cgroup that is not the root. */
static const char mounts[] = "/proc/self/mounts", type_file[] = "/cgroup.type";

/*
 * Return whether a directory is the root of its cgroups. In a container, the directory that is
 * mounted can be that of another cgroup, and all others have a file that the root lacks.
 */
static bool is_root(const char *directory)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s%s", directory, type_file) >=
	    (int)sizeof(path))
		return false;
	return access(path, F_OK) != 0;
}

const char *root_cgroup(void)
{
	static char directory[PATH_MAX];
	const struct mntent *entry;
	FILE *table = setmntent(mounts, "re");

	directory[0] = 0;
	while (table && !directory[0] && (entry = getmntent(table))) {
		if (!strcmp(entry->mnt_type, "cgroup2") &&
		    is_root(entry->mnt_dir))
			snprintf(directory, sizeof(directory), "%s",
				 entry->mnt_dir);
	}
	if (table)
		endmntent(table);
	if (directory[0])
		return directory;
	complain("--system --profile needs the cgroup that all processes are"
		 " in, and it is not mounted here: mount it with"
		 " 'mount -t cgroup2 none /sys/fs/cgroup' or, in a container,"
		 " run perfex outside of it");
	return NULL;
}

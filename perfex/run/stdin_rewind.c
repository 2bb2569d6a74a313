// SPDX-License-Identifier: GPL-2.0-only
/* Rewind standard input before each run. */
#include "run/stdin_rewind.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "util/perfex.h"

/* These are the device numbers of /dev/null, whatever its path. */
#define NULL_MAJOR 1
#define NULL_MINOR 3

static bool is_null(const struct stat *status)
{
	return S_ISCHR(status->st_mode) &&
	       status->st_rdev == makedev(NULL_MAJOR, NULL_MINOR);
}

int find_input(struct input *input)
{
	struct stat status;

	*input = (struct input){ .is_file = false };
	if (fstat(STDIN_FILENO, &status))
		return 0;
	if (S_ISREG(status.st_mode)) {
		input->offset = lseek(STDIN_FILENO, 0, SEEK_CUR);
		input->is_file = input->offset >= 0;
	}
	if (input->is_file || is_null(&status) || isatty(STDIN_FILENO))
		return 0;
	complain("cannot run the command several times: its standard input can"
		 " be read only once, so give it a file (< FILE) or none"
		 " (< /dev/null)");
	return PERFEX_USAGE;
}

int rewind_input(const struct input *input)
{
	if (!input->is_file ||
	    lseek(STDIN_FILENO, input->offset, SEEK_SET) >= 0)
		return 0;
	complain("cannot go back in standard input: %s", strerror(errno));
	return PERFEX_SYSTEM;
}

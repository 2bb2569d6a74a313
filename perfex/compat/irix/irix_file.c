// SPDX-License-Identifier: GPL-2.0-only
/* Open and close the files that perfex.irix writes. */
#include "irix_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "util/perfex.h"

/* This is errno of the first failed write, which may be long before the file is closed. */
static int failure;

void irix_flush_file(FILE *file)
{
	if ((fflush(file) || ferror(file)) && !failure)
		failure = errno;
}

int irix_open_file(FILE **file, const char *path)
{
	*file = fopen(path, "ae");
	if (*file)
		return 0;
	complain("cannot open the output %s: %s", path, strerror(errno));
	return PERFEX_OUTPUT;
}

int irix_close_file(FILE *file, const char *path)
{
	const bool failed = ferror(file);

	if (!(file == stderr || file == stdout ? fflush(file) : fclose(file)) &&
	    !failed)
		return 0;
	complain("cannot write to %s: %s", path ? path : "standard error",
		 strerror(failure ? failure : errno));
	return PERFEX_OUTPUT;
}

/* Empty a file if that is possible. A pipe, for example, cannot be emptied. */
void irix_empty_file(FILE *file)
{
	if (ftruncate(fileno(file), 0))
		clearerr(file);
}

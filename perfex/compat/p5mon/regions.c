// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read the regions of one execution of the command. p5mon_regions.h describes the file's
 * format.
 */
#include "regions.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "p5mon_regions.h"
#include "run_p5mon.h"

#define FAILURE "error "

int open_regions(struct regions *regions)
{
	*regions = (struct regions){ .fd = memfd_create("p5mon-regions",
							MFD_CLOEXEC) };
	if (regions->fd >= 0)
		return 0;
	complain("cannot create a file for regions: %s", strerror(errno));
	return PERFEX_SYSTEM;
}

void close_regions(struct regions *regions)
{
	close(regions->fd);
}

int offer_regions(const struct regions *regions)
{
	char path[64];

	/* The parent keeps the file open as long as the command runs. */
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getppid(),
		 regions->fd);
	return setenv(P5MON_REGIONS_FILE, path, 1);
}

unsigned int numbers_in(const char *line, uint64_t *numbers, unsigned int most)
{
	unsigned int nr = 0;
	char *end;

	for (; nr < most && isdigit((unsigned char)*line); nr++) {
		errno = 0;
		numbers[nr] = strtoull(line, &end, 10);
		if (errno)
			return 0;
		line = end + strspn(end, " \n");
	}
	return *line ? 0 : nr;
}

/* Add a line to the counts. Returns false if it is not the line of a region. */
static bool add_line(struct regions *regions, const char *line, unsigned int nr)
{
	struct region_counts *region;
	uint64_t numbers[5] = { 0 };
	unsigned int i;

	if (numbers_in(line, numbers, 5) != 3 + nr ||
	    numbers[0] >= P5MON_REGIONS)
		return false;
	region = &regions->region[numbers[0]];
	region->entered += numbers[1];
	region->exited += numbers[2];
	for (i = 0; i < nr; i++)
		region->count[i] += numbers[3 + i];
	return true;
}

static int complain_line(const char *line)
{
	if (!strncmp(line, FAILURE, strlen(FAILURE)))
		complain("the command cannot count its regions: %.*s",
			 (int)strcspn(line + strlen(FAILURE), "\n"),
			 line + strlen(FAILURE));
	else
		complain("the command's regions are not those of this version"
			 " of libp5mon: link it again");
	return PERFEX_INVALID;
}

static int read_lines(struct regions *regions, FILE *file, unsigned int nr)
{
	unsigned int lines = 0;
	char line[400];

	for (; fgets(line, sizeof(line), file); lines++) {
		if (!add_line(regions, line, nr))
			return complain_line(line);
	}
	if (lines)
		return 0;
	complain("the command has no regions: it has to be linked with -lp5mon,"
		 " to call p5mon_asm_init, and to enter one, and it must end"
		 " with exit(3) (else set use_assembly_regions to no)");
	return PERFEX_INVALID;
}

int read_regions(struct regions *regions, unsigned int nr)
{
	const int fd = dup(regions->fd);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	int status;

	if (!file) {
		complain("cannot read the regions: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return PERFEX_INVALID;
	}
	memset(regions->region, 0, sizeof(regions->region));
	rewind(file);
	status = read_lines(regions, file, nr);
	fclose(file);
	if (ftruncate(regions->fd, 0) && !status) {
		complain("cannot empty the file of the regions: %s",
			 strerror(errno));
		status = PERFEX_SYSTEM;
	}
	return status;
}

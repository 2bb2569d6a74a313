// SPDX-License-Identifier: GPL-2.0-only
/* Check the files to merge. */
#include "merge/merge_files.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/**
 * struct merge_file - a file, identified by device and inode
 * @name: its name in the command line
 * @device: its device
 * @inode: its inode
 */
struct merge_file {
	const char *name;
	dev_t device;
	ino_t inode;
};

static int compare_files(const void *a, const void *b)
{
	const struct merge_file *one = a, *other = b;

	if (one->device != other->device)
		return one->device < other->device ? -1 : 1;
	return (one->inode > other->inode) - (one->inode < other->inode);
}

/*
 * Identify a file. Returns false unless it is a regular file, because a pipe does not deliver a
 * report twice.
 */
static bool find_file(struct merge_file *file, const char *name)
{
	struct stat status;

	if (stat(name, &status) || !S_ISREG(status.st_mode))
		return false;
	*file = (struct merge_file){ .name = name,
				     .device = status.st_dev,
				     .inode = status.st_ino };
	return true;
}

static int complain_again(const char *name, const struct merge_file *before)
{
	complain(
		"cannot merge %s: it is the same file as %s, and its counts would"
		" be in the sums twice",
		name, before->name);
	return PERFEX_INPUT;
}

static int add_file(void **files, const struct merge_file *file)
{
	struct merge_file **place, *added = malloc(sizeof(*added));

	place = added ? tsearch(file, files, compare_files) : NULL;
	if (!place) {
		free(added);
		complain("cannot merge so many reports: out of memory");
		return PERFEX_SYSTEM;
	}
	if (*place != file) {
		free(added);
		return complain_again(file->name, *place);
	}
	*added = *file;
	*place = added;
	return 0;
}

static int check_output(const char *output, const char *option,
			void *const *files)
{
	struct merge_file file, **place;

	if (!output || !strcmp(output, "-") || !find_file(&file, output))
		return 0;
	place = tfind(&file, files, compare_files);
	if (!place)
		return 0;
	complain(
		"cannot write to %s: it is one of the reports to merge, so give"
		" another FILE after %s",
		output, option);
	return PERFEX_OUTPUT;
}

int check_merge_files(const struct request *request)
{
	struct merge_file file;
	void *files = NULL;
	int status = 0;
	char **name;

	for (name = request->count.command; !status && *name; name++) {
		if (find_file(&file, *name))
			status = add_file(&files, &file);
	}
	if (!status)
		status = check_output(request->report.output, "-o", &files);
	if (!status)
		status = check_output(request->report.profile, "--profile",
				      &files);
	if (!status)
		status = check_output(request->report.status_file,
				      "--status-file", &files);
	tdestroy(files, free);
	return status;
}

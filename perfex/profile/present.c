// SPDX-License-Identifier: GPL-2.0-only
/* Read the mappings of a process that already runs. */
#include "profile/present.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernel writes this escape for a newline in a name. It does not escape any other byte. */
#define ESCAPED_NEWLINE "\\012"

static void unescape(char *name)
{
	const size_t length = strlen(ESCAPED_NEWLINE);

	while ((name = strstr(name, ESCAPED_NEWLINE))) {
		*name++ = '\n';
		memmove(name, name + length - 1, strlen(name + length - 1) + 1);
	}
}

bool parse_mapping(char *line, struct vpmc_sample_record *record)
{
	char *at = line;

	*record = (struct vpmc_sample_record){ .kind = VPMC_SAMPLE_MAP };
	record->address = strtoull(at, &at, 16);
	if (*at++ != '-')
		return false;
	record->end = strtoull(at, &at, 16);
	/* Four letters are the permissions. */
	if (strlen(at) < 6 || at[3] != 'x')
		return false;
	record->offset = strtoull(at + 6, &at, 16);
	record->device_major = (uint32_t)strtoul(at, &at, 16);
	if (*at++ != ':')
		return false;
	record->device_minor = (uint32_t)strtoul(at, &at, 16);
	record->inode = strtoull(at, &at, 10);
	at += strspn(at, " ");
	unescape(at);
	record->text = at;
	return true;
}

/* Open a file of a process in /proc. Returns NULL if there is no such process. */
static FILE *open_file(int pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "re");
}

/* Read a line without its newline. */
static bool read_line(FILE *file, char **line, size_t *room)
{
	const ssize_t length = getline(line, room, file);

	if (length > 0 && (*line)[length - 1] == '\n')
		(*line)[length - 1] = '\0';
	return length > 0;
}

static void read_program(struct collection *collection, int pid, char **line,
			 size_t *room)
{
	struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_EXEC,
					     .pid = (uint32_t)pid };
	FILE *file = open_file(pid, "comm");

	if (!file)
		return;
	if (read_line(file, line, room)) {
		record.text = *line;
		collect(&record, collection);
	}
	fclose(file);
}

static void read_mappings(struct collection *collection, int pid, char **line,
			  size_t *room)
{
	struct vpmc_sample_record record;
	FILE *file = open_file(pid, "maps");

	if (!file)
		return;
	while (read_line(file, line, room)) {
		if (!parse_mapping(*line, &record))
			continue;
		record.pid = (uint32_t)pid;
		collect(&record, collection);
	}
	fclose(file);
}

bool read_process(struct collection *collection, int pid)
{
	const uint64_t forgotten = collection->forgotten;
	char *line = NULL;
	size_t room = 0;

	read_program(collection, pid, &line, &room);
	read_mappings(collection, pid, &line, &room);
	free(line);
	return collection->forgotten == forgotten;
}

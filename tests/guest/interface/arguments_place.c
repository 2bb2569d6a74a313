// SPDX-License-Identifier: GPL-2.0-only
/* This file places arguments in memory of different kinds. */
#include <err.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arguments.h"

/* The pages after the fifth one are not mapped. */
static const int rights[PLACE_PAGES] = {
	PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE, PROT_READ, PROT_NONE,
	PROT_READ | PROT_WRITE,
};

static char *view;
static unsigned char *alias;

static void *map(int fd, int prot)
{
	void *memory = mmap(NULL, PLACE_PAGES * PAGE, prot, MAP_SHARED, fd, 0);

	if (memory == MAP_FAILED)
		err(2, "mmap");
	return memory;
}

void place_init(void)
{
	char name[] = "/tmp/argumentsXXXXXX";
	int fd = mkstemp(name);
	size_t i;

	if (fd < 0 || unlink(name) ||
	    ftruncate(fd, (off_t)(PLACE_PAGES * PAGE)))
		err(2, "%s", name);
	alias = map(fd, PROT_READ | PROT_WRITE);
	view = map(fd, PROT_READ);
	close(fd);
	for (i = 0; i < PLACE_PAGES; i++)
		if (mprotect(view + i * PAGE, PAGE, rights[i]))
			err(2, "mprotect");
}

char *place_address(size_t offset)
{
	return view + offset;
}

unsigned char *place_alias(size_t offset)
{
	return alias + offset;
}

static bool has_right(size_t offset, size_t size, int right)
{
	size_t page;

	for (page = offset / PAGE; size && page * PAGE < offset + size; page++)
		if (page >= PLACE_PAGES || !(rights[page] & right))
			return false;
	return true;
}

bool place_readable(size_t offset, size_t size)
{
	return has_right(offset, size, PROT_READ);
}

bool place_writable(size_t offset, size_t size)
{
	return has_right(offset, size, PROT_WRITE);
}

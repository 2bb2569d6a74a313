// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Map the file of timelines and take places for windows in it. vpmc_timeline.h describes
 * the file.
 */
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "regions/region_descriptor.h"
#include "regions/region_timeline_file.h"

static struct region_descriptor descriptor;
static struct vpmc_timeline_file *file;

static bool is_timeline(int fd)
{
	struct stat status;

	return !fstat(fd, &status) &&
	       status.st_size >= (off_t)sizeof(struct vpmc_timeline_file);
}

void vpmcint_region_timeline_open(void)
{
	void *mapped = MAP_FAILED;
	int fd;

	vpmcint_region_open_first(&descriptor, VPMC_TIMELINE_VARIABLE, O_RDWR);
	if (!descriptor.path)
		return;
	fd = vpmcint_region_open_again(&descriptor);
	if (fd >= 0 && is_timeline(fd))
		mapped = mmap(NULL, sizeof(*file), PROT_READ | PROT_WRITE,
			      MAP_SHARED, fd, 0);
	if (fd >= 0)
		vpmcint_region_close_again(&descriptor, fd);
	if (mapped == MAP_FAILED)
		return;
	file = mapped;
	if (file->magic == VPMC_TIMELINE_MAGIC)
		return;
	munmap(mapped, sizeof(*file));
	file = NULL;
}

bool vpmcint_timeline_is_there(void)
{
	return file != NULL;
}

uint32_t vpmcint_timeline_number_thread(void)
{
	return vpmcint_timeline_take(&file->threads) + 1;
}

void vpmcint_timeline_lose(void)
{
	vpmcint_timeline_take(&file->lost);
}

static struct vpmc_timeline_window *map_window(int fd, off_t at)
{
	void *mapped = MAP_FAILED;

	/* Populate the window now, so that its page faults do not count in a region. */
	if (vpmcint_region_reserve(fd, at, VPMC_TIMELINE_WINDOW))
		mapped =
			mmap(NULL, VPMC_TIMELINE_WINDOW, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_POPULATE, fd, at);
	return mapped == MAP_FAILED ? NULL : mapped;
}

/* Returns the position of the next free window in the file, or -1 if the file is too large. */
static off_t next_place(void)
{
	const uint64_t at = (uint64_t)vpmcint_timeline_take(&file->windows) *
			    VPMC_TIMELINE_WINDOW;

	return sizeof(off_t) < sizeof(at) && at > INT32_MAX ? -1 : (off_t)at;
}

struct vpmc_timeline_window *vpmcint_timeline_take_window(void)
{
	const int fd = vpmcint_region_open_again(&descriptor);
	struct vpmc_timeline_window *window;
	off_t at;

	if (fd < 0)
		return NULL;
	at = next_place();
	window = at < 0 ? NULL : map_window(fd, at);
	vpmcint_region_close_again(&descriptor, fd);
	return window;
}

static bool write_part(int fd, const struct vpmc_timeline_window *window,
		       size_t from, size_t to, off_t at)
{
	const ssize_t size = (ssize_t)(to - from);

	return pwrite(fd, (const char *)window + from, (size_t)size,
		      at + (off_t)from) == size;
}

/*
 * Write a window. Its thread's number is written last, because perfex does not read a
 * window without this number.
 */
static bool write_window(int fd, const struct vpmc_timeline_window *window,
			 off_t at)
{
	const size_t head = offsetof(struct vpmc_timeline_window, pid);

	return write_part(fd, window, head, VPMC_TIMELINE_WINDOW, at) &&
	       write_part(fd, window, 0, head, at);
}

bool vpmcint_timeline_copy_window(const struct vpmc_timeline_window *window)
{
	const int fd = vpmcint_region_open_again(&descriptor);
	bool good;
	off_t at;

	if (fd < 0)
		return false;
	at = next_place();
	good = at >= 0 &&
	       vpmcint_region_may_grow(at + (off_t)VPMC_TIMELINE_WINDOW) &&
	       write_window(fd, window, at);
	vpmcint_region_close_again(&descriptor, fd);
	return good;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * blocks FILE: a program for perfex --interval -o FILE. It touches new pages and sleeps, so that
 * all of this is in one block of the report. It then touches fewer pages in another block.
 */
#include <err.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PAGES 64

/* Return the size of a file, or 0 if perfex has not created it yet. */
static off_t size_of(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : status.st_size;
}

/*
 * Wait for a block of the report, without context switches. perfex writes a block after it has read
 * the counts, so the next block has begun then.
 */
static off_t await_block(const char *path)
{
	const off_t before = size_of(path);
	off_t after;

	do
		after = size_of(path);
	while (after == before);
	return after;
}

/* Touch @nr new pages, each of them twice, and sleep @sleeps times. */
static void touch_and_sleep(unsigned char *pages, size_t nr,
			    unsigned int sleeps)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	const struct timespec time = { .tv_nsec = 1000000 };
	size_t i;

	if (madvise(pages, PAGES * size, MADV_DONTNEED))
		err(2, "no pages");
	for (i = 0; i < 2 * nr; i++)
		*(volatile unsigned char *)(pages + i % nr * size) = 1;
	while (sleeps--)
		nanosleep(&time, NULL);
}

/*
 * Wait for a new block, and touch pages and sleep in it. Repeat this if the block has ended too
 * early.
 */
static void pass_block(const char *path, unsigned char *pages, size_t nr,
		       unsigned int sleeps)
{
	off_t size;

	do {
		size = await_block(path);
		touch_and_sleep(pages, nr, sleeps);
	} while (size_of(path) != size);
}

int main(int argc, char **argv)
{
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc != 2 || pages == MAP_FAILED)
		errx(2, "usage: blocks FILE");
	/*
	 * Do this once before the blocks that are checked, because the first run of the code also
	 * causes page faults.
	 */
	pass_block(argv[1], pages, 1, 1);
	pass_block(argv[1], pages, 37, 2);
	pass_block(argv[1], pages, 5, 1);
	await_block(argv[1]);
	return 0;
}

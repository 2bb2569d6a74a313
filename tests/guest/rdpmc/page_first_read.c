// SPDX-License-Identifier: GPL-2.0-only
/*
 * page_first_read SEED COUNT: test children that inherit a page. The kernel allocates the page's
 * memory at the first read. Another thread or the parent makes this read, at a random moment
 * while the owner counts, starts again and reads. The owner must find exact counts or no counts.
 * After the next switch to the owner, it must find exact counts.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inline.h"
#include "seed.h"

static const struct vpmc_page *page;

/* This is the number of rounds for which the first reader waits, and whether it has read. */
static uint32_t rounds;
static volatile uint32_t *done;

static void wait_rounds(void)
{
	volatile uint32_t i;

	for (i = 0; i < rounds; i++)
		;
}

static void *be_reader(void *unused)
{
	wait_rounds();
	(void)*(const volatile uint32_t *)&page->sequence;
	*done = 1;
	return unused;
}

/* Read the page from another process, through the child's memory. */
static void read_from_outside(pid_t pid)
{
	uint32_t sequence;
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDONLY);
	wait_rounds();
	if (fd < 0 || pread64(fd, &sequence, sizeof(sequence),
			      (off64_t)(uintptr_t)page) != sizeof(sequence))
		check(false, "seed %u: read from outside: %s", seed,
		      strerror(errno));
	close(fd);
	*done = 1;
}

/* Check that the owner finds exact counts, or possibly no counts if @must_be is false. */
static void check_owner(bool must_be)
{
	if (!must_be && vpmc_count(0) < 0)
		return;
	if (!span_is_exact(FIRST, 1 + below(2000)))
		check(false, "seed %u: %s", seed,
		      must_be ? "after a switch" : "beside the first reader");
}

static _Noreturn void be_child(bool outside)
{
	int fd = open_device();
	unsigned int i;
	pthread_t id;

	check_failures = 0;
	if (!outside && pthread_create(&id, NULL, be_reader, NULL))
		errx(2, "no thread");
	for (i = below(4); i > 0; i--)
		read_scope(fd, VPMC_SCOPE_THREAD);
	if (below(2)) {
		request(fd, VPMC_STOP, stop_arg());
		must_start(fd, FIRST, 0);
	}
	if (below(2))
		check_owner(false);
	while (!*done)
		if (below(2))
			check_owner(false);
	if (!outside)
		pthread_join(id, NULL);
	usleep(1000);
	check_owner(true);
	check(vpmc_count(0) >= 0, "seed %u: there is a count", seed);
	_exit(check_failures > 0);
}

static void run_child(bool outside)
{
	int status;
	pid_t pid;

	*done = 0;
	rounds = below(below(2) ? 200 : 20000);
	pid = fork();
	if (!pid)
		be_child(outside);
	if (outside)
		read_from_outside(pid);
	if (waitpid(pid, &status, 0) != pid || status)
		check(false, "seed %u: child: %#x", seed, status);
}

int main(int argc, char **argv)
{
	struct vpmc_map map = { .size = sizeof(map) };
	unsigned int i, count;

	if (argc != 3)
		errx(2, "usage: page_first_read SEED COUNT");
	seed = (uint32_t)strtoul(argv[1], NULL, 0);
	count = (unsigned int)strtoul(argv[2], NULL, 0);
	done = shared(sizeof(*done));
	start_at_most(2);
	start_arg(FIRST, 0);
	stop_arg();
	mapped();
	if (request(open_device(), VPMC_MAP, &map))
		errx(2, "VPMC_MAP");
	page = pointer_to(map.address);
	for (i = 0; i < count; i++)
		run_child(i % 2);
	return check_status();
}

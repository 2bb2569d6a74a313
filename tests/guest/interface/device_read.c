// SPDX-License-Identifier: GPL-2.0-only
/*
 * device_read: test that read(2) of the device returns a thread's counts to the process
 * that opened it, and not to another program.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

#define ROUNDS 1000
#define NOBODY 65534
#define PAGE   ((size_t)4096)
/* This is the argument that tells the program to read its standard input. */
#define PASSED "passed"

static size_t size_of(unsigned int nr)
{
	return offsetof(struct vpmc_thread_counts, count) +
	       nr * sizeof(uint64_t);
}

/* Return the result of read(2), or a negated errno. */
static ssize_t plain_read(int fd, void *buffer, size_t size)
{
	ssize_t result = read(fd, buffer, size);

	return result < 0 ? -errno : result;
}

static ssize_t try_plain_read(int fd)
{
	struct vpmc_thread_counts counts;

	return plain_read(fd, &counts, sizeof(counts));
}

static void check_error(ssize_t result, int error, const char *what)
{
	check(result == -error, "%s: %zd want %d", what, result, -error);
}

/* Check that read(2) returns the same counts as VPMC_READ, and does not write more bytes. */
static void check_same(int fd, const char *what)
{
	struct vpmc_read read = read_scope(fd, VPMC_SCOPE_THREAD);
	struct vpmc_thread_counts counts;
	size_t size = size_of(read.nr_counts);
	ssize_t result;

	memset(&counts, 0x55, sizeof(counts));
	result = plain_read(fd, &counts, sizeof(counts));
	check(result == (ssize_t)size && read.nr_counts == counters_here(),
	      "%s: %zd bytes want %zu", what, result, size);
	check(counts.other_events == read.other_events &&
		      counts.revoked == read.revoked &&
		      counts.generation == read.generation &&
		      counts.start == read.start && counts.tsc == read.tsc &&
		      !memcmp(counts.count, read.count,
			      read.nr_counts * sizeof(read.count[0])),
	      "%s: the same as by VPMC_READ", what);
	check(size == sizeof(counts) ||
		      *((unsigned char *)&counts + size) == 0x55,
	      "%s: nothing is written behind the counts", what);
}

/* The difference between the counts of two consecutive calls is the cost of one call. */
static void test_running(void)
{
	struct family f = family_new();
	struct vpmc_read *by_ioctl = read_arg(VPMC_SCOPE_THREAD);
	struct vpmc_thread_counts *counts = shared(sizeof(*counts));
	struct cost first, second;

	script_rounds(&f.parent, ROUNDS);
	script_call(&f.parent, SYS_ioctl, (uint32_t)f.fd, VPMC_READ,
		    P(by_ioctl));
	first = f.parent.cost;
	script_call(&f.parent, SYS_read, (uint32_t)f.fd, P(counts),
		    sizeof(*counts));
	second = f.parent.cost;
	family_run(&f);
	check(counts->count[0] - by_ioctl->count[0] ==
			      second.instructions - first.instructions &&
		      counts->count[1] - by_ioctl->count[1] ==
			      second.branches - first.branches,
	      "it counts: %llu and %llu more, as many as a call takes",
	      counts->count[0] - by_ioctl->count[0],
	      counts->count[1] - by_ioctl->count[1]);
	check(counts->generation == f.start->generation &&
		      counts->start == f.start->self_start,
	      "generation and start are those of the start");
	check_same(f.fd, "stopped");
}

static void test_errors(void)
{
	struct vpmc_thread_counts counts, before;
	int fd = open_device(), write_only;
	size_t size = size_of(counters_here());
	void *page =
		mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	check_error(try_plain_read(fd), ENODATA, "never started");
	must_start(fd, FIRST, 0);
	memset(&counts, 0x55, sizeof(counts));
	before = counts;
	check_error(plain_read(fd, &counts, size - 1), EINVAL, "too small");
	check_error(plain_read(fd, &counts, 0), EINVAL, "no room");
	check(!memcmp(&counts, &before, sizeof(counts)),
	      "what is too small has not changed");
	check_error(plain_read(fd, page, 4096), EFAULT, "cannot be written");
	check(pread(fd, &counts, sizeof(counts), 0) < 0 && errno == ESPIPE,
	      "there is no position in it");
	write_only = open("/dev/vpmc", O_WRONLY | O_CLOEXEC);
	check_error(try_plain_read(write_only), EBADF, "opened for writing");
	check_error(try_plain_read(hold(getpid(), 0)), EXDEV,
		    "attached to a process");
	must_stop(fd);
	check_same(fd, "after all that");
}

/*
 * A thread that counts reads into pages that are not present yet. The kernel must not wait for a
 * page while it reads the counters.
 */
static void test_absent(void)
{
	char *page = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const size_t head = offsetof(struct vpmc_thread_counts, generation);
	struct vpmc_thread_counts *whole = (void *)page;
	struct vpmc_thread_counts *half = (void *)(page + 2 * PAGE - head);
	struct vpmc_read *read =
		(void *)(page + 3 * PAGE - offsetof(struct vpmc_read, count));
	ssize_t size = (ssize_t)size_of(counters_here()), got[2];
	uint64_t generation;
	int fd = open_device();

	if (page == MAP_FAILED)
		err(2, "mmap");
	generation = must_start(fd, FIRST, 0);
	got[0] = plain_read(fd, whole, sizeof(*whole));
	got[1] = plain_read(fd, half, sizeof(*half));
	read->size = sizeof(*read);
	read->scope = VPMC_SCOPE_THREAD;
	check_error(request(fd, VPMC_READ, read), 0, "VPMC_READ, half is new");
	check(got[0] == size && got[1] == size,
	      "a new page, half a new page: %zd, %zd want %zd", got[0], got[1],
	      size);
	check(whole->generation == generation &&
		      half->generation == generation &&
		      read->generation == generation,
	      "what is new is written as a whole");
	check(whole->count[0] && whole->count[0] < half->count[0] &&
		      half->count[0] < read->count[0],
	      "it has counted on: %llu, %llu, %llu", whole->count[0],
	      half->count[0], read->count[0]);
	must_stop(fd);
	munmap(page, 4 * PAGE);
}

static void test_multiplex(void)
{
	struct vpmc_start *arg = start_arg(FIRST, VPMC_START_MULTIPLEX);
	int fd = open_device();

	arg->event[arg->nr_events++] = arg->event[0];
	if (request(fd, VPMC_START, arg))
		err(2, "start");
	check(!try_read(fd, VPMC_SCOPE_THREAD), "VPMC_READ has room for times");
	check_error(try_plain_read(fd), EINVAL, "events share a counter");
}

/*
 * Another process has attached to the thread. The test reads while the thread lives and after
 * its exit.
 */
static void test_attached(void)
{
	struct target t = target_new();
	int fd;

	target_gate_start(&t);
	script_rounds(&t.script, ROUNDS);
	target_gate(&t, true);
	script_exit(&t.script, 0);
	fd = target_hold(&t, VPMC_ATTACH_THREAD);
	must_start(fd, FIRST, 0);
	target_pass(&t);
	check_same(fd, "attached, it sleeps");
	target_end(&t);
	check_same(fd, "attached, it is gone");
	target_reap(&t);
}

/* System mode takes the counters away, and read(2) reports that the counts are revoked. */
static void test_revoked(void)
{
	struct vpmc_thread_counts counts;
	int fd = open_device(), system = open_device();
	uint64_t generation = must_start(fd, FIRST, 0);

	if (request(system, VPMC_SYSTEM_START,
		    start_arg(FIRST, VPMC_START_FORCE)))
		err(2, "system mode");
	check(plain_read(fd, &counts, sizeof(counts)) > 0 &&
		      counts.revoked == 1 && !counts.count[0] &&
		      counts.generation != generation,
	      "revoked: nothing, and another generation");
	check_same(fd, "revoked");
	close(system);
}

/* Check the exit status of a child, which is the errno of its read, or 0. */
static void check_child(int (*errno_of_child)(int fd), int fd, int error,
			const char *what)
{
	pid_t pid;
	int status;

	pid = child_fork();
	if (!pid)
		_exit(errno_of_child(fd));
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check(WIFEXITED(status) && WEXITSTATUS(status) == error,
	      "%s: status %#x want %d", what, status, error);
}

static int errno_of_read(int fd)
{
	ssize_t result = try_plain_read(fd);

	return result < 0 ? (int)-result : 0;
}

/* Open the device in the child before its credentials change. */
static int own_device(void)
{
	int fd = open_device();

	return errno_of_read(fd) ? -1 : fd;
}

static int opened_here(int fd)
{
	(void)fd;
	return errno_of_read(own_device());
}

static int opened_before_setuid(int fd)
{
	fd = own_device();
	if (fd < 0 || setgid(NOBODY) || setuid(NOBODY))
		return -1;
	return errno_of_read(fd);
}

static int opened_before_exec(int fd)
{
	fd = own_device();
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		return -1;
	execl("/proc/self/exe", "device_read", PASSED, NULL);
	return -1;
}

/* The children inherit the count, so there are counts to read. */
static void test_programs(void)
{
	int fd = open_device();

	must_start(fd, FIRST, 0);
	check_child(opened_here, fd, 0, "who opened it");
	check_child(errno_of_read, fd, EACCES, "a child of who opened it");
	check_child(opened_before_setuid, fd, EACCES, "after setuid");
	check_child(opened_before_exec, fd, EACCES, "after exec");
	check(errno_of_read(fd) == 0, "who opened it, still");
}

/* readv(2) fills one part after the other, each like read(2). */
static void test_parts(void)
{
	struct vpmc_start *begin = start_arg(FIRST, 0);
	struct vpmc_thread_counts part[3];
	const size_t size = size_of(counters_here());
	const struct iovec whole[] = { { &part[0], size },
				       { &part[1], sizeof(part[1]) },
				       { &part[2], sizeof(part[2]) } };
	const struct iovec small = { &part[0], size - 1 };
	int fd = open_device();
	ssize_t result;

	check(!request(fd, VPMC_START, begin), "started");
	memset(part, 0x55, sizeof(part));
	result = readv(fd, whole, 3);
	/*
	 * readv(2) stops after the first part that is larger than the counts. If the counts fill
	 * the structure, there is no such part.
	 */
	check(result == (ssize_t)(size == sizeof(part[0]) ? 3 : 2) *
				(ssize_t)size,
	      "readv: %zd bytes of %zu", result, size);
	check(part[0].start == begin->start && part[1].start == begin->start,
	      "two parts of it are counts");
	result = readv(fd, &small, 1);
	check_error(result < 0 ? -errno : result, EINVAL, "no room in a part");
	result = syscall(SYS_preadv2, fd, whole, 1, -1L, -1L, RWF_NOWAIT);
	check_error(result < 0 ? -errno : result, EOPNOTSUPP, "RWF_NOWAIT");
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], PASSED))
		return errno_of_read(STDIN_FILENO);
	run(test_running);
	run(test_errors);
	run(test_absent);
	run(test_multiplex);
	run(test_attached);
	run(test_revoked);
	run(test_programs);
	run(test_parts);
	return check_status();
}

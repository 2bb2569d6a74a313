// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_uring: test the threads that the kernel creates in a process to execute system calls for
 * io_uring. They must count with the process. Test that a read of the device by io_uring is refused
 * at once.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"
#include "ring.h"

/*
 * The test allocates pages with fallocate(2), because this system call executes many instructions,
 * and nearly the same number each time.
 */
#define LENGTH	   (4 << 20)
#define LEAST(was) ((was) / 4 * 3)

static int new_file(void)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);

	if (fd < 0)
		err(2, "memfd_create");
	return fd;
}

/*
 * Let a worker execute fallocate(2). The caller keeps the file open, because the task that closes
 * it last frees the pages.
 */
static void ring_allocate(struct ring *r, int fd)
{
	const struct io_uring_sqe sqe = {
		.opcode = IORING_OP_FALLOCATE,
		.flags = IOSQE_ASYNC,
		.fd = fd,
		.addr = LENGTH,
	};
	int result = ring_do(r, &sqe);

	if (result)
		errx(2, "fallocate by io_uring: errno %d", -result);
}

/* Return a start of one event: instructions in kernel mode. */
static struct vpmc_start *start_kernel(unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, flags);

	start->nr_events = 1;
	start->event[0].modes = VPMC_MODE_KERNEL;
	return start;
}

/* Start to count, and return the cost of fallocate(2). */
static uint64_t begin(int fd)
{
	int file = new_file();
	uint64_t before, after;

	if (request(fd, VPMC_START, start_kernel(0)))
		errx(2, "cannot start");
	before = read_scope(fd, VPMC_SCOPE_THREAD).count[0];
	if (fallocate(file, 0, 0, LENGTH))
		err(2, "fallocate");
	after = read_scope(fd, VPMC_SCOPE_THREAD).count[0];
	close(file);
	return after - before;
}

/* Return the sum of the counts of this process's other threads. */
static uint64_t of_others(int fd)
{
	uint64_t own = read_scope(fd, VPMC_SCOPE_THREAD).count[0];
	struct vpmc_read all = read_scope(fd, VPMC_SCOPE_SELF);

	check(!all.other_events && !all.revoked, "nobody is missing");
	return all.count[0] > own ? all.count[0] - own : 0;
}

static void check_ring(uint32_t flags, const char *what)
{
	int fd = open_device();
	uint64_t was = begin(fd), before, more;
	struct ring r = ring_new(flags);

	before = of_others(fd);
	ring_allocate(&r, new_file());
	more = of_others(fd) - before;
	check(more >= LEAST(was), "%s: %llu of %llu", what,
	      (unsigned long long)more, (unsigned long long)was);
}

static void test_worker(void)
{
	check_ring(0, "a worker counts");
}

static void test_polled(void)
{
	check_ring(IORING_SETUP_SQPOLL,
		   "a worker of a thread that polls counts");
}

/* Test that the thread that polls is counted too. */
static void test_poller(void)
{
	const struct io_uring_sqe sqe = { .opcode = IORING_OP_NOP };
	int fd = open_device();
	struct ring r;
	uint64_t before, more;

	begin(fd);
	r = ring_new(IORING_SETUP_SQPOLL);
	before = of_others(fd);
	ring_do(&r, &sqe);
	more = of_others(fd) - before;
	check(more, "a thread that polls counts");
}

/* Be a process that has workers before its parent starts it. The parent owns the files. */
static _Noreturn void be_target(const struct gate *ready, const struct gate *go,
				int first, int second)
{
	struct ring r = ring_new(0);

	ring_allocate(&r, first);
	gate_open(ready);
	gate_wait(go);
	ring_allocate(&r, second);
	_exit(0);
}

/*
 * Test that a start of a process also starts a worker that exists already. The process itself
 * executes far fewer instructions, because it does not allocate pages.
 */
static void test_attached(void)
{
	struct gate ready = gate_new(), go = gate_new();
	int fd = open_device(), held, status;
	int first = new_file(), second = new_file();
	uint64_t was = begin(fd), more;
	struct vpmc_read sum;
	pid_t pid;

	if (request(fd, VPMC_STOP, stop_arg()))
		errx(2, "cannot stop");
	pid = child_fork();
	if (!pid)
		be_target(&ready, &go, first, second);
	gate_wait(&ready);
	held = hold(pid, 0);
	check(!request(held, VPMC_START, start_kernel(0)), "started");
	gate_open(&go);
	check(waitpid(pid, &status, 0) == pid && !status, "done");
	sum = read_scope(held, VPMC_SCOPE_SELF);
	more = sum.count[0];
	check(more >= LEAST(was), "a worker is started: %llu of %llu",
	      (unsigned long long)more, (unsigned long long)was);
	check(!sum.other_events && !sum.revoked, "nobody is missing");
}

/*
 * Test that reads of the device by io_uring are refused. Otherwise a read would wait for records,
 * or return the counts of a worker.
 */
static void test_read(void)
{
	static struct vpmc_thread_counts counts;
	static const struct iovec part = { &counts, sizeof(counts) };
	struct io_uring_sqe sqe = {
		.fd = open_device(),
		.off = UINT64_MAX,
	};
	struct ring r = ring_new(0), polled = ring_new(IORING_SETUP_SQPOLL);

	begin(sqe.fd);
	for (unsigned int i = 0; i < 4; i++) {
		sqe.flags = i & 1 ? IOSQE_ASYNC : 0;
		sqe.opcode = i & 2 ? IORING_OP_READV : IORING_OP_READ;
		sqe.addr = (uintptr_t)(i & 2 ? (const void *)&part : &counts);
		sqe.len = i & 2 ? 1 : sizeof(counts);
		check(ring_do(&r, &sqe) == -EINVAL, "refused");
		check(ring_do(&polled, &sqe) == -EINVAL, "when polled, too");
	}
	check(!counts.tsc, "nothing is written");
}

int main(void)
{
	run(test_worker);
	run(test_polled);
	run(test_poller);
	run(test_attached);
	run(test_read);
	return check_status();
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_rings SEED: test the requests that VPMC_SAMPLES and the mappings of rings refuse. Test
 * that no data that the owner writes to the rings does harm.
 */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hold.h"
#include "rings.h"
#include "seed.h"

#define RING_SIZE 65536
#define STRIDE	  rings_stride(RING_SIZE)
#define BOTH	  (PROT_READ | PROT_WRITE)

static int samples(int fd, uint32_t ring_size)
{
	struct vpmc_samples arg = { .size = sizeof(arg),
				    .ring_size = ring_size };

	return request(fd, VPMC_SAMPLES, &arg);
}

static int open_both(void)
{
	int fd = open(VPMC_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		err(2, VPMC_DEVICE);
	return fd;
}

/* All flags but the first two are unknown, and there is a limit for callers. */
static void refuse_flags(int fd)
{
	struct vpmc_samples arg;
	unsigned int i;
	int result;

	for (i = 0; i < 32; i++) {
		arg = (struct vpmc_samples){ .size = sizeof(arg),
					     .flags = UINT32_C(4) << i,
					     .ring_size = 4096 };
		if (!arg.flags)
			arg.callers = VPMC_MAX_CALLERS + 1;
		result = request(fd, VPMC_SAMPLES, &arg);
		if (result != -EINVAL)
			check(false, "flag %u: %d", i + 2, result);
	}
}

static void test_sizes(void)
{
	static const uint32_t bad[] = { 0,
					1,
					2048,
					4095,
					4097,
					12288,
					VPMC_MAX_RING * 2,
					0x80000000,
					UINT32_MAX };
	static const uint32_t good[] = { 4096, 8192, 65536, 1 << 20 };
	struct vpmc_samples arg;
	unsigned int i;
	int fd = open_both(), result;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		result = samples(fd, bad[i]);
		check(result == -EINVAL, "rings of %u bytes: %d", bad[i],
		      result);
	}
	refuse_flags(fd);
	arg = (struct vpmc_samples){ .size = sizeof(arg) - 4,
				     .ring_size = 4096 };
	result = request(fd, VPMC_SAMPLES, &arg);
	check(result == -EINVAL, "a short argument: %d", result);
	result = request(fd, VPMC_SAMPLES, (void *)8);
	check(result == -EFAULT, "no argument: %d", result);
	result = samples(fd, 4096);
	check(!result, "nothing of this has given the handle rings: %d",
	      result);
	result = samples(fd, 4096);
	check(result == -EBUSY, "it has rings now: %d", result);
	close(fd);
	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		fd = open_both();
		arg = (struct vpmc_samples){ .size = sizeof(arg),
					     .ring_size = good[i] };
		result = request(fd, VPMC_SAMPLES, &arg);
		check(!result && arg.nr_rings >= (unsigned int)sysconf(
							 _SC_NPROCESSORS_CONF),
		      "rings of %u bytes: %d", good[i], result);
		close(fd);
	}
}

/* Try to map memory of a handle. Returns 0 or a negated errno. */
static int try_map(int fd, size_t size, int prot, int flags, off_t offset)
{
	void *p = mmap(NULL, size, prot, flags, fd, offset);

	if (p == MAP_FAILED)
		return -errno;
	munmap(p, size);
	return 0;
}

static void check_map(int fd, size_t size, int prot, int flags, off_t offset,
		      int want, const char *what)
{
	int result = try_map(fd, size, prot, flags, offset);

	check(result == want, "%s: %d, want %d", what, result, want);
}

static void test_maps(void)
{
	struct rings r = rings_new(RING_SIZE);
	int bare = open_both(), readable;
	off_t s = (off_t)STRIDE;
	char *p;

	check_map(r.fd, STRIDE, BOTH, MAP_SHARED, s, 0, "a ring once more");
	check_map(r.fd, STRIDE, PROT_READ, MAP_SHARED, s, 0, "a ring to read");
	check_map(r.fd, STRIDE, BOTH, MAP_SHARED, s * (r.nr + 1), -EINVAL,
		  "no such ring");
	check_map(r.fd, STRIDE, BOTH, MAP_SHARED, s + 4096, -EINVAL,
		  "an odd offset");
	check_map(r.fd, STRIDE, BOTH, MAP_SHARED, 4096, -EINVAL,
		  "an offset before the rings");
	check_map(r.fd, STRIDE - 4096, BOTH, MAP_SHARED, s, -EINVAL,
		  "less than a ring");
	check_map(r.fd, STRIDE + 4096, BOTH, MAP_SHARED, s, -EINVAL,
		  "more than a ring");
	check_map(r.fd, STRIDE, BOTH, MAP_PRIVATE, s, -EINVAL,
		  "a private mapping");
	check_map(bare, STRIDE, BOTH, MAP_SHARED, s, -EINVAL,
		  "a handle without rings");
	if (is_child()) {
		check_map(r.fd, STRIDE, BOTH, MAP_SHARED, s, -EACCES,
			  "another process");
		exit(check_status());
	}
	readable = open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC);
	check(!samples(readable, RING_SIZE),
	      "a handle to be read only has rings");
	check_map(readable, STRIDE, BOTH, MAP_SHARED, s, -EACCES,
		  "a ring of it to write");
	check_map(readable, STRIDE, PROT_READ, MAP_SHARED, s, -EINVAL,
		  "a ring of it to read");
	p = (char *)r.ring[0];
	check(mprotect(p, STRIDE, PROT_READ | PROT_EXEC) && errno == EACCES,
	      "no ring becomes executable: %d", errno);
	check(mremap(p, STRIDE, 2 * STRIDE, MREMAP_MAYMOVE) == MAP_FAILED,
	      "no mapping grows: %d", errno);
	check(!munmap(p + STRIDE - 4096, 4096), "a part is unmapped");
	p = ring_map_with(r.fd, RING_SIZE, 0, BOTH, MAP_SHARED);
	check(!madvise(p, 4096, MADV_DONTNEED) && !munmap(p, STRIDE),
	      "a page is given back");
	close(bare);
	close(readable);
	rings_free(&r);
}

/* Forked processes do not have the mappings. */
static void test_fork(void)
{
	struct rings r = rings_new(RING_SIZE);
	unsigned char vec;
	int status;
	pid_t pid = child_fork();

	if (!pid)
		_exit(!mincore(r.ring[0], 4096, &vec) || errno != ENOMEM);
	check(waitpid(pid, &status, 0) == pid && !status,
	      "a child has no ring");
	rings_free(&r);
}

/* The limit of locked memory applies to users without CAP_IPC_LOCK. The charge is given back. */
static void test_limit(void)
{
	const struct rlimit limit = { 1 << 20, 1 << 20 };
	unsigned int i, nr, again;
	int fd[64], result = 0;

	if (!is_child())
		return;
	if (setrlimit(RLIMIT_MEMLOCK, &limit) ||
	    setresgid(65534, 65534, 65534) || setresuid(65534, 65534, 65534))
		err(2, "an ordinary user");
	for (again = 0; again < 3; again++) {
		for (nr = 0; nr < 63; nr++) {
			fd[nr] = open_both();
			result = samples(fd[nr], 65536);
			if (result)
				break;
		}
		check(result == -ENOMEM && nr > 2 && nr < 16,
		      "the limit is reached: %d after %u handles", result, nr);
		for (i = 0; i <= nr; i++)
			close(fd[i]);
	}
	exit(check_status());
}

/* Write to a file that may refuse it. */
static bool is_written(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return done;
}

/*
 * The memory is charged to the cgroup of the process that requests it, if the kernel has cgroups.
 */
static void test_charge(void)
{
	static const char group[] = "/tmp/cgroup/rings",
			  file[] = "/tmp/cgroup/rings/memory.current";
	unsigned long before;
	struct rings r;

	if (!is_child())
		return;
	if (mkdir("/tmp/cgroup", 0700) && errno != EEXIST)
		err(2, "/tmp/cgroup");
	if (mount("none", "/tmp/cgroup", "cgroup2", 0, NULL) ||
	    !is_written("/tmp/cgroup/cgroup.subtree_control", "+memory")) {
		check(errno == ENODEV || errno == EINVAL,
		      "no cgroup limits memory: %d", errno);
		exit(check_status());
	}
	if (mkdir(group, 0700))
		err(2, "%s", group);
	set_file("/tmp/cgroup/rings/cgroup.procs", "0");
	before = number_in(file, "");
	r = rings_new(1 << 20);
	/* The kernel charges up to 64 pages of a processor before they are used. */
	check(number_in(file, "") - before + (64 << 12) >= (unsigned long)r.nr
								   << 20,
	      "the memory is charged to the cgroup: %lu",
	      number_in(file, "") - before);
	exit(check_status());
}

static struct vpmc_start *sampled(void)
{
	struct vpmc_start *start =
		start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_RECORDS);

	start->nr_events = 2;
	start->event[0].period = VPMC_MIN_PERIOD;
	start->event[1].period = VPMC_MIN_PERIOD + 2;
	return start;
}

/* The owner writes random bytes to its ring while the kernel writes to the ring. */
static void test_fuzz(unsigned int callers)
{
	struct rings r = rings_new_with((struct vpmc_samples){
		.ring_size = 4096, .callers = callers, .jitter = { 0, 1 } });
	struct script s = script_new();
	struct vpmc_record record = { .size = sizeof(record) };
	struct pollfd fd = { .fd = r.fd };
	uint32_t *word;
	unsigned int i;
	int result;

	script_start(&s, r.fd, sampled());
	for (i = 0; i < 200; i++) {
		script_rounds(&s, 20000);
		script_call(&s, SYS_sched_yield);
	}
	script_exit(&s, 0);
	if (!child_fork())
		script_run(&s);
	do {
		for (i = 0; i < 400; i++) {
			word = (uint32_t *)r.ring[below(r.nr)];
			switch (below(4)) {
			case 0:
				word[below((uint32_t)rings_stride(4096) / 4)] =
					below(1 << 24);
				break;
			case 1:
				((struct vpmc_ring *)word)->tail =
					below(1 << 24) << below(9);
				break;
			case 2:
				((struct vpmc_ring *)word)->tail =
					((struct vpmc_ring *)word)->head -
					below(4096 + 64);
				break;
			default:
				((struct vpmc_ring *)word)->head =
					below(1 << 24) << below(9);
			}
		}
		sched_yield();
	} while (poll(&fd, 1, 0) != 1 || !(fd.revents & POLLHUP));
	wait(NULL);
	result = request(r.fd, VPMC_RECORD, &record);
	check(!result && record.count[0] == s.cost.instructions &&
		      record.count[1] == s.cost.branches,
	      "the counts are right: %d", result);
	rings_free(&r);
	shared_free();
}

/* The handle is closed, or its owner exits, while a process leaves samples. */
static void test_close(void)
{
	struct gate gate = gate_new();
	struct script s;
	struct rings r;
	pid_t pid, owner;
	unsigned int i;

	for (i = 0; i < 10; i++) {
		owner = child_fork();
		if (!owner) {
			r = rings_new(4096);
			s = script_new();
			script_start(&s, r.fd, sampled());
			script_call(&s, SYS_write, (uint32_t)gate.out,
				    P(shared(1)), 1);
			script_rounds(&s, 3000000);
			script_exit(&s, 0);
			pid = child_fork();
			if (!pid)
				script_run(&s);
			gate_wait(&gate);
			if (i % 2)
				rings_free(&r);
			_exit(0);
		}
		waitpid(owner, NULL, 0);
	}
	check(true, "handles are closed while samples are taken");
	close(gate.in);
	close(gate.out);
}

int main(int argc, char **argv)
{
	seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
	test_sizes();
	test_maps();
	test_fork();
	test_limit();
	test_charge();
	test_fuzz(0);
	test_fuzz(VPMC_MAX_CALLERS);
	test_close();
	return check_status();
}

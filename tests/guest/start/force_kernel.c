// SPDX-License-Identifier: GPL-2.0-only
/*
 * force_kernel: test a thread that is started by force while it runs in the kernel. It must count
 * kernel mode at once, and not only after the next context switch or after its return to user mode.
 *
 * The thread counts, and runs on the second processor in a call that writes random bytes to memory.
 * The starter sees in this memory how far the call has got. The thread must count the rest of the
 * call. The starter has measured the cost of the same call itself.
 */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

/* This is the number of bytes that the call writes. */
#define SIZE (1U << 20)

/* At least this number of bytes must be left when the start returns. */
#define LEAST (SIZE / 8)

/*
 * A start comes too late if the host pauses one of the processors. So make up to TRIES starts until
 * ENOUGH of them have come in time.
 */
#define TRIES  100
#define ENOUGH 10

/*
 * Measure a call of PART bytes REPEAT times, and take the smallest number, to which no interrupt
 * has added.
 */
#define PART   (1U << 14)
#define REPEAT 5

static volatile unsigned char *bytes;

/* Return whether the first 8 bytes have been written. They are never all zero. */
static bool is_begun(void)
{
	return *(volatile uint64_t *)bytes;
}

/*
 * Return the number of bytes that have been written. The result may be a little too small, because
 * the last written bytes may be zero.
 */
static unsigned int written(void)
{
	unsigned int n = SIZE;

	while (n && !bytes[n - 1])
		n--;
	return n;
}

static struct vpmc_start *kernel_start(void)
{
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_FORCE);
	unsigned int i;

	for (i = 0; i < start->nr_events; i++)
		start->event[i].modes = VPMC_MODE_KERNEL;
	return start;
}

static void must_start_kernel(int fd, struct vpmc_start *start)
{
	int result = request(fd, VPMC_START, start);

	if (result)
		check(false, "start: errno %d", -result);
}

static void write_bytes(size_t size)
{
	if (getrandom((void *)bytes, size, GRND_INSECURE) != (ssize_t)size)
		err(2, "getrandom");
}

/* Return the kernel's instructions in a call for @size bytes, and in the read of the counts. */
static uint64_t cost_of(int fd, size_t size)
{
	uint64_t least = UINT64_MAX, before, now;
	unsigned int i;

	for (i = 0; i < REPEAT; i++) {
		before = read_scope(fd, VPMC_SCOPE_THREAD).count[0];
		write_bytes(size);
		now = read_scope(fd, VPMC_SCOPE_THREAD).count[0] - before;
		least = now < least ? now : least;
	}
	return least;
}

/* Return the cost of PART bytes. */
static uint64_t cost_of_part(void)
{
	int fd = open_device();
	uint64_t cost;

	must_start_kernel(fd, kernel_start());
	cost = cost_of(fd, (size_t)2 * PART) - cost_of(fd, PART);
	must_stop(fd);
	close(fd);
	return cost;
}

static struct target writing(void)
{
	struct target t = target_new();
	unsigned int i;

	script_stay_on(&t.script, 1);
	for (i = 0; i < TRIES; i++) {
		target_gate(&t, true);
		script_call(&t.script, SYS_getrandom, P(bytes), SIZE,
			    GRND_INSECURE);
	}
	target_gate(&t, true);
	script_exit(&t.script, 0);
	return t;
}

/*
 * Start the target in the middle of its call. Returns the number of bytes that were left after the
 * start.
 */
static unsigned int start_there(struct target *t, int fd,
				struct vpmc_start *start)
{
	unsigned int missing;

	memset((void *)bytes, 0, SIZE);
	must_start(fd, FIRST, VPMC_START_FORCE);
	gate_open(&t->gate);
	while (!is_begun())
		;
	must_start_kernel(fd, start);
	missing = SIZE - written();
	until_at_gate((uint32_t)t->pid, &t->gate);
	return missing;
}

/*
 * Return whether at least 15/16 of the expected instructions were counted. The expected number may
 * be too large, because interrupts may have come during the measurement.
 */
static bool has_counted(int fd, unsigned int missing, uint64_t part)
{
	uint64_t want = part * (missing / PART) / 16 * 15;
	uint64_t count = read_scope(fd, VPMC_SCOPE_SELF).count[0];

	return count >= want ||
	       check(false, "%llu instructions for %u bytes, want %llu",
		     (unsigned long long)count, missing,
		     (unsigned long long)want);
}

static void test_kernel(void)
{
	struct vpmc_start *start = kernel_start();
	unsigned int i, started = 0, right = 0, missing;
	struct target t;
	uint64_t part;
	int fd;

	stay_on(0);
	bytes = shared(SIZE);
	part = cost_of_part();
	check(part > PART, "%u bytes take %llu instructions", PART,
	      (unsigned long long)part);
	t = writing();
	fd = target_hold(&t, 0);
	for (i = 0; i < TRIES && started < ENOUGH; i++) {
		missing = start_there(&t, fd, start);
		if (missing < LEAST)
			continue;
		started++;
		right += has_counted(fd, missing, part);
	}
	check(started == ENOUGH && right == started,
	      "%u starts in the kernel, want %u; %u counted from then on",
	      started, ENOUGH, right);
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

int main(void)
{
	run(test_kernel);
	return check_status();
}

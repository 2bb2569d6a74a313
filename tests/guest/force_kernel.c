// SPDX-License-Identifier: GPL-2.0-only
/*
 * force_kernel: a thread that is started by force while it is in the kernel, and on a
 * processor, counts kernel mode from then on, and not only when it has come back.
 *
 * It counts, and is on the second processor in a call that writes random bytes to
 * memory. The one who starts it looks there how far that is: the call is still to
 * write what is missing behind the start, with more than an instruction for each byte.
 */
#include <err.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hold.h"

/* What the call writes. */
#define SIZE (2U << 20)

/* So much is to be missing, of which what else the thread does in the kernel is a part. */
#define LEAST (SIZE / 8)

/* The start comes too late if the host lets one of the processors wait. */
#define TRIES 100

static volatile unsigned char *bytes;

/* How many have been written from the beginning on. No 64 random ones are all zero. */
static unsigned int written(void)
{
	unsigned int n = SIZE;

	while (n && !bytes[n - 1])
		n--;
	return n;
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

/* Start it in its call. Returns how much of that was to come. */
static unsigned int start_there(struct target *t, int fd)
{
	struct vpmc_start *arg = start_arg(FIRST, VPMC_START_FORCE);
	unsigned int i, missing;
	int result;

	for (i = 0; i < arg->nr_events; i++)
		arg->event[i].modes = VPMC_MODE_KERNEL;
	memset((void *)bytes, 0, SIZE);
	must_start(fd, FIRST, VPMC_START_FORCE);
	gate_open(&t->gate);
	while (!bytes[0] && !bytes[1])
		;
	result = request(fd, VPMC_START, arg);
	missing = SIZE - written();
	if (result)
		check(false, "start: errno %d", -result);
	until_at_gate((uint32_t)t->pid, &t->gate);
	return missing;
}

static void test_kernel(void)
{
	unsigned int missing = 0, i;
	struct vpmc_read now;
	struct target t;
	int fd;

	stay_on(0);
	bytes = shared(SIZE);
	t = writing();
	target_create(&t);
	fd = hold(t.pid, 0);
	for (i = 0; i < TRIES && missing < LEAST; i++)
		missing = start_there(&t, fd);
	now = read_scope(fd, VPMC_SCOPE_SELF);
	check(missing >= LEAST, "%u bytes of its call are to come, want %u",
	      missing, LEAST);
	check(now.count[0] >= missing,
	      "a start in the kernel: %llu instructions there, want %u at least",
	      now.count[0], missing);
	kill(t.pid, SIGKILL);
	target_reap(&t);
}

int main(void)
{
	run(test_kernel);
	return check_status();
}

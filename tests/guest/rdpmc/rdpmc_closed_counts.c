// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_closed_counts: test that a thread that may not read its own counts does not find them
 * by RDPMC either. Another thread of the process may have mapped a page.
 *
 * A process of root counts itself, executes SECRET instructions, gives up its rights and executes
 * this program again. The counts of its first thread are then CLOSED. It creates a second thread,
 * which also counts, and so cannot map a page. But the second thread can stop. It then creates a
 * third thread, which has no counts and can map a page.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "hold.h"

#define NOBODY 65534

/*
 * This is the number of secret instructions. The executed program executes far fewer before it
 * looks.
 */
#define SECRET 20000000
#define LOOKS  100

static void execute_secret(void)
{
	unsigned int left = SECRET / 2;

	__asm__ volatile("1:	dec	%0\n\t"
			 "jnz	1b"
			 : "+r"(left));
}

static void *map(void *unused)
{
	struct vpmc_map arg = { .size = sizeof(arg) };

	(void)unused;
	check(!request(open_device(), VPMC_MAP, &arg),
	      "a thread without counts maps a page");
	return NULL;
}

static void run_thread(void *(*function)(void *))
{
	pthread_t id;

	if (pthread_create(&id, NULL, function, NULL) || pthread_join(id, NULL))
		errx(2, "no thread");
}

static void *stop_and_map(void *unused)
{
	(void)unused;
	must_stop(open_device());
	run_thread(map);
	return NULL;
}

/* Return the largest value of the counter before and after several context switches. */
static unsigned int most(void)
{
	unsigned int i, now, max = 0;

	for (i = 0; i < LOOKS; i++) {
		now = (unsigned int)__rdpmc(0);
		if (now > max)
			max = now;
		usleep(1);
	}
	return max;
}

static int look(void)
{
	unsigned int max;

	check(try_read(open_device(), VPMC_SCOPE_THREAD) == -EPERM,
	      "a program may not read what its predecessor counted");
	/* The thread that maps the page exits, but its page remains. */
	run_thread(stop_and_map);
	max = most();
	check(max < SECRET / 2, "RDPMC does not show it: %u at most", max);
	return check_status();
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	(void)argv;
	if (argc > 1)
		return look();
	stay_on(0);
	pid = fork();
	if (!pid) {
		must_start(open_device(), FIRST, 0);
		execute_secret();
		if (setresgid(NOBODY, NOBODY, NOBODY) ||
		    setresuid(NOBODY, NOBODY, NOBODY))
			err(2, "setresuid");
		execl("rdpmc_closed_counts", "rdpmc_closed_counts", "look",
		      NULL);
		err(2, "execl");
	}
	/*
	 * Keep the processor busy with this process's mm, so that the processor switches to the
	 * child's mm each time that the child wakes up.
	 */
	while (!waitpid(pid, &status, WNOHANG))
		;
	check(!status, "the program ends with status %#x", status);
	return check_status();
}

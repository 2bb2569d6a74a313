// SPDX-License-Identifier: GPL-2.0-only
/*
 * rdpmc_after_exit: test that RDPMC does not show the counts of an exiting process to the task
 * whose mm that process borrows. At the end of its exit, a process has no mm of its own. It borrows
 * the mm of the task that ran before it.
 *
 * A process of root counts with a page and exits. A process of user "nobody" also has a page, and
 * does not count. It sleeps until the files of root's process are closed, which happens after the
 * end of that process's mm. It then reads the counter while root's process continues its exit.
 */
#include <err.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include "follow.h"

#define ROUNDS 20
#define NOBODY 65534

/* Root's process counts at least MUCH, and the process of user "nobody" may see at most LITTLE. */
#define MUCH   1000000
#define LITTLE 10000

static void map(int fd)
{
	struct vpmc_map arg = { .size = sizeof(arg) };

	if (request(fd, VPMC_MAP, &arg))
		err(2, "VPMC_MAP");
}

/* Count and exit. With its low priority, this process lets a task that wakes up run first. */
static _Noreturn void count_and_exit(const struct gate *begin)
{
	struct sched_param idle = { 0 };
	volatile unsigned int i;
	int fd = open_device();

	sched_setscheduler(0, SCHED_IDLE, &idle);
	if (request(fd, VPMC_START, start_arg(FIRST, VPMC_START_FORCE)))
		err(2, "VPMC_START");
	map(fd);
	gate_wait(begin);
	for (i = 0; i < MUCH; i++)
		;
	_exit(0);
}

/*
 * Become user "nobody", and return the value of the first counter after the other end of @files has
 * been closed.
 */
static uint64_t shown_to_nobody(const struct gate *begin, int files)
{
	char byte;

	if (setgid(NOBODY) || setuid(NOBODY))
		err(2, "setuid");
	map(open_device());
	gate_open(begin);
	if (read(files, &byte, 1))
		err(2, "end of file");
	usleep(300);
	return (uint64_t)__rdpmc(0);
}

static void wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status)
		errx(2, "a process has failed");
}

static uint64_t one_round(void)
{
	uint64_t *shown = shared(sizeof(*shown));
	struct gate begin = gate_new();
	int files[2];
	pid_t root, nobody;

	if (pipe(files))
		err(2, "pipe");
	root = fork();
	if (!root)
		count_and_exit(&begin);
	nobody = fork();
	if (!nobody) {
		close(files[1]);
		*shown = shown_to_nobody(&begin, files[0]);
		_exit(0);
	}
	close(files[0]);
	close(files[1]);
	/*
	 * Sleep while both run. If this process ran in between, root's process would borrow another
	 * mm.
	 */
	usleep(30000);
	wait_for(root);
	wait_for(nobody);
	return *shown;
}

int main(void)
{
	uint64_t shown, most = 0;
	unsigned int i;

	stay_on(0);
	for (i = 0; i < ROUNDS; i++) {
		shown = one_round();
		if (shown > most)
			most = shown;
	}
	check(most < LITTLE, "nobody reads at most %llu in %u rounds",
	      (unsigned long long)most, ROUNDS);
	return check_status();
}

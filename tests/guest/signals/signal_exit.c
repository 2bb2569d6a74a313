// SPDX-License-Identifier: GPL-2.0-only
/*
 * signal_exit EXITS: let threads that have requested signals exit. Another processor interrupts
 * their processor all the time to bring counts up to date.
 *
 * The interrupts are caused by reads of ALL. Such a read interrupts other processors whichever
 * tasks run there, and does not need a lock that the exiting thread could hold.
 */
#include <err.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

/* This is a thread, whose stack is its script. @pair are two words for script_thread(). */
struct thread {
	struct script script;
	uint32_t *pair;
};

#define THREADS 8

static struct vpmc_signal *signal_arg(uint64_t period)
{
	struct vpmc_signal *arg = shared(sizeof(*arg));

	*arg = (struct vpmc_signal){
		.size = sizeof(*arg),
		.signo = SIGRTMIN + 1,
		.period = period,
	};
	return arg;
}

/* Count, and read ALL as fast as possible, so that all processors bring their counts up to date. */
static _Noreturn void be_reader(struct vpmc_start *start,
				volatile uint32_t *reads)
{
	int fd = open_device();

	stay_on(1);
	if (request(fd, VPMC_START, start))
		errx(2, "the reader cannot start");
	for (;;) {
		read_scope(fd, VPMC_SCOPE_ALL);
		(*reads)++;
	}
}

/* No count reaches the first period. Counts reach multiples of the second period all the time. */
static const uint64_t periods[] = { UINT64_C(1) << 40, 3 };

/* Complete the script of a thread, which requests signals and exits. */
static void thread_finish(struct thread *t, int fd, struct vpmc_signal *arg)
{
	script_call(&t->script, SYS_ioctl, (uint32_t)fd, VPMC_SIGNAL, P(arg));
	script_exit(&t->script, 0);
}

/* Count, and create THREADS such threads. */
static void run_threads(int start_fd, int fd, uint64_t period)
{
	struct vpmc_signal *arg = signal_arg(period);
	struct thread threads[THREADS];
	struct script s = script_new();
	unsigned int i;

	script_start(&s, start_fd, start_arg(FIRST, 0));
	for (i = 0; i < THREADS; i++) {
		threads[i].script = script_new();
		threads[i].pair = shared(2 * sizeof(uint32_t));
		script_thread(&s, &threads[i].script, threads[i].pair);
		thread_finish(&threads[i], fd, arg);
		script_join(&s, threads[i].pair);
	}
	script_stop(&s, start_fd, stop_arg());
	script_back(&s);
	script_run(&s);
}

/* Run processes of THREADS threads each, until @exits threads have exited. */
static void run_exits(unsigned int exits)
{
	unsigned int done;
	int status;
	pid_t pid;

	for (done = 0; done < exits; done += THREADS) {
		pid = fork();
		if (!pid) {
			run_threads(open_device(), open_device(),
				    periods[done / THREADS % 2]);
			_exit(0);
		}
		if (waitpid(pid, &status, 0) != pid || status) {
			check(false, "a process of threads: status %#x",
			      status);
			return;
		}
	}
}

int main(int argc, char **argv)
{
	unsigned int exits =
		argc > 1 ? (unsigned int)strtoul(argv[1], NULL, 10) : 0;
	struct vpmc_start *start = start_arg(FIRST, VPMC_START_COLLECT);
	volatile uint32_t *reads = shared(sizeof(*reads));
	pid_t reader;

	signal(SIGRTMIN + 1, SIG_IGN);
	stay_on(0);
	reader = fork();
	if (!reader)
		be_reader(start, reads);
	run_exits(exits);
	check(!kill(reader, SIGKILL) && waitpid(reader, NULL, 0) == reader,
	      "%u exits, %u reads meanwhile", exits, *reads);
	return check_status();
}
